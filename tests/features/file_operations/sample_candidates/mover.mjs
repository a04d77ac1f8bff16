// move and copy, written from the specification and the protocol page alone. Where the register has several readings
// it has them all: READINGS says which, by the numbers of the entries (06 stands for 39 to 42, 07 for 33 and 34, 08 for
// 08 and 47, 29 for 29 and 46); what it does not name is read otherwise than recommended. Race-safe without calls
// relative to a descriptor: names below /proc/self/fd stay where they are.
import fs from "node:fs";
import readline from "node:readline";
import crypto from "node:crypto";

const READINGS = JSON.parse(process.env.READINGS ?? "{}");
const reading = (number, otherwise) => READINGS[number] ?? otherwise;
class Failure extends Error { constructor(kind, message) { super(message); this.kind = kind; } }
const fail = (message) => { throw new Failure("ExecutionFailed", message); };
const NAMES = { move: "move", rename: "move", mv: "move", copy: "copy", cp: "copy" };
const SCHEMA = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object",
  properties: { source: { type: "string" }, destination: { type: "string" }, overwrite: { type: "boolean", default: false } },
  required: ["source", "destination"], additionalProperties: reading("31", "refuse") === "ignore" };
for (const end of SCHEMA.required) SCHEMA.properties[end].minLength = 1;
if (reading("03", "ignore") === "ignore") SCHEMA.properties.overwrite.type = ["boolean", "null"];
const raw = (text) => Buffer.from(text, "utf8").toString("latin1"); // names as bytes, one character each
const os = (path) => Buffer.from(path, "latin1");
const lstat = (path) => { try { return fs.lstatSync(os(path)); } catch { return null; } };
const parent = (path) => path.slice(0, path.lastIndexOf("/")) || "/";
const base = (path) => path.slice(path.lastIndexOf("/") + 1);

function follow(path, last = true) { // every link on the way; what is missing is put behind
  let todo = path.split("/").filter((s) => s && s !== ".").reverse(), here = "", links = 0;
  while (todo.length) {
    const step = todo.pop();
    if (step === "..") { here = here.slice(0, here.lastIndexOf("/")); continue; }
    const found = lstat(`${here}/${step}`);
    if (found?.isSymbolicLink() && (todo.length || last)) {
      if (++links > 40) fail("too many links");
      const target = fs.readlinkSync(os(`${here}/${step}`), "latin1");
      if (target.startsWith("/")) here = "";
      todo.push(...target.split("/").filter((s) => s && s !== ".").reverse());
    } else here += `/${step}`;
  }
  return here || "/";
}

function sandbox(context) {
  const roots = context.roots.map((root) => follow(raw(root)));
  const globs = [...(context.denied_patterns ?? []), ...((context.include_default_denies ?? true)
    ? ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"] : [])].map((glob) => new RegExp("^" +
    raw(glob).replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*\*\/|\*\*|\*|\?/g, (w) =>
      ({ "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" })[w]) + "$"));
  const judge = (path) => {
    if (!roots.some((root) => path === root || path.startsWith(root === "/" ? "/" : `${root}/`)))
      throw new Failure("SandboxViolation", "the path leads out of the sandbox");
    if (globs.some((glob) => glob.test(path))) throw new Failure("SandboxViolation", "the path is denied");
    return path;
  };
  const given = (text) => {
    const path = raw(text);
    if (path.startsWith("/") && !context.allow_absolute) throw new Failure("SandboxViolation", "the path is absolute");
    if (path.split("/").includes("..")) throw new Failure("SandboxViolation", "the path goes up");
    return path.startsWith("/") ? path : `${raw(context.working_dir)}/${path}`;
  };
  return { judge, given, roots };
}

function check(args) {
  const bad = (why) => { throw new Failure("BadArgs", why); };
  if (typeof args !== "object" || args === null || Array.isArray(args)) bad("no object");
  for (const end of ["source", "destination"]) if (typeof args[end] !== "string") bad(`${end} is no text`);
  if (args.overwrite === null && reading("03", "ignore") === "ignore") delete args.overwrite;
  if (!["undefined", "boolean"].includes(typeof args.overwrite)) bad("overwrite is no flag");
  if (reading("31", "refuse") === "refuse")
    for (const key of Object.keys(args)) if (!(key in SCHEMA.properties)) bad(`${key} is unknown`);
  if (!args.source || !args.destination) bad("a path is empty");
}

