// The tool list_directory 1.1: arguments, configuration, walk and document. It only reads.

import fs from "node:fs";
import { Failure } from "./failure.mjs";
import { isInteger } from "./json.mjs";
import { other } from "./readings.mjs";
import { attempt, resolve } from "./sandbox.mjs";

const bool = (value) => ({ type: "boolean", default: value });
export const definition = {
  name: "list_directory",
  aliases: [],
  description: "List directory entries",
  input_schema: {
    type: "object",
    properties: {
      path: { type: "string" },
      recursive: bool(false),
      max_depth: { type: "integer", minimum: 1 },
      max_entries: { type: "integer", minimum: 1 },
      include_hidden: bool(false),
      include_files: bool(true),
      include_dirs: bool(true),
      include_symlinks: bool(true),
      include_other: bool(false),
    },
    required: ["path"],
  },
  is_side_effecting: false,
  requires_approval: false,
  risk_level: "Low",
};

// CFG-LD-05
const BUILT_IN = {
  max_entries: 200,
  max_depth: 4,
  include_hidden_default: false,
  include_symlinks_default: true,
  include_files_default: true,
  include_dirs_default: true,
  include_other_default: false,
};

/** Check the arguments against the schema. Throws Failure. */
export function checkArguments(args) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new Failure("BadArgs", "the arguments must be an object");
  }
  for (const name of other ? Object.keys(args) : []) {
    const isKnown = Object.hasOwn(definition.input_schema.properties, name);
    if (!isKnown) throw new Failure("BadArgs", `there is no argument ${name}`);
    if (args[name] === null && name !== "path") delete args[name];
  }
  for (const [name, schema] of Object.entries(definition.input_schema.properties)) {
    if (!(name in args)) continue;
    const value = args[name];
    const fits = schema.type === "integer" ? isInteger(value) : typeof value === schema.type;
    if (!fits) throw new Failure("BadArgs", `${name} must be of type ${schema.type}`);
    if (schema.minimum !== undefined && value < schema.minimum) {
      throw new Failure("BadArgs", `${name} must be at least ${schema.minimum}`);
    }
  }
  if (!("path" in args)) throw new Failure("BadArgs", "path is missing");
}

/** Return the request after configuration and defaults are applied. Throws Failure. */
export function effective(args, config) {
  const path = normalized(args.path);
  const defaults = { ...BUILT_IN, ...configured(config) };
  const include = (kind) => args[`include_${kind}`] ?? defaults[`include_${kind}_default`];
  const recursive = args.recursive ?? false;
  const depth = args.max_depth;
  if (!recursive && depth !== undefined && depth !== 1) {
    throw new Failure("BadArgs", "max_depth must be absent or 1 when recursive is false");
  }
  if (recursive && depth > defaults.max_depth) {
    throw new Failure("BadArgs", `max_depth must be at most ${defaults.max_depth}`);
  }
  const limit = args.max_entries ?? defaults.max_entries;
  if (limit > defaults.max_entries) {
    throw new Failure("BadArgs", `max_entries must be at most ${defaults.max_entries}`);
  }
  const kinds = {
    file: include("files"),
    dir: include("dirs"),
    symlink: include("symlinks"),
    other: include("other"),
    unknown: true, // failed entries are always listed
  };
  if (!kinds.file && !kinds.dir && !kinds.symlink) {
    throw new Failure("BadArgs", "one of include_files, include_dirs and include_symlinks must be true");
  }
  return { path, limit, depth: recursive ? depth ?? defaults.max_depth : 1, hidden: include("hidden"), kinds };
}

function configured(config) {
  const table = config?.tools?.list_directory ?? {};
  const invalid = (key) => new Failure("ConfigInvalid", `[tools.list_directory] ${key} cannot be used`);
  if (typeof table !== "object" || Array.isArray(table)) throw new Failure("ConfigInvalid", "no table");
  const used = {};
  for (const [key, standard] of Object.entries(BUILT_IN)) {
    if (!(key in table)) continue;
    const value = table[key];
    const fits = typeof standard === "number" ? isInteger(value) && value >= 1 : typeof value === "boolean";
    if (!fits) throw invalid(key);
    used[key] = value;
  }
  return used;
}

