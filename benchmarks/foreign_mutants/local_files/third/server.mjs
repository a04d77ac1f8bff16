// The candidate protocol of treeproof over stdin and stdout; the tools are in local_files.mjs.
import { Failure, findFiles, listDirectory } from "./local_files.mjs";

const TOOLS = { __proto__: null, listDirectory, findFiles };

function stringify(value) {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`;
  if (value && typeof value === "object") {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${stringify(each)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

function definition(tool) {
  const properties = { path: { type: "string" } };
  if (tool === "findFiles") Object.assign(properties, { recursive: { type: "boolean" }, glob: { type: "string" } });
  return { name: tool, aliases: [], description: tool === "findFiles" ? "Finds entries below a directory by a glob" : "Lists the entries of a directory",
    input_schema: { type: "object", properties, required: Object.keys(properties) }, is_side_effecting: false };
}

function call({ tool, arguments: args, context }) {
  if (!TOOLS[tool]) return { status: "error", error: { kind: "UnknownTool", message: `there is no tool ${tool}` } };
  try {
    return { status: "ok", content: stringify(TOOLS[tool](args, context)) };
  } catch (error) {
    if (!(error instanceof Failure)) console.error(error);
    return { status: "error", error: { kind: error.kind ?? "ExecutionFailed", message: error.message || "failed" } };
  }
}

const methods = {
  initialize: () => ({ protocol: 1, candidate: { name: "node-local-files", version: "2.0.0", language: "javascript" },
    tools: { listDirectory: "local_files@2", findFiles: "local_files@2" }, capabilities: [] }),
  describe: ({ tool }) => definition(tool),
  call,
  shutdown: () => null,
};

process.stdin.setEncoding("utf8");
let buffered = "";
for await (const piece of process.stdin) {
  buffered += piece;
  for (let end; (end = buffered.indexOf("\n")) >= 0; buffered = buffered.slice(end + 1)) {
    const line = buffered.slice(0, end);
    const { id, method, params } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: methods[method](params) })}\n`);
  }
}
