// The directories that a call may access. Paths are Buffers.
import fs from "node:fs";
import { bug, Failure } from "./bug.mjs";

const SLASH = Buffer.from("/");
const DOTS = Buffer.from("..");
const MOST_LINKS = 40;
const SECRETS = ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"];

export function resolve(path, context) {
  let roots = context.roots.map((root) => split(fs.realpathSync.native(root, "buffer")));
  if (bug("second_root_ignored")) roots = roots.slice(0, 1);
  const absolute = path.startsWith("/");
  if (absolute && context.allow_absolute !== true) {
    throw new Failure("SandboxViolation", "absolute paths are not allowed");
  }
  let parts = split(Buffer.from(path));
  const base = bug("relative_to_root") ? context.roots[0] : context.working_dir;
  const start = absolute ? [] : split(fs.realpathSync.native(base, "buffer"));
  if (bug("exists_before_sandbox") && attempt(() => fs.lstatSync(join([...start, ...parts]))).error) {
    throw new Failure("ExecutionFailed", "path does not exist");
  }
  if (bug("dots_within_name") && path.includes("..")) {
    throw new Failure("SandboxViolation", "a path must not contain '..'");
  }
  if (bug("dotdot_leading_only")) {
    if (path.startsWith("..")) throw new Failure("SandboxViolation", "a path must not contain '..'");
    if (parts.some((part) => part.equals(DOTS))) return followed(start, parts);
  }
  if (parts.some((part) => part.equals(DOTS))) {
    throw new Failure("SandboxViolation", "a path must not contain '..'");
  }
  if (bug("absolute_textual") && absolute && roots.some((root) => begins(parts, root))) return followed(start, parts);
  if (bug("links_last_only") && parts.length > 1 && !isLink(join([...start, ...parts]))) return followed(start, parts);
  const found = follow(start, parts, roots);
  refuseDenied(found.parts, roots, context);
  return { place: join(found.parts), missing: found.missing };
}

const isLink = (place) => attempt(() => fs.lstatSync(place)).value?.isSymbolicLink() ?? false;

function followed(start, parts) {
  const real = attempt(() => fs.realpathSync.native(join([...start, ...parts]), "buffer"));
  return { place: real.value, missing: real.error && unreachable(real.error) };
}

function follow(start, parts, roots) {
  let here = start;
  const ahead = [...parts];
  let links = 0;
  let missing = null;
  while (ahead.length) {
    const part = ahead.shift();
    if (part.equals(DOTS)) {
      here = here.slice(0, -1);
      continue;
    }
    here = [...here, part];
    if (missing || roots.some((root) => begins(root, here))) continue;
    const where = join(here);
    const look = attempt(() => fs.lstatSync(where));
    if (look.error) {
      missing = unreachable(look.error);
    } else if (look.value.isSymbolicLink()) {
      if (++links > MOST_LINKS) throw new Failure("ExecutionFailed", "path has too many levels of symbolic links");
      const target = fs.readlinkSync(where, "buffer");
      here = target[0] === SLASH[0] ? [] : here.slice(0, -1);
      ahead.unshift(...split(target));
    } else if (ahead.length && !look.value.isDirectory()) {
      missing = new Failure("ExecutionFailed", "path does not exist: a part of it is not a directory");
      missing.through = true;
    }
  }
  const inside = (root) =>
    bug("root_by_prefix") ? String(join(here)).startsWith(String(join(root))) : begins(here, root);
  if (!roots.some(inside)) {
    const kind = bug("link_out_failed") && links ? "ExecutionFailed" : "SandboxViolation";
    throw new Failure(kind, "path leads outside the sandbox");
  }
  return { parts: here, missing };
}

function unreachable(error) {
  const words = { ENOENT: "path does not exist", EACCES: "path cannot be reached: permission denied",
    ENAMETOOLONG: "path is too long", ENOTDIR: "path does not exist: a part of it is not a directory" };
  return new Failure("ExecutionFailed", words[error.code] ?? "path cannot be reached");
}

function refuseDenied(parts, roots, context) {
  const given = bug("denied_without_defaults") && context.include_default_denies === false ? [] : context.denied_patterns ?? [];
  const patterns = [...given, ...(context.include_default_denies === false ? [] : SECRETS)];
  const inside = roots.filter((root) => begins(parts, root)).map((root) => parts.slice(root.length));
  for (const pattern of patterns) {
    const components = pattern.split("/").filter((part) => part !== "");
    if ([parts, ...inside].some((place) => matches(place.map(String), components))) {
      throw new Failure("SandboxViolation", `path matches the denied pattern ${pattern}`);
    }
  }
}

function matches(parts, components) {
  if (components.length === 0) return parts.length === 0;
  const [first, ...rest] = components;
  if (first === "**") return matches(parts, rest) || (parts.length > 0 && matches(parts.slice(1), components));
  return parts.length > 0 && wildcard(first).test(parts[0]) && matches(parts.slice(1), rest);
}

function wildcard(pattern) {
  const source = pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".")
    .replace(/\[!/g, "[^");
  return new RegExp(`^${source}$`, "su");
}

export function attempt(action) {
  try {
    return { value: action() };
  } catch (error) {
    return { error };
  }
}

function split(path) {
  const parts = [];
  for (let from = 0; from <= path.length; ) {
    const slash = path.indexOf(SLASH, from);
    const end = slash < 0 ? path.length : slash;
    const part = path.subarray(from, end);
    if (part.length && !(part.length === 1 && part[0] === 0x2e)) parts.push(part);
    from = end + 1;
  }
  return parts;
}

const join = (parts) => Buffer.concat([SLASH, ...parts.flatMap((part, at) => (at ? [SLASH, part] : [part]))]);
const begins = (path, head) => head.length <= path.length && head.every((part, at) => part.equals(path[at]));
