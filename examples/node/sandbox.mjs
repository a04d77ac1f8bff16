// The directories that a call may access. Paths are Buffers: a name on disk is bytes and need not be UTF-8.

import fs from "node:fs";
import { Failure } from "./failure.mjs";

const SLASH = Buffer.from("/");
const DOTS = Buffer.from("..");
const MOST_LINKS = 40;
const SECRETS = ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"];

/**
 * Return the canonical `place` of a path inside the sandbox, or `missing`, the Failure with the reason why nothing is
 * there. Throws Failure if the sandbox refuses the path.
 */
export function resolve(path, context) {
  const roots = context.roots.map((root) => split(fs.realpathSync.native(root, "buffer")));
  const absolute = path.startsWith("/");
  if (absolute && context.allow_absolute !== true) {
    throw new Failure("SandboxViolation", "absolute paths are not allowed");
  }
  const parts = split(Buffer.from(path));
  if (parts.some((part) => part.equals(DOTS))) {
    throw new Failure("SandboxViolation", "a path must not contain '..'");
  }
  const start = absolute ? [] : split(fs.realpathSync.native(context.working_dir, "buffer"));
  const found = follow(start, parts, roots);
  refuseDenied(found.parts, roots, context);
  return { place: join(found.parts), missing: found.missing };
}

/**
 * Follow links component by component, like realpath, but continue after a missing part: the target of a dangling
 * link is checked like any other path. The result does not reveal whether something exists outside the roots.
 */
function follow(start, parts, roots) {
  let here = start;
  const ahead = [...parts];
  let links = 0;
  let missing = null;
  while (ahead.length) {
    const part = ahead.shift();
    if (part.equals(DOTS)) {
      here = here.slice(0, -1); // from a link's target
      continue;
    }
    here = [...here, part];
    if (missing || roots.some((root) => begins(root, here))) continue; // a root contains no links
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
    }
  }
  if (!roots.some((root) => begins(here, root))) {
    throw new Failure("SandboxViolation", "path leads outside the sandbox");
  }
  return { parts: here, missing };
}

function unreachable(error) {
  const words = { ENOENT: "path does not exist", EACCES: "path cannot be reached: permission denied",
    ENAMETOOLONG: "path is too long", ENOTDIR: "path does not exist: a part of it is not a directory" };
  return new Failure("ExecutionFailed", words[error.code] ?? "path cannot be reached");
}

function refuseDenied(parts, roots, context) {
  const patterns = [...(context.denied_patterns ?? []), ...(context.include_default_denies === false ? [] : SECRETS)];
  const inside = roots.filter((root) => begins(parts, root)).map((root) => parts.slice(root.length));
  for (const pattern of patterns) {
    const components = pattern.split("/").filter((part) => part !== "");
    if ([parts, ...inside].some((place) => matches(place.map(String), components))) {
      throw new Failure("SandboxViolation", `path matches the denied pattern ${pattern}`);
    }
  }
}

/** Match a glob over components: `**` is any number of components, `*` and `?` match within one component. */
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

/** Return the components of a path without empty ones and `.`. */
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

/** Return whether a path equals another or is inside it, compared by components. */
const begins = (path, head) => head.length <= path.length && head.every((part, at) => part.equals(path[at]));
