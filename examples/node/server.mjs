// The glue code: the candidate protocol of treeproof over stdin and stdout. The tool is in list_directory.mjs.

import readline from "node:readline";
import { Failure } from "./failure.mjs";
import { parse } from "./json.mjs";
import { checkArguments, definition, effective, listDirectory } from "./list_directory.mjs";
import { declared } from "./readings.mjs";

const methods = {
  initialize: () => ({
    protocol: 1,
    candidate: { name: "treeproof-example-node", version: "1.0.0", language: "javascript" },
    tools: { list_directory: "list_directory@1.1" },
    capabilities: ["config", "budget", "policy", "roots", "context"],
    interpretations: declared,
  }),
  describe: () => definition,
  call: (params) => {
    const context = { allow_truncation: false }; // FR-LD-OUT-04, for every call
    try {
      return { status: "ok", content: answer(params), context };
    } catch (error) {
      if (!(error instanceof Failure)) console.error(error);
      const kind = error.kind ?? "ExecutionFailed";
      return { status: "error", error: { kind, message: error.message || "failed" }, context };
    }
  },
  shutdown: () => null,
};

function answer({ tool, arguments: args, context }) {
  if (tool !== definition.name) throw new Failure("UnknownTool", `there is no tool ${tool}`);
  checkArguments(args);
  const wanted = effective(args, context.config);
  const { enabled = true, mode = "auto", allowlist = [], denylist = [] } = context.policy ?? {};
  if (!enabled) throw new Failure("PolicyDenied", "Tool execution disabled by policy");
  if (denylist.includes(tool)) throw new Failure("PolicyDenied", `${tool} is denied by policy`);
  const denied = mode === "deny" && !allowlist.includes(tool);
  // The sandbox is checked before the policy's mode; a tool that only reads never needs approval.
  return listDirectory(wanted, context, () => {
    if (denied) throw new Failure("PolicyDenied", `${tool} is not allowed by policy`);
  });
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = parse(line);
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: methods[method](params) })}\n`);
}