/** FR-LD-VAL-10, with the White_Space of Unicode instead of String.trim. Other readings resolve `..` in the text. */
function normalized(path) {
  let text = other ? path.trim() : path.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
  if (text === "") throw new Failure("BadArgs", "path must not be empty");
  if (!text.isWellFormed()) throw new Failure("BadArgs", "path must be valid Unicode");
  if (text.includes("\0")) throw new Failure("BadArgs", "path must not contain NUL");
  if (other || process.platform === "win32") text = text.replaceAll("\\", "/");
  const parts = [];
  for (const part of text.split("/")) {
    if (other && part === ".." && parts.length && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  if (text.startsWith("/")) return `/${parts.join("/")}`;
  if (parts.length === 1 && /^[A-Za-z]:$/.test(parts[0]) && text.endsWith("/")) return `${parts[0]}/`;
  return parts.join("/") || ".";
}

/** Return the document. Calls `permit` after the sandbox accepts the path. Throws Failure. */
export function listDirectory(wanted, context, permit) {
  const { place: root, missing } = resolve(wanted.path, context);
  permit();
  if (missing) throw missing;
  if (!fs.lstatSync(root).isDirectory()) throw new Failure("ExecutionFailed", "path is not a directory");
  const walk = new Walk(wanted);
  const opened = walk.open(root);
  if (opened.error) throw new Failure("ExecutionFailed", "directory cannot be read");
  walk.visit(root, opened.value, "", null, 1);
  const { max_output_bytes: most = 102400, available_capacity_bytes: capacity = 65536 } = context;
  return fitted(wanted, walk, most < capacity ? most : capacity); // either may be a BigInt
}

const SLASH = Buffer.from("/");
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;

class Walk {
  constructor(wanted) {
    this.wanted = wanted;
    this.entries = [];
    this.truncated = false;
  }

  /** Return the names in a directory in the order of the walk; a link that replaced the directory is not followed. */
  open(directory) {
    return attempt(() => {
      const descriptor = fs.openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      try {
        // Through the descriptor, so that the opened directory is the one that is read.
        const place = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : directory;
        return fs.readdirSync(place, { encoding: "buffer" });
      } finally {
        fs.closeSync(descriptor);
      }
    });
  }

  visit(directory, names, above, aboveRaw, depth) {
    for (const { raw, name } of sorted(names)) {
      const hidden = raw[0] === 0x2e;
      if (hidden && !this.wanted.hidden) continue;
      const place = Buffer.concat([directory, SLASH, raw]);
      const entry = described(place, name, above + name, depth, hidden);
      entry.raw = aboveRaw ? Buffer.concat([aboveRaw, SLASH, raw]) : raw;
      const entered = entry.type === "dir" && depth < this.wanted.depth;
      const below = entered ? this.open(place) : null;
      if (below?.error) Object.assign(entry, UNREADABLE);
      if (this.wanted.kinds[entry.type] && !this.add(entry)) return;
      if (below?.value) this.visit(place, below.value, `${above}${name}/`, entry.raw, depth + 1);
      if (this.truncated) return;
    }
  }

  /** Return false if the limit was already reached: an entry is then omitted, and the walk ends. */
  add(entry) {
    if (this.entries.length >= this.wanted.limit) this.truncated = true;
    else this.entries.push(entry);
    if (other && this.entries.length >= this.wanted.limit) this.truncated = true; // without looking further
    return !this.truncated;
  }
}

const UNREADABLE = { type: "unknown", error_code: "read_dir_failed", error: "directory cannot be read" };

function sorted(names) {
  return names
    .map((raw) => ({ raw, name: raw.toString() })) // one U+FFFD for each maximal ill-formed part
    .sort((a, b) => byCodePoint(a.name, b.name) || Buffer.compare(a.raw, b.raw));
}

/** Compare in UTF-8 order; the comparison of JavaScript uses UTF-16 units. */
function byCodePoint(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function described(place, name, path, depth, hidden) {
  const entry = { name, path, depth, type: "unknown", size_bytes: null, modified_epoch_ms: null, is_hidden: hidden,
    error_code: null, error: null };
  const look = attempt(() => fs.lstatSync(place, { bigint: true }));
  if (look.error) {
    const causes = other ? {} : CAUSES; // the other readings have one cause for all
    const [code, text] = causes[look.error.code] ?? [other ? GONE[0] : "unknown", "metadata cannot be read"];
    return Object.assign(entry, { error_code: code, error: text });
  }
  const stat = look.value;
  if (stat.isFile()) Object.assign(entry, { type: "file", size_bytes: stat.size });
  else entry.type = stat.isDirectory() ? "dir" : stat.isSymbolicLink() ? "symlink" : "other";
  entry.modified_epoch_ms = milliseconds(stat.mtimeNs);
  return entry;
}

const GONE = ["metadata_unavailable", "metadata is not available"];
const CAUSES = {
  EACCES: ["permission_denied", "permission denied"],
  EPERM: ["permission_denied", "permission denied"],
  EIO: ["io_error", "input/output error"],
  ENOENT: GONE,
  ENOTDIR: GONE,
  ELOOP: GONE,
  ENAMETOOLONG: GONE,
};

/** The last time that a Date of JavaScript can hold, and the first one with a minus. */
const LAST_DATE = 8640000000000000n;

/** Round down, also before 1970; by the other readings towards 1970, and no farther than a Date goes. */
function milliseconds(ns) {
  const ms = ns / 1000000n;
  if (other) return ms < -LAST_DATE || ms > LAST_DATE ? null : ms;
  return ns % 1000000n < 0n ? ms - 1n : ms;
}

const MEMBERS = ["name", "path", "depth", "type", "size_bytes", "modified_epoch_ms", "is_hidden", "error_code",
  "error"];

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
const quoted = (value) => {
  const text = JSON.stringify(value);
  return other ? text.replace(/[^\x20-\x7e]/g, escaped) : text; // in ASCII, or with the escapes that JSON requires
};
const spelled = (value) => (typeof value === "bigint" ? String(value) : quoted(value));
const spelledEntry = (entry) => `{${MEMBERS.map((name) => `"${name}":${spelled(entry[name])}`).join(",")}}`;

/** Return the longest document within the budget; entries are removed from the end of the sorted list (FR-LD-OUT-07). */
function fitted(wanted, walk, budget) {
  const entries = walk.entries
    .sort((a, b) => byCodePoint(a.path, b.path) || Buffer.compare(a.raw, b.raw))
    .map(spelledEntry);
  const document = (count, reason) =>
    `{"path":${quoted(wanted.path)},"entries":[${entries.slice(0, count).join(",")}],"returned":${count},` +
    `"max_entries":${wanted.limit},"truncated":${reason !== null},"truncated_reason":${JSON.stringify(reason)}}`;
  const whole = document(entries.length, walk.truncated ? "max_entries" : null);
  let bytes = Buffer.byteLength(document(0, "max_output_bytes"));
  if (Buffer.byteLength(whole) <= budget && !(other && bytes > budget)) return whole;
  let count = 0;
  while (count + 1 < entries.length) {
    const more = Buffer.byteLength(entries[count]) + (count ? 1 : 0) + String(count + 1).length - String(count).length;
    if (bytes + more > budget) break;
    bytes += more;
    count += 1;
  }
  if (bytes > budget || entries.length === 0) throw new Failure("ExecutionFailed", "output budget too small");
  return document(count, "max_output_bytes");
}
