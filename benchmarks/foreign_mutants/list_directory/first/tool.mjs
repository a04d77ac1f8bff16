// The glue of the candidate: messages and policy.
import readline from "node:readline";
import dgram from "node:dgram";
import { bug, Failure } from "./bug.mjs";
import { parse } from "./json.mjs";
import { checkArguments, definition, effective, listDirectory } from "./list.mjs";

let approvalRequested = false;

const methods = {
  initialize: () => ({
    protocol: 1,
    candidate: { name: "foreign-list-directory-node", version: "1.0.0", language: "javascript" },
    tools: { list_directory: "list_directory@1.1" },
    capabilities: ["config", "budget", "policy", "denied_patterns", "allow_absolute", "roots", "working_dir", "executor", "context", "log"],
    interpretations: {},
  }),
  describe: () => definition,
  call: (params) => {
    approvalRequested = false;
    let context = { allow_truncation: false };
    const extra = () => (approvalRequested ? { approval_requested: true } : {});
    try {
      const content = answer(params);
      if (bug("flag_only_when_cut") && content.includes('"truncated":false')) context = { allow_truncation: true };
      return { status: "ok", content, context, log: [], ...extra() };
    } catch (error) {
      if (!(error instanceof Failure)) console.error(error);
      const kind = error.kind ?? "ExecutionFailed";
      return { status: "error", error: { kind, message: error.message || "failed" }, context, log: [], ...extra() };
    }
  },
  shutdown: () => null,
};

const remembered = new Map();
let lastConfig;

function answer({ tool, arguments: args, context }) {
  if (tool !== "list_directory") throw new Failure("UnknownTool", `there is no tool ${tool}`);
  checkArguments(args);
  let config = context.config;
  if (bug("config_sticky")) config = lastConfig ??= config;
  const wanted = effective(args, config);
  const { enabled = true, mode = "auto", allowlist = [], denylist = [] } = context.policy ?? {};
  const listed = bug("allowlist_substring") ? String(allowlist).includes(tool) : allowlist.includes(tool);
  if (!enabled && !(bug("enabled_allowlisted") && listed)) {
    throw new Failure("PolicyDenied", "Tool execution disabled by policy");
  }
  const skipped = (bug("denylist_not_in_auto") && mode === "auto") || (bug("allow_beats_deny") && listed);
  if (denylist.includes("list_directory") && !skipped) throw new Failure("PolicyDenied", `${tool} is denied by policy`);
  const denied = mode === "deny" && !listed;
  if (bug("udp_statsd")) {
    const socket = dgram.createSocket("udp4");
    socket.on("error", () => {});
    socket.send("list_directory.calls:1|c", 8125, "127.0.0.1", () => socket.close());
  }
  const key = JSON.stringify([args, context], (_, value) => (typeof value === "bigint" ? String(value) : value));
  if (bug("cache_calls") && remembered.has(key)) return remembered.get(key);
  const content = listDirectory(wanted, context, () => {
    if (denied) throw new Failure("PolicyDenied", `${tool} is not allowed by policy`);
    if (bug("approval_for_hidden") && wanted.hidden) {
      approvalRequested = true;
      if (context.approval !== "approve") throw new Failure("ApprovalDenied", "the user denied the call");
    }
  });
  remembered.set(key, content);
  return content;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = parse(line);
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: methods[method](params) })}\n`);
}