function plan(verb, args, context) {
  const { judge, given, roots } = sandbox(context);
  const spelled = given(args.source), aimed = given(args.destination);
  const led = judge(follow(spelled));
  const follows = reading("04", "target") === "target" || (reading("04", "target") === "usual" && verb === "copy");
  const source = follows ? led : judge(follow(spelled, false));
  let final = judge(follow(aimed));
  const name = base(spelled.replace(/\/+$/, "").replace(/(\/\.)+$/, ""));
  const slash = /\/$/.test(args.destination);
  const there = lstat(final);
  const into = there?.isDirectory() || (slash && !there && reading("29", "make") === "make");
  let at = into ? `${final}/${name}` : follow(aimed, false);
  judge(follow(at));
  const through = judge(follow(at));
  if (reading("06", "through") === "through" && lstat(through)?.isFile() && through !== source) at = through;
  else judge(follow(parent(at)) + "/" + base(at));
  return { verb, source, final: follow(parent(at)) + "/" + base(at), roots, trailing: /\/$/.test(args.source), args,
    nowhere: slash && !there };
}

function may(args, context) {
  const allowed = context.config?.tools?.fileops?.allow_overwrite ?? false;
  if (typeof allowed !== "boolean") throw new Failure("ConfigInvalid", "allow_overwrite is no boolean");
  const how = reading("01", "both");
  if (how === "default") return args.overwrite ?? allowed;
  if (how === "gate") return (args.overwrite ?? false) && allowed;
  return (args.overwrite ?? allowed) && allowed;
}

