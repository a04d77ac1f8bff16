// The tool list_directory 1.1: arguments, configuration, walk and document.
import fs from "node:fs";
import { bug, Failure } from "./bug.mjs";
import { isInteger } from "./json.mjs";
import { attempt, resolve } from "./sandbox.mjs";

const bool = (value) => ({ type: "boolean", default: value });
export const definition = {
  name: bug("name_camel") ? "listDirectory" : "list_directory",
  aliases: [],
  description: bug("desc_period") ? "List directory entries." : "List directory entries",
  input_schema: {
    type: "object",
    properties: {
      path: { type: "string" },
      recursive: bool(false),
      max_depth: bug("schema_depth_minimum") ? { type: "integer" } : { type: "integer", minimum: 1 },
      max_entries: { type: "integer", minimum: 1 },
      include_hidden: bool(false),
      include_files: bug("schema_files_default") ? { type: "boolean" } : bool(true),
      include_dirs: bool(true),
      include_symlinks: bool(true),
      include_other: bool(false),
    },
    required: ["path"],
  },
  is_side_effecting: bug("says_side_effects"),
  requires_approval: false,
  risk_level: "Low",
};
if (bug("approval_unsaid")) delete definition.requires_approval;

const BUILT_IN = {
  max_entries: 200,
  max_depth: 4,
  include_hidden_default: false,
  include_symlinks_default: true,
  include_files_default: true,
  include_dirs_default: true,
  include_other_default: false,
};

export function checkArguments(args) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new Failure("BadArgs", "the arguments must be an object");
  }
  for (const [name, schema] of Object.entries(definition.input_schema.properties)) {
    if (!(name in args)) continue;
    let value = args[name];
    if (bug("bool_strings") && schema.type === "boolean" && /^(true|false)$/.test(value)) value = args[name] = String(value) === "true";
    if (bug("numeric_strings") && schema.type === "integer" && typeof value === "string" && /^[0-9]+$/.test(value)) {
      value = args[name] = Number(value);
    }
    if (bug("fraction_floor") && schema.type === "integer" && typeof value === "number" && value >= 1) {
      value = args[name] = Math.floor(value);
    }
    if (bug("zero_entries_default") && name === "max_entries" && value === 0) {
      delete args[name];
      continue;
    }
    if (bug("negative_depth_unbounded") && name === "max_depth" && value < 0 && args.recursive === true) {
      delete args[name];
      continue;
    }
    if (bug("null_switch_default") && schema.type === "boolean" && value === null) {
      delete args[name];
      continue;
    }
    if (bug("path_list_joined") && name === "path" && Array.isArray(value)) value = args.path = value.join("/");
    if (bug("other_untyped") && name === "include_other") {
      args[name] = Boolean(value);
      continue;
    }
    const fits = schema.type === "integer" ? isInteger(value) : typeof value === schema.type;
    if (!fits) throw new Failure("BadArgs", `${name} must be of type ${schema.type}`);
    if (schema.type === "integer" && value < 1) {
      throw new Failure("BadArgs", `${name} must be at least 1`);
    }
  }
  if (!("path" in args)) throw new Failure("BadArgs", "path is missing");
}

