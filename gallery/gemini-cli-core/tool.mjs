// The tools `list_directory` and `glob` of @google/gemini-cli-core, with the root as the directory of the workspace.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Config, GlobTool, LSTool } from "@google/gemini-cli-core";

const about = new URL("node_modules/@google/gemini-cli-core/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(about, "utf8"));
const tools = { list_directory: ["list_directory@1.1", LSTool], glob: ["local_files@2", GlobTool] };
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr); // what the package prints is no answer
const failure = (kind, message) => ({ status: "error", error: { kind, message } });
const bus = { publish: async () => {}, subscribe() {}, unsubscribe() {} };

async function call([, Tool], { arguments: given, context }) {
  const root = context.roots[0];
  const config = new Config({ sessionId: "gallery", targetDir: root, cwd: root, debugMode: false, model: "none" });
  try {
    const { llmContent, error } = await new Tool(config, bus).build(given).execute({ abortSignal: new AbortController().signal });
    return error ? failure("Unclassified", error.message) : { status: "ok", content: llmContent };
  } catch (error) {
    return failure("BadArgs", String(error.message));
  }
}

async function answer(method, params) {
  if (method === "initialize") {
    const specs = Object.fromEntries(Object.entries(tools).map(([name, [spec]]) => [name, spec]));
    const candidate = { name: "@google/gemini-cli-core", version, language: "javascript" };
    return { protocol: 1, candidate, tools: specs, capabilities: [] };
  }
  const tool = tools[params.tool];
  if (method === "describe" && tool) {
    const names = params.tool === "glob" ? ["pattern", "dir_path"] : ["dir_path"];
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    return { name: params.tool, input_schema: { type: "object", properties } };
  }
  if (method === "call") return tool ? call(tool, params) : failure("UnknownTool", "no such tool");
  return null;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  write(`${JSON.stringify({ jsonrpc: "2.0", id, result: await answer(method, params) })}\n`);
}
process.exit(0);