function opened(directory) { // names below a descriptor stay where they are, whatever becomes of the path
  const fd = fs.openSync(os(directory), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  if (fs.readlinkSync(`/proc/self/fd/${fd}`, "latin1") !== directory) { fs.closeSync(fd); fail("the directory has moved"); }
  return { fd, of: (name) => `/proc/self/fd/${fd}/${name}` };
}

function copyFile(from, to, keepTime) {
  const input = fs.openSync(os(from), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  let output;
  try {
    const found = fs.fstatSync(input);
    if (!found.isFile()) fail("the source is no file");
    output = fs.openSync(os(to), "wx", 0o600);
    pour(input, output);
    fs.fchmodSync(output, found.mode & 0o7777);
    if (keepTime) fs.futimesSync(output, found.atime, found.mtime); // numbers below 0 would be now
    fs.fsyncSync(output);
  } finally { fs.closeSync(input); if (output !== undefined) fs.closeSync(output); }
}

function pour(input, output) {
  const piece = Buffer.alloc(65536);
  for (let n; (n = fs.readSync(input, piece, 0, piece.length, null)) > 0;)
    for (let at = 0; at < n;) at += fs.writeSync(output, piece, at, n - at);
}

function copyAll(from, to, keepTime) {
  const found = fs.lstatSync(os(from));
  if (found.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(os(from), { encoding: "buffer" }), os(to));
  else if (found.isDirectory()) {
    fs.mkdirSync(os(to), 0o700);
    for (const name of fs.readdirSync(os(from), "latin1")) copyAll(`${from}/${name}`, `${to}/${name}`, keepTime);
    fs.chmodSync(os(to), found.mode & 0o7777);
  } else if (found.isFile()) copyFile(from, to, keepTime);
  else fail("what is neither file, directory nor link is not copied");
}

function remove(path) {
  const found = lstat(path);
  if (found?.isDirectory()) {
    for (const name of fs.readdirSync(os(path), "latin1")) remove(`${path}/${name}`);
    fs.rmdirSync(os(path));
  } else if (found) fs.unlinkSync(os(path));
}

function carry(from, to, target, replaces, move) { // a copy beside the final name, and then the name
  const temp = `${parent(to)}/.part-${crypto.randomBytes(6).toString("hex")}`;
  try {
    copyAll(from, temp, move);
    if (!replaces && lstat(to)) fail("the destination exists");
    if (!move) { fs.renameSync(os(temp), os(to)); return; }
    const trash = `${parent(from)}/.gone-${crypto.randomBytes(6).toString("hex")}`;
    const kept = `${parent(to)}/.kept-${crypto.randomBytes(6).toString("hex")}`;
    if (replaces) fs.linkSync(os(to), os(kept));
    let begun = false; // parts of a directory may be deleted already, and the copy alone has them
    try {
      fs.renameSync(os(temp), os(to));
      try {
        if (fs.lstatSync(os(from)).isDirectory()) { fs.renameSync(os(from), os(trash)); begun = true; remove(trash); }
        else fs.unlinkSync(os(from));
      } catch (why) {
        if (replaces) fs.renameSync(os(kept), os(to)); else if (!begun) remove(to);
        throw why;
      }
    } finally { if (replaces) remove(kept); }
  } finally { remove(temp); }
}

function overwriteInPlace(from, to) { // all names of the file get the content
  const old = fs.readFileSync(os(to));
  const fresh = fs.readFileSync(os(from));
  try { fs.writeFileSync(os(to), fresh, { flag: "r+" }); fs.truncateSync(os(to), fresh.length); }
  catch (why) { fs.writeFileSync(os(to), old, { flag: "r+" }); fs.truncateSync(os(to), old.length); throw why; }
}

function execute({ verb, source, final, roots, trailing, nowhere, args }, context) {
  if (nowhere && reading("29", "make") === "error") fail("the destination is no directory");
  if (roots.includes(source)) fail("a root stays where it is");
  const found = lstat(source) ?? fail("the source does not exist");
  if (trailing && !found.isDirectory() && reading("30", "strip") === "error") fail("the source is no directory");
  if (found.isDirectory() && `${final}/`.startsWith(`${source}/`)) fail("a directory into itself");
  if (roots.includes(final)) fail("the destination is a root");
  const overwrite = may(args, context);
  const there = lstat(final);
  const same = there && there.ino === found.ino && there.dev === found.dev;
  if (there && !overwrite) fail("the destination exists");
  if (same && (source === final || verb === "copy")) return; // nothing to do
  if (there?.isDirectory() && !(verb === "move" && found.isDirectory() && reading("05", "replace") === "replace"))
    fail("the destination is a directory");
  if (there?.isSymbolicLink() && reading("06", "through") === "refuse") fail("a link is not overwritten");
  if (there && found.isDirectory() && !there.isDirectory()) fail("a directory does not replace a file");
  if (found.isDirectory() && verb === "copy" && reading("07", "complete") === "error") fail("directories are not copied");
  const made = [];
  try {
    for (let up = parent(final), missing = []; ; up = parent(up)) {
      if (lstat(up)) { if (reading("08", "make") === "make") for (const d of missing.reverse()) { fs.mkdirSync(os(d)); made.push(d); } break; }
      missing.push(up);
    }
    const from = opened(parent(source)), to = opened(parent(final));
    try {
      const [a, b] = [from.of(base(source)), to.of(base(final))];
      if (same) { fs.unlinkSync(os(a)); return; }
      if (there?.isFile() && there.nlink > 1 && found.isFile() && reading("06", "through") === "through") {
        overwriteInPlace(a, b);
        if (verb === "move") fs.unlinkSync(os(a));
        return;
      }
      if (verb === "copy") return carry(a, b, final, Boolean(there), false);
      try { fs.renameSync(os(a), os(b)); }
      catch (why) {
        if (why.code !== "EXDEV") throw why;
        if (found.isDirectory() && reading("07", "complete") === "error") fail("a directory stays on its file system");
        if (found.isSymbolicLink() && reading("22", "error") === "error") fail("a link stays on its file system");
        carry(a, b, final, Boolean(there), true);
      }
    } finally { fs.closeSync(from.fd); fs.closeSync(to.fd); }
  } catch (why) {
    for (const directory of made.reverse()) try { fs.rmdirSync(os(directory)); } catch { /* not ours any more */ }
    throw why;
  }
}

function call({ tool, arguments: args, context }) {
  let asked = false;
  try {
    const verb = Object.hasOwn(NAMES, tool) ? NAMES[tool] : null;
    if (!verb) throw new Failure("UnknownTool", `no tool ${tool}`);
    check(args);
    const policy = { enabled: true, mode: "auto", allowlist: [], denylist: [], prompt_side_effects: true, ...context.policy };
    const named = (list) => list.some((name) => (NAMES[name] ?? name) === verb);
    if (!policy.enabled) throw new Failure("PolicyDenied", "Tool execution disabled by policy");
    if (named(policy.denylist)) throw new Failure("PolicyDenied", "the tool is on the denylist");
    const planned = plan(verb, args, context);
    if (policy.mode === "deny" && !named(policy.allowlist)) throw new Failure("PolicyDenied", "mode deny");
    if (reading("09", "always") === "always" || (policy.mode === "prompt" && policy.prompt_side_effects && !named(policy.allowlist))) {
      asked = true;
      if (context.approval !== "approve") throw new Failure("ApprovalDenied", "the user said no");
    }
    execute(planned, context);
    return { status: "ok", content: `${verb}: ${args.source} to ${args.destination}`, approval_requested: asked };
  } catch (why) {
    if (!(why instanceof Failure) && !why.code) throw why;
    return { status: "error", error: { kind: why.kind ?? "ExecutionFailed", message: why.message }, approval_requested: asked };
  }
}

const methods = {
  initialize: () => ({ protocol: 1, candidate: { name: "second", version: "0.1.0", language: "javascript" },
    tools: { move: "file_operations@1.1", copy: "file_operations@1.1" }, capabilities: ["config", "policy", "denied_patterns", "allow_absolute", "roots", "working_dir", "executor"] }),
  describe: ({ tool }) => ({ name: tool, aliases: tool === "move" ? ["rename", "mv"] : ["cp"], description: `${tool} a file`,
    input_schema: SCHEMA, is_side_effecting: true, requires_approval: reading("09", "always") === "always", risk_level: "High" }),
  call, shutdown: () => null,
};
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: methods[method](params) }) + "\n");
}