export function effective(args, config) {
  const shown = normalized(args.path);
  const path = shown;
  const defaults = { ...BUILT_IN, ...configured(config) };
  const include = (kind) => {
    const given = args[`include_${kind}`];
    const standard = defaults[`include_${kind}_default`];
    if (bug("explicit_false_lost")) return given || standard;
    return given ?? standard;
  };
  const recursive = args.recursive ?? false;
  let depth = args.max_depth;
  const flat = bug("flat_rule_needs_recursive") ? args.recursive === false : !recursive;
  if (flat && depth !== undefined && depth !== 1) {
    throw new Failure("BadArgs", "max_depth must be absent or 1 when recursive is false");
  }
  if (recursive && depth > defaults.max_depth) {
    if (!bug("depth_clamped")) throw new Failure("BadArgs", `max_depth must be at most ${defaults.max_depth}`);
    depth = defaults.max_depth;
  }
  const limit = args.max_entries ?? defaults.max_entries;
  let cap = defaults.max_entries;
  if (bug("entries_cap_builtin") && cap > 200) cap = 200;
  const above = bug("entries_cap_text") ? args.max_entries !== undefined && String(limit) > String(cap) : limit > cap;
  if (above && (args.max_entries !== undefined || !bug("entries_cap_builtin"))) {
    throw new Failure("BadArgs", `max_entries must be at most ${cap}`);
  }
  const kinds = { file: include("files"), dir: include("dirs"), symlink: include("symlinks"), other: include("other"), unknown: true };
  const anyKind = kinds.file || kinds.dir || kinds.symlink || (bug("other_counts_as_kind") && kinds.other);
  if (!anyKind && !(bug("kinds_rule_flat_only") && recursive)) {
    throw new Failure("BadArgs", "one of include_files, include_dirs and include_symlinks must be true");
  }
  let standardDepth = defaults.max_depth;
  if (bug("default_depth_at_most_4") && standardDepth > 4) standardDepth = 4;
  return { path, shown: display(args.path, shown), limit, cap: defaults.max_entries, depth: recursive ? (bug("depth_one_more") && depth > 1 ? depth + 1 : depth ?? standardDepth) : 1,
    hidden: include("hidden"), kinds, recursive };
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
    used[key] = bug("config_false_lost") ? value || standard : value;
  }
  return used;
}

function normalized(path) {
  if (bug("blank_path_is_cwd") && path !== "" && /^\p{White_Space}+$/u.test(path)) return ".";
  const text = bug("trims_start_only") ? path.replace(/^\p{White_Space}+/u, "") : path.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
  if (text === "" || path.trim() === "") throw new Failure("BadArgs", "path must not be empty");
  if (!text.isWellFormed()) throw new Failure("BadArgs", "path must be valid Unicode");
  if (text.includes("\0")) throw new Failure("BadArgs", "path must not contain NUL");
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  if (text.startsWith("/")) return `/${parts.join("/")}`;
  if (parts.length === 1 && /^[A-Za-z]:$/.test(parts[0]) && text.endsWith("/")) return `${parts[0]}/`;
  return parts.join("/") || ".";
}

/** The spelling that is shown. */
function display(asked, clean) {
  const text = asked.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
  if (bug("shown_collapses_once")) return text.replace("//", "/").replace(/(?!^)\/$/, "").replace(/^(\.\/+)+(?=.)/, "").replace(/\/(\.\/)+/g, "/");
  if (bug("shown_inner_dots_stay")) {
    const parts = text.split("/").filter((part) => part !== "");
    while (parts.length > 1 && parts[0] === ".") parts.shift();
    return (text.startsWith("/") ? "/" : "") + parts.join("/");
  }
  if (bug("shown_dot_slash_eaten")) return clean.replace(/\.\//g, "");
  if (bug("shown_dot_is_empty") && clean === ".") return "";
  if (bug("shown_nfc")) return clean.normalize("NFC");
  if (bug("shown_backslash")) return clean.replaceAll("\\", "/");
  if (bug("shown_one_trailing_slash") && text.length > 1 && /\/\/$/.test(text)) return `${clean}/`;
  return clean;
}

export function listDirectory(wanted, context, permit) {
  const { place: root, missing } = resolve(wanted.path, context);
  permit();
  const { max_output_bytes: most = 102400, available_capacity_bytes: capacity = 65536 } = context;
  let budget = most < capacity ? most : capacity;
  if (bug("budget_zero_default")) {
    const [a, b] = [context.max_output_bytes || 102400, context.available_capacity_bytes || 65536];
    budget = a < b ? a : b;
  }
  if (bug("capacity_ignored")) budget = most;
  if (bug("budget_int32")) budget = Number(BigInt.asIntN(32, BigInt(budget)));
  const walk = new Walk(wanted);
  if (missing) {
    if (bug("missing_badargs") && missing.message === "path does not exist") throw new Failure("BadArgs", missing.message);
    if (bug("path_through_file_empty") && missing.through) return fitted(wanted, walk, budget);
    throw missing;
  }
  const look = fs.lstatSync(root);
  if (!look.isDirectory()) {
    if (bug("file_lists_itself") && look.isFile()) {
      const name = String(root).split("/").at(-1);
      const entry = described(root, name, name, 1, name.startsWith("."));
      entry.raw = Buffer.from(name);
      walk.entries.push(entry);
      return fitted(wanted, walk, budget);
    }
    if (bug("special_target_empty") && !look.isFile()) return fitted(wanted, walk, budget);
    throw new Failure("ExecutionFailed", bug("notdir_system_text") ? "ENOTDIR: not a directory, scandir" : "path is not a directory");
  }
  if (bug("shown_real_path") && !wanted.path.startsWith("/")) {
    const real = String(root).split("/");
    const base = fs.realpathSync(context.working_dir).split("/");
    if (base.every((part, at) => part === real[at])) wanted.shown = real.slice(base.length).join("/") || ".";
  }
  const opened = walk.open(root);
  if (opened.error && bug("unreadable_root_empty")) return fitted(wanted, walk, budget);
  if (opened.error) throw new Failure("ExecutionFailed", "directory cannot be read");
  walk.start = root;
  const own = wanted.path.split("/").at(-1);
  const closed = bug("hidden_root_empty") && !wanted.hidden && own.startsWith(".") && own !== ".";
  if (!closed && bug("walk_breadth_first")) walk.breadth(root, opened.value);
  else if (!closed) walk.visit(root, opened.value, "", null, 1, false);
  if (bug("survivors_by_path") || bug("walk_all_then_cut")) {
    if (bug("survivors_by_path")) walk.entries.sort((a, b) => byCodePoint(a.path, b.path));
    walk.truncated = walk.entries.length > wanted.limit;
    walk.entries = walk.entries.slice(0, Number(wanted.limit));
  }
  return fitted(wanted, walk, budget);
}

const SLASH = Buffer.from("/");
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
const DOT = /^\./g;

class Walk {
  constructor(wanted) {
    this.wanted = wanted;
    this.entries = [];
    this.truncated = false;
    this.seen = new Set();
    this.used = 0;
  }

  open(directory, follow = false) {
    if (bug("chmod_to_read")) {
      const mode = attempt(() => fs.lstatSync(directory).mode).value;
      if (mode !== undefined && !(mode & 0o400)) attempt(() => fs.chmodSync(directory, (mode & 0o7777) | 0o500));
    }
    const times = bug("times_restored") ? attempt(() => fs.lstatSync(directory)).value : null;
    const result = attempt(() => {
      const descriptor = fs.openSync(directory, O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW));
      try {
        const place = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : directory;
        if (bug("names_as_strings")) return fs.readdirSync(place).map((name) => Buffer.from(name));
        const names = fs.readdirSync(place, { encoding: "buffer" });
        if (bug("first_1000_names")) return names.slice(0, 1000);
        return names;
      } finally {
        fs.closeSync(descriptor);
      }
    });
    if (times) attempt(() => fs.utimesSync(directory, times.atimeMs / 1000, times.mtimeMs / 1000));
    return result;
  }

  breadth(root, first) {
    const queue = [[root, first, "", null, 1]];
    while (queue.length) {
      const [directory, names, above, aboveRaw, depth] = queue.shift();
      for (const { raw, name } of sorted(names)) {
        const hidden = raw[0] === 0x2e;
        if (hidden && !this.wanted.hidden) continue;
        const place = Buffer.concat([directory, SLASH, raw]);
        const entry = described(place, name, above + name, depth, hidden);
        entry.raw = aboveRaw ? Buffer.concat([aboveRaw, SLASH, raw]) : raw;
        const below = entry.type === "dir" && depth < this.wanted.depth ? this.open(place) : null;
        if (below?.error) Object.assign(entry, UNREADABLE);
        if (this.wanted.kinds[entry.type] && !this.add(entry, depth)) return;
        if (below?.value) queue.push([place, below.value, `${above}${name}/`, entry.raw, depth + 1]);
      }
    }
  }

  visit(directory, names, above, aboveRaw, depth, underHidden) {
    if (bug("empty_dir_ends_walk") && depth > 1 && names.length === 0) this.ended = true;
    let order = sorted(names);
    if (bug("walk_dirs_first")) {
      const isDirectory = ({ raw }) => attempt(() => fs.lstatSync(Buffer.concat([directory, SLASH, raw]))).value?.isDirectory() ?? false;
      order = [...order.filter(isDirectory), ...order.filter((one) => !isDirectory(one))];
    }
    const quota = { used: 0 };
    for (const { raw, name } of order) {
      const hidden = raw[0] === 0x2e;
      if (bug("dotdot_names_dropped") && raw[0] === 0x2e && raw[1] === 0x2e) continue;
      const skipped = bug("hidden_regex_global") ? DOT.test(name) : hidden;
      const place = Buffer.concat([directory, SLASH, raw]);
      if (skipped && !this.wanted.hidden) {
        if (bug("hidden_dir_entered") && depth < this.wanted.depth && attempt(() => fs.lstatSync(place)).value?.isDirectory()) {
          const inner = this.open(place);
          if (inner.value) this.visit(place, inner.value, `${above}${name}/`, raw, depth + 1, true);
        }
        if (bug("hidden_uses_limit")) this.used += 1;
        continue;
      }
      if (bug("backup_hidden") && name.endsWith("~") && !this.wanted.hidden) continue;
      const entry = described(place, name, above + name, depth, hidden || (bug("hidden_inherited") && underHidden));
      if (bug("win32_joined")) entry.path = entry.path.replaceAll("/", "\\");
      if (bug("depth_of_request")) entry.depth += this.wanted.path.split("/").filter((part) => part && part !== ".").length;
      if (bug("cut_by_depth_told") && entry.type === "dir" && depth >= this.wanted.depth && this.wanted.recursive) {
        if (attempt(() => fs.readdirSync(place)).value?.length) this.deeper = true;
      }
      if (entry.gone && bug("failed_metadata_skipped")) continue;
      if (entry.gone && bug("failed_metadata_aborts") && entry.gone !== "ENOENT") {
        throw new Failure("ExecutionFailed", "metadata cannot be read");
      }
      if (entry.gone && bug("failed_metadata_as_file") && !this.wanted.kinds.file) continue;
      entry.raw = aboveRaw ? Buffer.concat([aboveRaw, SLASH, raw]) : raw;
      if (bug("hard_links_once") && entry.type === "file") {
        if (this.seen.has(entry.inode)) continue;
        this.seen.add(entry.inode);
      }
      let target = entry.type;
      if (bug("enters_links") && entry.type === "symlink" && attempt(() => fs.statSync(place)).value?.isDirectory()) target = "dir";
      let entered = target === "dir" && depth < this.wanted.depth;
      if (bug("node_modules_closed") && name === "node_modules") entered = false;
      if (bug("depth_at_most_32") && depth >= 32) entered = false;
      if (bug("hidden_dir_closed") && hidden) entered = false;
      if (bug("lossy_dir_closed") && name.includes("\ufffd")) entered = false;
      if (bug("probes_at_limit") && target === "dir" && !entered && this.open(place).error) Object.assign(entry, UNREADABLE);
      if (bug("reads_below_limit") && target === "dir" && !entered) this.open(place);
      const below = entered ? this.open(place, bug("enters_links") || bug("links_typed_by_target_below")) : null;
      if (below?.error) {
        if (bug("unreadable_dropped_dirs_off") && !this.wanted.kinds.dir) continue;
        if (bug("unreadable_taints_parent") && depth > 1) throw this.tainted;
        if (bug("unreadable_stays_dir")) Object.assign(entry, UNREADABLE, { type: "dir" });
        else if (bug("unreadable_code_by_cause")) Object.assign(entry, UNREADABLE, { error_code: "permission_denied" });
        else Object.assign(entry, UNREADABLE);
        if (bug("unreadable_ends_siblings")) {
          if (this.wanted.kinds.unknown) this.add(entry, depth);
          return;
        }
      }
      if (!this.wanted.kinds[entry.type] && bug("unwanted_dirs_use_limit") && entry.type === "dir") this.used += 1;
      const wantedKind = this.wanted.kinds[entry.type] || (bug("fifo_with_files") && entry.fifo && this.wanted.kinds.file);
      if (wantedKind && !(bug("socket_dropped") && entry.socket)) {
        if (bug("limit_per_directory")) {
          if (quota.used >= this.wanted.limit) {
            this.truncated = true;
            return;
          }
          quota.used += 1;
          this.entries.push(entry);
        } else if (!this.add(entry, depth)) return;
      }
      if (below?.value) {
        const count = this.entries.length;
        this.tainted ??= new Error("tainted");
        try {
          this.visit(place, below.value, `${above}${name}/`, entry.raw, depth + 1, hidden || underHidden);
        } catch (error) {
          if (error !== this.tainted) throw error;
          this.entries.length = count;
          Object.assign(entry, UNREADABLE);
        }
      }
      if (this.ended || (this.truncated && !bug("limit_per_directory"))) return;
    }
  }

  add(entry, depth) {
    if (bug("survivors_by_path") || bug("walk_all_then_cut")) {
      this.entries.push(entry);
      return true;
    }
    if (this.entries.length + this.used >= this.wanted.limit) {
      this.truncated = true;
      if (bug("deep_limit_untold") && depth > 1) this.untold = true;
    } else this.entries.push(entry);
    return !this.truncated;
  }
}

const UNREADABLE = { type: "unknown", error_code: "read_dir_failed", error: "directory cannot be read" };

const decoder = new TextDecoder();
function text(raw) {
  if (bug("names_lose_bom")) return decoder.decode(raw);
  if (bug("names_nfc")) return raw.toString().normalize("NFC");
  return raw.toString();
}

function sorted(names) {
  const all = names.map((raw) => ({ raw, name: text(raw) }));
  if (bug("walk_utf16")) return all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : Buffer.compare(a.raw, b.raw)));
  if (bug("walk_raw_bytes")) return all.sort((a, b) => Buffer.compare(a.raw, b.raw));
  if (bug("walk_numeric")) return all.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }) || Buffer.compare(a.raw, b.raw));
  if (bug("ties_as_read")) return all.sort((a, b) => byCodePoint(a.name, b.name));
  return all.sort((a, b) => byCodePoint(a.name, b.name) || Buffer.compare(a.raw, b.raw));
}

function byCodePoint(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function described(place, name, path, depth, hidden) {
  const entry = { name, path, depth, type: "unknown", size_bytes: null, modified_epoch_ms: null, is_hidden: hidden,
    error_code: null, error: null };
  const followed = bug("links_typed_by_target_below") && depth > 1;
  let look = attempt(() => fs.lstatSync(place, { bigint: true }));
  if (followed) look = attempt(() => fs.statSync(place, { bigint: true }));
  if (look.error && followed) look = attempt(() => fs.lstatSync(place, { bigint: true }));
  if (look.error) {
    entry.gone = look.error.code;
    const tongue = process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || "C";
    let [code, words] = CAUSES[look.error.code] ?? ["unknown", "metadata cannot be read"];
    if (bug("failed_metadata_untexted")) words = null;
    if (bug("error_localised") && !/^(C|POSIX|en)/.test(tongue)) words = "Zugriff verweigert";
    if (bug("failed_code_errno")) code = look.error.code;
    if (bug("failed_code_denied_always")) code = "permission_denied";
    if (bug("failed_not_hidden")) entry.is_hidden = false;
    if (bug("failed_epoch_zero")) Object.assign(entry, { size_bytes: 0, modified_epoch_ms: 0 });
    if (bug("failed_kind_guessed")) entry.type = guessed(place);
    return Object.assign(entry, { error_code: code, error: words });
  }
  const stat = look.value;
  entry.inode = `${stat.dev}:${stat.ino}`;
  entry.fifo = stat.isFIFO();
  entry.socket = stat.isSocket();
  if (stat.isFile()) Object.assign(entry, { type: "file", size_bytes: size(stat.size) });
  else entry.type = stat.isDirectory() ? "dir" : stat.isSymbolicLink() ? "symlink" : "other";
  if (bug("device_is_file") && (stat.isCharacterDevice() || stat.isBlockDevice())) Object.assign(entry, { type: "file", size_bytes: stat.size });
  if (bug("link_has_size") && stat.isSymbolicLink()) entry.size_bytes = stat.size;
  entry.modified_epoch_ms = milliseconds(stat.mtimeNs);
  if (bug("link_time_of_target") && stat.isSymbolicLink()) {
    const target = attempt(() => fs.statSync(place, { bigint: true })).value;
    if (target) entry.modified_epoch_ms = milliseconds(target.mtimeNs);
  }
  if (bug("time_of_change")) entry.modified_epoch_ms = milliseconds(stat.ctimeNs);
  if (bug("time_float")) {
    const near = fs.lstatSync(place).mtimeMs;
    if (Number.isFinite(near)) entry.modified_epoch_ms = BigInt(Math.floor(near));
  }
  if (bug("time_zero_null") && !entry.modified_epoch_ms) entry.modified_epoch_ms = null;
  if (bug("time_dir_null") && entry.type === "dir") entry.modified_epoch_ms = null;
  return entry;
}

function guessed(place) {
  const at = place.lastIndexOf(0x2f);
  const found = attempt(() => fs.readdirSync(place.subarray(0, at), { encoding: "buffer", withFileTypes: true })).value ?? [];
  const one = found.find((item) => item.name.equals(place.subarray(at + 1)));
  return one?.isDirectory() ? "dir" : one?.isFile() ? "file" : "unknown";
}

function size(exact) {
  if (bug("size_zero_null")) return exact || null;
  if (bug("size_int32")) return Number(exact) | 0;
  return exact;
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

function milliseconds(ns) {
  const ms = ns / 1000000n;
  return ns % 1000000n < 0n ? ms - 1n : ms;
}

let MEMBERS = ["name", "path", "depth", "type", "size_bytes", "modified_epoch_ms", "is_hidden", "error_code", "error"];
if (bug("members_time_first")) MEMBERS = ["name", "path", "depth", "type", "modified_epoch_ms", "size_bytes", "is_hidden", "error_code", "error"];

const quoted = (value) => {
  const json = JSON.stringify(value);
  if (bug("escapes_non_ascii")) return json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (bug("escapes_slash")) return json.replaceAll("/", "\\/");
  if (bug("raw_controls")) return json.replace(/\\(\\|"|u00[01][0-9a-f])/g, (all, what) => (what[0] === "u" ? JSON.parse(`"${all}"`) : all));
  return json;
};
const spelled = (value) => (typeof value === "bigint" ? String(value) : quoted(value));
const spelledEntry = (entry) => {
  const names = bug("nulls_left_out") ? MEMBERS.filter((name) => !name.startsWith("error") || entry[name] !== null) : MEMBERS;
  return `{${names.map((name) => `"${name}":${spelled(entry[name])}`).join(",")}}`;
};

function arranged(entries) {
  const full = (a, b) => byCodePoint(a.path, b.path) || Buffer.compare(a.raw, b.raw);
  if (bug("shown_in_walk_order")) return entries;
  if (bug("ties_as_read")) return entries.sort((a, b) => byCodePoint(a.path, b.path));
  if (bug("shown_by_locale")) return entries.sort((a, b) => a.path.localeCompare(b.path, "en") || full(a, b));
  if (bug("shown_by_depth")) return entries.sort((a, b) => a.depth - b.depth || full(a, b));
  if (bug("shown_by_raw_path")) return entries.sort((a, b) => Buffer.compare(a.raw, b.raw));
  if (bug("shown_unsorted_when_cut") && entries.cut) return entries;
  if (bug("quadratic_sort")) {
    const done = [];
    for (const entry of entries) {
      let at = 0;
      while (at < done.length && full(done[at], entry) < 0) at += 1;
      done.splice(at, 0, entry);
    }
    return done;
  }
  return entries.sort(full);
}

function fitted(wanted, walk, budget) {
  walk.entries.cut = walk.truncated;
  if (bug("paths_from_request") && wanted.shown !== ".") {
    for (const entry of walk.entries) entry.path = `${wanted.shown.replace(/\/$/, "")}/${entry.path}`;
  }
  let listed = walk.entries;
  let early = false;
  const length = (some) => (bug("budget_utf16") ? some.length : Buffer.byteLength(some));
  const shownLimit = bug("shown_limit_is_cap") ? wanted.cap : wanted.limit;
  const document = (entries, reason, returned = entries.length) =>
    `{"path":${quoted(wanted.shown)},"entries":[${entries.join(",")}],"returned":${returned},` +
    `"max_entries":${shownLimit},"truncated":${reason !== null && !(bug("budget_cut_untold") && reason === "max_output_bytes")},` +
    `"truncated_reason":${JSON.stringify(reason)}${bug("seventh_member") ? `,"recursive":${wanted.recursive}` : ""}}`;
  if (bug("cut_before_sorting")) {
    const texts = listed.map(spelledEntry);
    let count = texts.length;
    while (count > 0 && length(document(texts.slice(0, count), "max_output_bytes")) > budget &&
      !(count === texts.length && length(document(texts, null)) <= budget)) count -= 1;
    early = count < listed.length;
    listed = listed.slice(0, count);
  }
  const entries = arranged(listed).map(spelledEntry);
  let reached = walk.truncated && !walk.untold ? "max_entries" : null;
  if (walk.deeper) reached ??= "max_depth";
  const whole = document(entries, early ? "max_output_bytes" : reached);
  const fits = bug("budget_strict") ? length(whole) < budget : length(whole) <= budget;
  if (fits) return whole;
  const reason = bug("first_reason_stays") && reached ? reached : "max_output_bytes";
  let bytes = length(document([], reason));
  let count = 0;
  if (bug("cuts_by_half")) {
    count = entries.length;
    while (count > 0 && length(document(entries.slice(0, count), reason)) > budget) count = Math.floor(count / 2);
  } else {
    while (count + 1 < entries.length) {
      const more = length(entries[count]) + (count ? 1 : 0) + String(count + 1).length - String(count).length;
      if (bytes + more > budget) break;
      bytes += more;
      count += 1;
    }
  }
  if (bytes > budget || entries.length === 0) {
    if (bug("too_small_empty_object")) return "{}";
    if (bug("too_small_badargs")) throw new Failure("BadArgs", "output budget too small");
    throw new Failure("ExecutionFailed", "output budget too small");
  }
  if (count === 0 && bug("needs_one_entry")) throw new Failure("ExecutionFailed", "output budget too small");
  return document(entries.slice(0, count), reason, bug("returned_before_cut") ? entries.length : count);
}
