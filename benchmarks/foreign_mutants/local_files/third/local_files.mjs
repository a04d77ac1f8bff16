// The LocalFiles tools, version 2: listDirectory and findFiles.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { bug, family } from "./bug.mjs";
import { compile, GlobError } from "./glob.mjs";

export class Failure extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const KINDS = ["DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry"];
const CHUNK = 3000;
const memory = new Map(); // nothing is kept here but by bugs

// ---- long paths: a directory is opened piece by piece, and its entries are reached below it ----

function openDirectory(full) {
  const flags = fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NONBLOCK;
  if (full.length <= CHUNK) return fs.openSync(full, flags);
  let rest = full;
  let fd = -1;
  while (rest.length) {
    let cut = rest.length <= CHUNK ? rest.length : rest.lastIndexOf("/", CHUNK);
    if (cut <= 0) cut = rest.length;
    const piece = rest.subarray(0, cut);
    const from = fd < 0 ? piece : Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), piece]);
    let next;
    try {
      next = fs.openSync(from, flags);
    } finally {
      if (fd >= 0) fs.closeSync(fd);
    }
    fd = next;
    rest = rest.subarray(cut + 1);
  }
  return fd;
}

const below = (fd, name) => Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]);
const child = (full, name) =>
  Buffer.concat(full.length === 1 && full[0] === 47 ? [full, name] : [full, Buffer.from("/"), name]);
const text = (bytes) => bytes.toString("utf8");

/** The raw names of an open directory and the metadata of each. */
function children(fd, full, options = {}) {
  let names = fs.readdirSync(`/proc/self/fd/${fd}`, { encoding: "buffer" });
  if (family("sort_", "find_closed_stops", "find_dangling_rest", "find_loop_stops", "find_ancestor_stops")) names = unordered(fd);
  if (bug("list_utf8_names")) names = names.map((name) => Buffer.from(text(name)));
  if (bug("list_first_1000")) names = names.slice(0, 1000);
  const found = [];
  for (const name of names) {
    const place = below(fd, name);
    try {
      found.push({ name, full: child(full, name), place, stat: fs.lstatSync(place, { bigint: true }) });
    } catch (error) {
      if (error.code === "ENOENT") continue;
      if (bug("err_metadata_skipped") && error.code === "EACCES") continue;
      throw error;
    }
  }
  if (options.raw) return found;
  if (options.searching && (bug("list_nested_single") || bug("list_self"))) return found;
  return filtered(found, fd, full);
}

/** The names in the order of the file system; readdirSync sorts them by their bytes. */
function unordered(fd) {
  const directory = fs.opendirSync(`/proc/self/fd/${fd}`, { encoding: "buffer" });
  const names = [];
  try {
    for (let each; (each = directory.readSync()); ) names.push(Buffer.from(each.name));
  } finally {
    directory.closeSync();
  }
  return names;
}

function filtered(found, fd, full) {
  const named = (test) => found.filter(({ name }) => test(text(name)));
  if (bug("list_hidden")) return named((n) => !n.startsWith("."));
  if (bug("list_hidden_dirs")) return found.filter(({ name, stat }) => !(stat.isDirectory() && name[0] === 46));
  if (bug("list_hidden_links")) return found.filter(({ name, stat }) => !(stat.isSymbolicLink() && name[0] === 46));
  if (bug("list_git")) return named((n) => n !== ".git");
  if (bug("list_junk")) return named((n) => !/^(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(n));
  if (bug("list_backups")) return named((n) => !/(~|\.swp|\.bak|\.tmp)$/.test(n));
  if (bug("list_two_dots")) return named((n) => !n.startsWith(".."));
  if (bug("list_three_dots")) return named((n) => !/^\.+$/.test(n));
  if (bug("list_gitignored")) {
    const entry = found.find(({ name }) => text(name) === ".gitignore");
    if (!entry) return found;
    let lines = [];
    try { lines = fs.readFileSync(entry.place, "utf8").split("\n"); } catch { return found; }
    return named((n) => !lines.includes(n) && !lines.includes(`${n}/`));
  }
  if (bug("list_proto")) {
    const byName = {};
    for (const entry of found) byName[text(entry.name)] = entry;
    return Object.values(byName);
  }
  if (bug("list_constructor")) {
    const seen = {};
    return found.filter(({ name }) => {
      const key = text(name);
      if (seen[key]) return false;
      return (seen[key] = true);
    });
  }
  if (bug("list_case_merged")) return [...new Map(found.map((e) => [text(e.name).toLowerCase(), e])).values()];
  if (bug("list_decoded_merged")) return [...new Map(found.map((e) => [text(e.name), e])).values()];
  if (bug("list_hard_links")) {
    const seen = new Set();
    return found.filter(({ stat }) => {
      if (stat.isDirectory()) return true;
      const key = `${stat.dev}:${stat.ino}`;
      return !seen.has(key) && seen.add(key);
    });
  }
  if (bug("list_newline")) return named((n) => !n.includes("\n"));
  if (bug("list_hyphen")) return named((n) => !n.startsWith("-"));
  if (bug("list_tilde_home")) return named((n) => !n.startsWith("~"));
  if (bug("list_unreadable")) return found.filter(({ place, stat }) => stat.isSymbolicLink() || allowed(place));
  if (bug("list_fifo_gone")) return found.filter(({ stat }) => !stat.isFIFO());
  if (bug("list_loop_gone")) {
    return found.filter(({ place, stat }) => {
      if (!stat.isSymbolicLink()) return true;
      try { fs.statSync(place); return true; } catch (error) { return error.code !== "ELOOP"; }
    });
  }
  if (bug("list_dangling_gone")) {
    return found.filter(({ place, stat }) => !stat.isSymbolicLink() || fs.existsSync(place) || text(fs.readlinkSync(place, "buffer")).startsWith("/"));
  }
  if (bug("list_outside_links")) {
    return found.filter(({ place, stat }) => {
      if (!stat.isSymbolicLink()) return true;
      try { return fs.realpathSync(place).startsWith(text(full)); } catch { return true; }
    });
  }
  if (bug("list_empty_name_dirs")) {
    return found.filter(({ place, stat }) => !stat.isDirectory() || !empty(place));
  }
  if (bug("list_twice_link_dir")) {
    return found.flatMap((e) => (e.stat.isSymbolicLink() && isDirectory(e.place) ? [e, { ...e, as: "DirectoryEntry" }] : [e]));
  }
  if (bug("list_self")) {
    return [{ name: Buffer.from("."), full, place: Buffer.from(`/proc/self/fd/${fd}/.`), stat: fs.fstatSync(fd, { bigint: true }) }, ...found];
  }
  if (bug("list_parent")) {
    return [{ name: Buffer.from(".."), full: Buffer.from(path.dirname(text(full))), place: below(fd, Buffer.from("..")), stat: fs.statSync(below(fd, Buffer.from("..")), { bigint: true }) }, ...found];
  }
  if (bug("list_nested_single") && found.length === 1 && found[0].stat.isDirectory()) {
    const inner = openDirectory(found[0].full);
    try { return [...found, ...children(inner, found[0].full, { raw: true })]; } finally { fs.closeSync(inner); }
  }
  return found;
}

const allowed = (place) => { try { fs.accessSync(place, fs.constants.R_OK); return true; } catch { return false; } };
const empty = (place) => { try { return fs.readdirSync(place).length === 0; } catch { return false; } };
const isDirectory = (place) => { try { return fs.statSync(place).isDirectory(); } catch { return false; } };

// ---- the entries ----

function kindOf(found) {
  const { stat, place } = found;
  if (found.as) return found.as;
  if (stat.isSymbolicLink()) {
    if (bug("type_link_dir")) return isDirectory(place) ? "DirectoryEntry" : "SymbolicLinkEntry";
    const target = text(fs.readlinkSync(place, "buffer"));
    if (bug("type_link_slash") && target.endsWith("/")) return "DirectoryEntry";
    if (bug("type_link_dangling") && !fs.existsSync(place)) return "OtherEntry";
    if (bug("type_link_loop")) {
      try { fs.statSync(place); } catch (error) { if (error.code === "ELOOP") return "OtherEntry"; }
    }
    if (bug("type_link_special")) {
      try { const to = fs.statSync(place); if (!to.isFile() && !to.isDirectory()) return "OtherEntry"; } catch { /* a link */ }
    }
    if (bug("type_link_empty")) {
      try { const to = fs.statSync(place); if (to.isFile() && to.size === 0) return "FileEntry"; } catch { /* a link */ }
    }
    return "SymbolicLinkEntry";
  }
  if (bug("type_bits")) {
    const mode = Number(stat.mode);
    if (mode & 0o040000) return "DirectoryEntry";
    return mode & 0o100000 ? "FileEntry" : "OtherEntry";
  }
  if (stat.isDirectory()) {
    if (bug("type_dir_closed") && !allowed(place)) return "OtherEntry";
    return "DirectoryEntry";
  }
  if (stat.isFile()) {
    if (bug("type_file_closed") && !allowed(place)) return "OtherEntry";
    return "FileEntry";
  }
  if (bug("type_socket_file") && stat.isSocket()) return "FileEntry";
  if (bug("type_device_file") && (stat.isCharacterDevice() || stat.isBlockDevice())) return "FileEntry";
  if (bug("type_fifo_word") && stat.isFIFO()) return "FifoEntry";
  if (bug("type_device_word") && stat.isCharacterDevice()) return "DeviceEntry";
  return "OtherEntry";
}

function entryOf(found, requested, searching) {
  let { stat } = found;
  if (searching && bug("find_stat_followed") && stat.isSymbolicLink()) {
    try { stat = fs.statSync(found.place, { bigint: true }); } catch { /* dangling */ }
  }
  const kind = kindOf({ ...found, stat });
  const entry = { "@type": kind, name: nameOf(found, requested, searching), path: pathOf(found, requested, searching),
    size: sizeOf(found, kind, stat), lastModified: timeOf(found, kind, stat) };
  if (kind === "SymbolicLinkEntry") entry.target = targetOf(found, requested, searching);
  return members(entry, found, kind, stat, requested, searching);
}

function members(entry, found, kind, stat, requested, searching) {
  if (bug("model_extension") && kind === "FileEntry" && entry.name.lastIndexOf(".") > 0) entry.extension = path.extname(entry.name);
  if (bug("model_executable") && kind === "FileEntry" && stat.mode & 0o111n) entry.executable = true;
  if (bug("model_hidden") && entry.name.startsWith(".")) entry.hidden = true;
  if (bug("model_links") && kind === "FileEntry" && stat.nlink > 1n) entry.links = Number(stat.nlink);
  if (bug("model_target_null") && kind !== "SymbolicLinkEntry") entry.target = null;
  if (bug("model_readonly") && kind !== "SymbolicLinkEntry" && !(stat.mode & 0o200n)) entry.readOnly = true;
  if (bug("model_empty_dir") && kind === "DirectoryEntry" && empty(found.place)) entry.empty = true;
  if (bug("model_size_zero") && entry.size === 0n) delete entry.size;
  if (bug("model_time_zero") && entry.lastModified === 0n) delete entry.lastModified;
  if (bug("model_target_dangling") && kind === "SymbolicLinkEntry" && !fs.existsSync(found.place)) delete entry.target;
  if (bug("model_dir_size") && kind === "DirectoryEntry") delete entry.size;
  if (bug("model_other_bare") && kind === "OtherEntry") { delete entry.size; delete entry.lastModified; }
  if (searching && bug("find_no_time")) delete entry.lastModified;
  if (searching && bug("find_depth_member")) entry.depth = found.relative.split("/").length;
  if (searching && bug("find_type_member")) { entry.type = entry["@type"]; delete entry["@type"]; }
  if (searching && bug("find_no_target")) delete entry.target;
  if (searching && bug("find_dir_size") && kind === "DirectoryEntry") entry.size = 0n;
  return entry;
}

function nameOf(found, requested, searching) {
  let name = text(found.name);
  if (searching && bug("find_name_relative")) return found.relative;
  if (bug("name_win32")) return path.win32.basename(name);
  if (bug("name_no_dot") && name.startsWith(".")) return name.slice(1);
  if (bug("name_stem_link") && found.stat.isSymbolicLink()) return path.parse(name).name;
  if (bug("name_slash_dir") && found.stat.isDirectory()) return `${name}/`;
  if (bug("name_trim")) return name.trim();
  if (bug("name_nfc")) return name.normalize("NFC");
  if (bug("name_decoded")) { try { return decodeURIComponent(name); } catch { return name; } }
  if (bug("name_latin1")) return found.name.toString("latin1");
  if (bug("name_control")) return name.replace(/[\u0000-\u001f\u007f]/g, "?");
  if (bug("name_escaped")) return JSON.stringify(name).slice(1, -1);
  if (bug("name_100")) return name.length > 100 ? name.slice(0, 100) : name;
  if (bug("name_html")) return name.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  if (bug("name_link_target") && found.stat.isSymbolicLink()) return path.basename(text(fs.readlinkSync(found.place, "buffer")));
  if (bug("name_astral")) return name.replace(/[\ud800-\udfff]/g, "\ufffd");
  if (bug("name_backtick_date") && /^\d+$/.test(name)) return Number(name);
  if (bug("name_colon")) return name.split(":")[0] || name;
  if (bug("name_bom")) return name.replace(/^\ufeff/, "");
  if (bug("name_bidi")) return name.replace(/[\u200b-\u200f\u202a-\u202e\u2060]/g, "");
  return name;
}

function pathOf(found, requested, searching) {
  const full = text(found.full);
  const name = text(found.name);
  if (searching && bug("find_path_flat")) return `${requested === "/" ? "" : requested}/${name}`;
  if (searching && bug("find_path_relative")) return found.relative;
  if (bug("path_real_link") && found.stat.isSymbolicLink()) { try { return fs.realpathSync(found.place); } catch { return full; } }
  if (bug("path_slash_dir") && found.stat.isDirectory()) return `${full}/`;
  if (bug("path_of_directory")) return requested;
  if (bug("path_url")) return new URL(`file://${full}`).pathname;
  if (bug("path_url_cut")) { try { return decodeURI(new URL(`file://${full}`).pathname); } catch { return full; } }
  if (bug("path_nfc")) return full.normalize("NFC");
  if (bug("path_shell")) return full.replace(/([ '"$`\\])/g, "\\$1");
  if (bug("path_backslash")) return full.replace(/\\/g, "/");
  if (bug("path_dots_name")) return path.normalize(full.replace(/\.\.\./g, ".."));
  if (bug("path_root_missing") && full.startsWith("/")) return full.slice(1);
  if (bug("path_working")) return path.relative(memory.get("working_dir") ?? "/", full) || ".";
  if (bug("path_255")) return full.length > 255 ? full.slice(0, 255) : full;
  if (bug("path_link_parent") && found.stat.isSymbolicLink()) {
    const target = text(fs.readlinkSync(found.place, "buffer"));
    return target.startsWith("/") ? full : path.resolve(path.dirname(full), target);
  }
  if (bug("path_trim_end")) return full.trimEnd();
  if (bug("path_lower")) return path.join(path.dirname(full), name.toLowerCase());
  if (bug("path_latin1")) return found.full.toString("latin1");
  return full;
}

function sizeOf(found, kind, stat) {
  const size = stat.size;
  if (kind === "DirectoryEntry") {
    if (bug("size_dir_content") ) {
      try { return fs.readdirSync(found.place).reduce((sum, n) => sum + fs.lstatSync(path.join(text(found.full), n), { bigint: true }).size, 0n); } catch { return size; }
    }
    if (bug("size_dir_zero")) return 0n;
    if (bug("size_dir_count")) { try { return BigInt(fs.readdirSync(found.place).length); } catch { return size; } }
    if (bug("size_dir_4096")) return 4096n;
    if (bug("size_dir_null")) return null;
    if (bug("size_dir_closed") && !allowed(found.place)) return 0n;
  }
  if (kind === "FileEntry") {
    if (bug("size_blocks")) return stat.blocks * 512n;
    if (bug("size_sparse") && stat.blocks === 0n) return 0n;
    if (bug("size_32")) return BigInt(Number(size) | 0);
    if (bug("size_text") && size > 0x7fffffffn) return String(size);
    if (bug("size_capped") && size > 0x7fffffffn) return 0x7fffffffn;
    if (bug("size_mib") && size >= 1048576n) return (size / 1024n) * 1024n;
    if (bug("size_chars") && size < 65536n) { try { return BigInt(fs.readFileSync(found.place, "utf8").length); } catch { return size; } }
    if (bug("size_crlf") && size < 65536n) { try { return BigInt(fs.readFileSync(found.place, "latin1").replace(/\r\n/g, "\n").length); } catch { return size; } }
    if (bug("size_hard_links") && stat.nlink > 1n) return size / stat.nlink;
    if (bug("size_closed") && !allowed(found.place)) return 0n;
    if (bug("size_double")) return BigInt(Number(size));
    if (bug("size_readable")) return size >= 1024n * 1024n ? `${(Number(size) / 1048576).toFixed(1)} MB` : size;
    if (bug("size_kept")) {
      const key = `size ${text(found.full)}`;
      if (!memory.has(key)) memory.set(key, size);
      return memory.get(key);
    }
  }
  if (kind === "SymbolicLinkEntry") {
    if (bug("size_link_chars")) return BigInt(text(fs.readlinkSync(found.place, "buffer")).length);
    if (bug("size_link_zero")) return 0n;
    if (bug("size_link_target")) { try { return fs.statSync(found.place, { bigint: true }).size; } catch { return size; } }
    if (bug("size_link_file_target")) { try { const to = fs.statSync(found.place, { bigint: true }); return to.isFile() ? to.size : size; } catch { return size; } }
    if (bug("size_link_absolute")) return BigInt(Buffer.byteLength(path.resolve(path.dirname(text(found.full)), text(fs.readlinkSync(found.place, "buffer")))));
    if (bug("size_link_dangling") && !fs.existsSync(found.place)) return -1n;
    if (bug("size_link_nul")) return size + 1n;
  }
  if (kind === "OtherEntry") {
    if (bug("size_other_null")) return null;
    if (bug("size_other_minus")) return -1n;
    if (bug("size_device_rdev") && stat.rdev) return stat.rdev;
  }
  return size;
}

const floorDiv = (a, b) => (a < 0n && a % b !== 0n ? a / b - 1n : a / b);

function timeOf(found, kind, stat) {
  const ns = stat.mtimeNs;
  const time = floorDiv(ns, 1000000n);
  const seconds = floorDiv(ns, 1000000000n);
  const ms = floorDiv(ns - seconds * 1000000000n, 1000000n);
  if (bug("time_seconds_dirs") && kind === "DirectoryEntry") return seconds;
  if (bug("time_float")) return Number(ns) / 1e6;
  if (bug("time_whole_seconds")) return seconds * 1000n;
  if (bug("time_ctime")) return floorDiv(stat.ctimeNs, 1000000n);
  if (bug("time_birth_dirs") && kind === "DirectoryEntry") return floorDiv(stat.birthtimeNs, 1000000n);
  if (bug("time_atime_files") && kind === "FileEntry") return floorDiv(stat.atimeNs, 1000000n);
  if (bug("time_latest_of_three")) return floorDiv([stat.mtimeNs, stat.ctimeNs, stat.atimeNs].reduce((a, b) => (a > b ? a : b)), 1000000n);
  if (bug("time_32")) return BigInt(Number(seconds) | 0) * 1000n + ms;
  if (bug("time_unsigned") && ns < 0n) return BigInt.asUintN(32, seconds) * 1000n + ms;
  if (bug("time_absolute") && ns < 0n) return -time;
  if (bug("time_negative_ms") && ns < 0n) return seconds * 1000n - ms;
  if (bug("time_unpadded")) return BigInt(`${seconds}${ms}`);
  if (bug("time_local")) return time - BigInt(new Date(Number(time)).getTimezoneOffset()) * 60000n;
  if (bug("time_future_now")) { const now = BigInt(Date.now()); return time > now ? now : time; }
  if (bug("time_1980") && seconds < 315532800n) return 315532800000n;
  if (bug("time_two_seconds")) return (seconds - (seconds % 2n)) * 1000n;
  if (bug("time_text_old") && seconds < 1000000000n) return String(time);
  if (bug("time_iso")) return kind === "OtherEntry" ? new Date(Number(time)).toISOString() : time;
  if (bug("time_nines") && ms === 999n) return time + 1n;
  if (bug("time_micro") && ns % 1000000n !== 0n) return ns / 1000n;
  if (kind === "DirectoryEntry") {
    if (bug("time_dir_newest")) {
      try {
        return fs.readdirSync(found.place).reduce((t, n) => {
          const other = floorDiv(fs.lstatSync(path.join(text(found.full), n), { bigint: true }).mtimeNs, 1000000n);
          return other > t ? other : t;
        }, time);
      } catch { return time; }
    }
    if (bug("time_dir_now")) return BigInt(Date.now());
    if (bug("time_dir_kept")) {
      const key = `time ${text(found.full)}`;
      if (!memory.has(key)) memory.set(key, time);
      return memory.get(key);
    }
    if (bug("time_dir_empty") && empty(found.place)) return 0n;
  }
  if (kind === "SymbolicLinkEntry") {
    if (bug("time_link_target")) { try { return floorDiv(fs.statSync(found.place, { bigint: true }).mtimeNs, 1000000n); } catch { return time; } }
    if (bug("time_link_dangling") && !fs.existsSync(found.place)) return 0n;
    if (bug("time_link_newer")) { try { const to = floorDiv(fs.statSync(found.place, { bigint: true }).mtimeNs, 1000000n); return to > time ? to : time; } catch { return time; } }
    if (bug("time_link_dir")) { try { const to = fs.statSync(found.place, { bigint: true }); return to.isDirectory() ? floorDiv(to.mtimeNs, 1000000n) : time; } catch { return time; } }
  }
  if (bug("time_other_zero") && kind === "OtherEntry") return 0n;
  return time;
}

function targetOf(found, requested, searching) {
  const raw = fs.readlinkSync(found.place, "buffer");
  const target = text(raw);
  const home = path.dirname(text(found.full));
  if (bug("target_final")) { try { return fs.realpathSync(found.place); } catch { return target; } }
  if (bug("target_basename_outside") && target.includes("../")) return path.basename(target);
  if (bug("target_empty_dangling") && !fs.existsSync(found.place)) return "";
  if (bug("target_null_loop")) { try { fs.statSync(found.place); } catch (error) { if (error.code === "ELOOP") return null; } return target; }
  if (bug("target_process")) return path.resolve(target);
  if (bug("target_working")) return path.resolve(memory.get("working_dir") ?? "/", target);
  if (searching && bug("find_target_root")) return path.resolve(requested, target);
  if (bug("target_grandparent")) return path.resolve(path.dirname(home), target);
  if (bug("target_through_link")) return path.resolve(text(found.full), target);
  if (bug("target_trim")) return target.trim();
  if (bug("target_255")) return target.length > 255 ? target.slice(0, 255) : target;
  if (bug("target_1023")) return target.length > 1023 ? target.slice(0, 1023) : target;
  if (bug("target_climb_lost")) return target.startsWith("/") ? target : path.join("/", target).slice(1) || ".";
  if (bug("target_backslash")) return target.replace(/\\/g, "/");
  if (bug("target_decoded")) { try { return decodeURIComponent(target); } catch { return target; } }
  if (bug("target_latin1")) return raw.toString("latin1");
  if (bug("target_nfc")) return target.normalize("NFC");
  if (bug("target_url")) return target.startsWith("/") ? new URL(`file://${target}`).pathname : target;
  if (bug("target_no_slash") && target.startsWith("/")) return target.slice(1);
  if (bug("target_newline")) return target.split("\n")[0];
  if (bug("target_tilde") && target.startsWith("~")) return path.join(os.homedir(), target.slice(1));
  if (bug("target_self_dot")) { try { return fs.realpathSync(found.place) === home ? home.slice(0, -1) || "/" : target; } catch { return target; } }
  if (bug("target_one_hop")) {
    const hop = path.resolve(home, target);
    try { return fs.readlinkSync(hop); } catch { return target; }
  }
  if (bug("target_kept")) {
    const key = `target ${text(found.full)}`;
    if (!memory.has(key)) memory.set(key, target);
    return memory.get(key);
  }
  return target;
}

// ---- the order: by kind, and by path in each kind ----

function sorted(entries, searching) {
  const rank = (e) => KINDS.indexOf(e["@type"] ?? e.type);
  const by = (key) => (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
  const path_ = by((e) => e.path ?? e.name);
  const kinds = (a, b) => rank(a) - rank(b);
  if (searching && bug("find_unsorted")) return entries;
  if (searching && bug("find_sorted_by_path")) return entries.sort(path_);
  if (bug("sort_name")) return entries.sort(path_);
  if (bug("sort_name_ci")) return entries.sort(by((e) => String(e.name).toLowerCase()));
  if (bug("sort_files_first")) return entries.sort((a, b) => [1, 0, 2, 3][rank(a)] - [1, 0, 2, 3][rank(b)] || path_(a, b));
  if (bug("sort_links_early")) return entries.sort((a, b) => [0, 2, 1, 3][rank(a)] - [0, 2, 1, 3][rank(b)] || path_(a, b));
  if (bug("sort_others_first")) return entries.sort((a, b) => [1, 2, 3, 0][rank(a)] - [1, 2, 3, 0][rank(b)] || path_(a, b));
  if (bug("sort_link_dirs")) {
    const early = (e) => (rank(e) === 2 && isDirectory(e.path) ? 0 : rank(e));
    return entries.sort((a, b) => early(a) - early(b) || path_(a, b));
  }
  if (bug("sort_hidden_first")) {
    const dot = (e) => (String(e.name).startsWith(".") ? 0 : 1);
    return entries.sort((a, b) => dot(a) - dot(b) || kinds(a, b) || path_(a, b));
  }
  if (bug("sort_size")) return entries.sort((a, b) => (a.size > b.size ? -1 : a.size < b.size ? 1 : path_(a, b)));
  if (bug("sort_newest")) return entries.sort((a, b) => (a.lastModified > b.lastModified ? -1 : a.lastModified < b.lastModified ? 1 : path_(a, b)));
  if (bug("sort_kind_only")) return entries.sort(kinds);
  if (bug("sort_boolean")) return entries.sort((a, b) => kinds(a, b) || (a.name > b.name ? 1 : 0)).sort((a, b) => kinds(a, b) || Number(a.name.length > b.name.length) * 0);
  if (bug("sort_ci_ties")) return entries.sort((a, b) => kinds(a, b) || by((e) => String(e.name).toLowerCase())(a, b));
  if (bug("sort_base_ties")) return entries.sort((a, b) => kinds(a, b) || String(a.name).localeCompare(b.name, "en", { sensitivity: "base" }));
  if (bug("sort_numeric_ties")) return entries.sort((a, b) => kinds(a, b) || String(a.name).localeCompare(b.name, "en", { numeric: true }));
  if (bug("sort_punctuation_ties")) return entries.sort((a, b) => kinds(a, b) || String(a.name).localeCompare(b.name, "en", { ignorePunctuation: true }));
  if (bug("sort_stem_ties")) return entries.sort((a, b) => kinds(a, b) || by((e) => path.parse(String(e.name)).name)(a, b));
  if (bug("sort_size_ties")) return entries.sort((a, b) => kinds(a, b) || (a.size > b.size ? -1 : a.size < b.size ? 1 : 0));
  if (bug("sort_ten")) return entries.sort((a, b) => kinds(a, b) || by((e) => String(e.name).slice(0, 10))(a, b));
  if (bug("sort_large") && entries.length > 500) return entries;
  if (bug("sort_dirs_only")) {
    const dirs = entries.filter((e) => rank(e) === 0).sort(path_);
    return [...dirs, ...entries.filter((e) => rank(e) !== 0).sort(path_)];
  }
  if (bug("sort_inode_order")) return entries.sort((a, b) => kinds(a, b) || inode(a) - inode(b));
  if (bug("sort_random_links")) return entries.sort((a, b) => kinds(a, b) || (rank(a) === 2 ? 0 : path_(a, b)));
  return entries.sort((a, b) => kinds(a, b) || path_(a, b));
}

const inode = (entry) => { try { return fs.lstatSync(entry.path).ino; } catch { return 0; } };

// ---- the tools ----

/** Return the absolute path that is asked for, without dots. */
function requestedPath(args, context) {
  if (args === null || typeof args !== "object" || Array.isArray(args)) {
    throw new Failure("BadArgs", "the arguments must be an object");
  }
  let given = Object.hasOwn(args, "path") ? args.path : undefined;
  if (bug("arg_path_number") && typeof given === "number") given = String(given);
  if (bug("arg_path_list") && Array.isArray(given)) given = String(given);
  if (bug("arg_path_null") && given === null) given = context.working_dir;
  if (bug("arg_path_default") && given === undefined) given = context.roots[0];
  if (bug("arg_path_false") && given === false) given = context.working_dir;
  if (typeof given !== "string") throw new Failure("BadArgs", "path must be a text");
  if (given.includes("\0")) {
    if (!bug("err_nul_cut")) throw new Failure("BadArgs", `path holds a NUL: ${JSON.stringify(given)}`);
    given = given.slice(0, given.indexOf("\0"));
  }
  if (bug("path_given_trim")) given = given.trim();
  if (bug("path_given_decoded")) { try { given = decodeURIComponent(given); } catch { /* as it is */ } }
  if (bug("path_given_backslash")) given = given.replace(/\\/g, "/");
  if (bug("path_given_env")) given = given.replace(/\$(\w+)/g, (all, name) => process.env[name] ?? "");
  if (bug("path_given_nfc")) given = given.normalize("NFC");
  if (bug("path_given_dots") && given.split("/").includes("..")) throw new Failure("SandboxViolation", `${given} has dots`);
  if (bug("path_given_slash") && given.length > 1 && given.endsWith("/")) throw new Failure("ExecutionFailed", `${given}: no such directory`);
  if (bug("path_given_root") && given === "/") throw new Failure("SandboxViolation", `${given} may not be listed`);
  if (bug("path_given_prefix") && !given.startsWith(context.roots[0])) throw new Failure("SandboxViolation", `${given} is outside`);
  if (bug("path_given_hidden") && /\/\.[^./]/.test(given)) throw new Failure("SandboxViolation", `${given} is hidden`);
  if (bug("path_given_double") && given.includes("//")) throw new Failure("BadArgs", `${given} is no path`);
  if (bug("path_given_long") && given.length > 1024) throw new Failure("BadArgs", `${given} is too long`);
  memory.set("working_dir", context.working_dir);
  return { given, full: path.resolve(context.working_dir, given) };
}

const REASONS = { ENOENT: "there is no such file or directory", ENOTDIR: "it is not a directory", EACCES: "permission denied",
  ELOOP: "its links go round in circles", ENAMETOOLONG: "the name is too long" };

function failed(error, given) {
  if (error instanceof Failure) return error;
  if (error instanceof GlobError) return new Failure("BadArgs", error.message);
  let shown = given;
  if (bug("msg_basename")) shown = path.basename(given);
  if (bug("msg_cut")) shown = given.length > 60 ? `${given.slice(0, 57)}...` : given;
  if (bug("msg_encoded")) shown = encodeURI(given);
  if (bug("msg_parent") && error.code === "ENOENT") shown = path.dirname(given);
  if (bug("msg_lower")) shown = given.toLowerCase();
  if (bug("msg_escaped")) shown = JSON.stringify(given).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const reason = REASONS[error.code] ?? error.code ?? error.message;
  if (bug("msg_bare")) return new Failure("ExecutionFailed", `cannot list: ${reason}`);
  if (bug("msg_bare_closed") && error.code === "EACCES") return new Failure("ExecutionFailed", reason);
  return new Failure("ExecutionFailed", `cannot list ${shown}: ${reason}`);
}

/** Open the directory that is asked for. What is no directory is an error. */
function opened(full, given) {
  const bytes = Buffer.from(full);
  if (bug("err_link_refused") && fs.lstatSync(bytes).isSymbolicLink()) throw Object.assign(new Error(), { code: "ENOTDIR" });
  if (bug("role_mkdir") && !fs.existsSync(bytes)) { try { fs.mkdirSync(bytes, { recursive: true }); } catch { /* fails below */ } }
  if (bug("role_chmod")) {
    const stat = fs.statSync(bytes);
    if (stat.isDirectory() && !allowed(bytes)) {
      fs.chmodSync(bytes, 0o700);
      const fd = openDirectory(bytes);
      fs.chmodSync(bytes, stat.mode & 0o7777);
      return fd;
    }
  }
  const fd = openDirectory(bytes);
  if (bug("role_times")) {
    const stat = fs.fstatSync(fd);
    fs.futimesSync(fd, stat.atimeMs / 1000, Math.floor(stat.mtimeMs) / 1000);
  }
  return fd;
}

/** What some bugs answer instead of an error. */
function swallowed(error, given, full) {
  const code = error.code;
  if (bug("err_missing_empty") && code === "ENOENT" && fs.existsSync(path.dirname(full))) return [];
  if (bug("err_missing_parent_empty") && code === "ENOENT" && !fs.existsSync(path.dirname(full))) return [];
  if (bug("err_file_empty") && code === "ENOTDIR") return [];
  if (bug("err_closed_empty") && code === "EACCES") return [];
  if (bug("err_loop_empty") && code === "ELOOP") return [];
  if (bug("err_long_empty") && code === "ENAMETOOLONG") return [];
  if (bug("err_dangling_empty") && code === "ENOENT" && isLink(full)) return [];
  if (bug("err_special_empty") && code === "ENOTDIR" && !isFile(full)) return [];
  if (bug("err_parent_listed") && code === "ENOENT" && fs.existsSync(path.dirname(full))) return listFull(path.dirname(full), given);
  if (bug("err_null") && code === "ENOENT") return null;
  if (bug("err_file_itself") && code === "ENOTDIR" && isFile(full)) {
    const bytes = Buffer.from(full);
    return [entryOf({ name: Buffer.from(path.basename(full)), full: bytes, place: bytes, stat: fs.lstatSync(bytes, { bigint: true }) }, full, false)];
  }
  if (bug("err_object") && code === "ENOTDIR") return [{ error: "not a directory", path: given }];
  throw error;
}

const isLink = (full) => { try { return fs.lstatSync(full).isSymbolicLink(); } catch { return false; } };
const isFile = (full) => { try { return fs.statSync(full).isFile(); } catch { return false; } };

function listFull(full, given) {
  const fd = opened(full, given);
  try {
    const found = children(fd, Buffer.from(full));
    if (bug("err_unsearchable_empty") && !found.length && !allowed(Buffer.from(full))) return [];
    const entries = found.map((each) => entryOf(each, full, false));
    traces(full, entries, found);
    return sorted(entries, false);
  } finally {
    fs.closeSync(fd);
  }
}

function traces(full, entries, found) {
  if (bug("role_index") && entries.length > 20) fs.writeFileSync(path.join(full, ".localfiles-index"), String(entries.length));
  if (bug("role_tidy")) {
    for (const { full: each, stat } of found) {
      if (stat.isSymbolicLink() && !fs.existsSync(each)) fs.unlinkSync(each);
    }
  }
  if (bug("role_read_files")) {
    for (const { full: each, stat } of found) {
      if (stat.isFile() && !stat.size && allowed(each)) fs.utimesSync(each, new Date(), Number(stat.mtimeMs) / 1000);
    }
  }
}

export function listDirectory(args, context) {
  const { given, full } = requestedPath(args, context);
  try {
    if (bug("state_list")) {
      const mtime = String(fs.statSync(full, { bigint: true }).mtimeNs);
      const key = `list ${full} ${mtime}`;
      if (!memory.has(key)) memory.set(key, listFull(full, given));
      return memory.get(key);
    }
    if (bug("state_list_short")) {
      const key = `short ${full}`;
      const now = Date.now();
      const old = memory.get(key);
      if (old && now - old.at < 2000) return old.entries;
      const entries = listFull(full, given);
      memory.set(key, { at: now, entries });
      return entries;
    }
    if (bug("state_error")) {
      if (memory.has(`error ${full}`)) throw memory.get(`error ${full}`);
    }
    const entries = listFull(full, given);
    if (bug("model_empty_null") && !entries.length) return null;
    if (bug("model_single") && entries.length === 1) return entries[0];
    if (bug("model_texts") && entries.length > 1000) return entries.map((e) => e.path);
    if (bug("model_map") && entries.length > 1 && new Set(entries.map((e) => e.name)).size === 2) return Object.fromEntries(entries.map((e) => [e.name, e]));
    if (bug("model_end_mark") && entries.length > 100) return [...entries.slice(0, 100), { "@type": "More", name: "...", path: full, size: 0, lastModified: 0 }];
    return entries;
  } catch (error) {
    if (bug("state_error") && error.code === "ENOENT") memory.set(`error ${full}`, error);
    try {
      return swallowed(error, given, full);
    } catch (left) {
      throw failed(left, given);
    }
  }
}

export function findFiles(args, context) {
  const { given, full } = requestedPath(args, context);
  let { recursive, glob } = args;
  if (bug("find_recursive_text") && typeof recursive === "string") recursive = true;
  if (typeof recursive !== "boolean") throw new Failure("BadArgs", "recursive must be true or false");
  if (bug("arg_glob_default") && glob === undefined) glob = "**";
  if (bug("arg_glob_null") && glob === null) glob = "**";
  if (bug("arg_glob_number") && typeof glob === "number") glob = String(glob);
  if (bug("arg_glob_list") && Array.isArray(glob)) glob = String(glob);
  if (bug("arg_glob_object") && glob !== null && typeof glob === "object" && !Array.isArray(glob)) glob = "*";
  if (bug("arg_glob_false") && glob === false) return [];
  if (typeof glob !== "string") {
    if (bug("arg_glob_nothing")) return [];
    throw new Failure("BadArgs", "glob must be a text");
  }
  if (bug("find_sticky") ) {
    if (recursive) memory.set("recursive", true);
    recursive = recursive || memory.get("recursive") === true;
  }
  if (bug("find_glob_wins") && glob.includes("**")) recursive = true;
  let matches;
  try {
    const key = `glob ${glob}`;
    if (bug("find_kept_result") && memory.has(key)) return memory.get(key);
    matches = compile(glob);
    const entries = search(full, recursive, matches, glob);
    if (bug("find_kept_result")) memory.set(key, entries);
    if (bug("find_nothing_null") && !entries.length) return null;
    if (bug("find_nothing_error") && !entries.length) throw new Failure("ExecutionFailed", `nothing below ${given} matches ${glob}`);
    if (bug("find_single") && entries.length === 1) return entries[0];
    return entries;
  } catch (error) {
    if (error instanceof GlobError && bug("err_glob_nothing")) return [];
    if (error instanceof GlobError && bug("err_glob_group_nothing") && glob.includes("{")) return [];
    if (bug("msg_find") && !(error instanceof Failure) && !(error instanceof GlobError)) throw new Failure("ExecutionFailed", "search failed");
    throw failed(error, given);
  }
}

function search(full, recursive, matches, glob) {
  const top = opened(full, full);
  fs.closeSync(top);
  const start = Buffer.from(full);
  const entries = [];
  const visited = bug("find_visited_kept") ? (memory.get("visited") ?? memory.set("visited", new Set()).get("visited")) : new Set();
  const waiting = [{ full: start, relative: "", depth: 0 }];
  let stop = false;
  if (bug("find_start_too") && recursive && matches("")) {
    entries.push(entryOf({ name: Buffer.from(path.basename(full)), full: start, place: start, stat: fs.lstatSync(start, { bigint: true }), relative: "" }, full, true));
  }
  while (waiting.length && !stop) {
    const directory = bug("find_deepest_first") ? waiting.pop() : waiting.shift();
    let fd;
    try {
      fd = openDirectory(directory.full);
    } catch (error) {
      if (directory.depth === 0) throw error;
      if (["EACCES", "ENOENT", "ENOTDIR", "ELOOP"].includes(error.code)) {
        if (bug("find_closed_stops")) break;
        continue;
      }
      throw error;
    }
    try {
      let found;
      try {
        found = children(fd, directory.full, { searching: true });
      } catch (error) {
        if (directory.depth > 0 && error.code === "EACCES") continue;
        throw error;
      }
      if (bug("find_first_in_directory")) found.sort((a, b) => Buffer.compare(a.name, b.name));
      let matched = 0;
      for (const each of found) {
        each.relative = directory.relative === "" ? text(each.name) : `${directory.relative}/${text(each.name)}`;
        let subject = each.relative;
        if (bug("find_root_name")) subject = `${path.basename(full)}/${subject}`;
        if (bug("find_name_only")) subject = text(each.name);
        if (bug("find_parent_path") && directory.depth > 1) subject = each.relative.split("/").slice(-2).join("/");
        if (bug("find_dir_slash") && each.stat.isDirectory()) subject += "/";
        let hit = matches(subject);
        if (bug("find_ext_case")) hit = hit || matches(subject.replace(/\.[A-Za-z]+$/, (e) => e.toLowerCase()));
        if (bug("find_not_hidden_file") && each.name[0] === 46 && directory.depth > 0) hit = false;
        if (bug("find_empty_files") && each.stat.isFile() && each.stat.size === 0n) hit = false;
        if (bug("find_broken_links_gone") && each.stat.isSymbolicLink() && !fs.existsSync(each.place)) hit = false;
        if (bug("find_closed_files") && each.stat.isFile() && !allowed(each.place)) hit = false;
        if (bug("find_unique_names") && hit) { if (visited.has(text(each.name))) hit = false; visited.add(text(each.name)); }
        if (bug("find_hard_links") && hit && each.stat.nlink > 1n && each.stat.isFile()) {
          if (visited.has(each.stat.ino)) hit = false;
          visited.add(each.stat.ino);
        }
        if (bug("find_one_per_directory") && matched > 0) hit = false;
        if (bug("find_limit_500") && entries.length >= 500) hit = false;
        if (bug("find_limit_100") && entries.length >= 100) hit = false;
        if (hit) {
          matched++;
          entries.push(entryOf(each, full, true));
          if (bug("find_twice") && glob.split("**").length > 2) entries.push(entryOf(each, full, true));
          if (bug("find_not_into_match") && each.stat.isDirectory()) continue;
        }
        if (each.stat.isSymbolicLink() && recursive) {
          if (bug("find_dangling_rest") && !fs.existsSync(each.place)) break;
          if (bug("find_loop_fails")) fs.statSync(each.place);
          if (bug("find_loop_stops")) { try { fs.statSync(each.place); } catch (error) { if (error.code === "ELOOP") { stop = true; break; } } }
          if (bug("find_ancestor_stops") && isDirectory(each.place) && `${full}/`.startsWith(`${fs.realpathSync(each.place)}/`)) { stop = true; break; }
          if (bug("find_link_then_seen") && isDirectory(each.place)) visited.add(fs.realpathSync(each.place));
          if (bug("find_follow_forty") && isDirectory(each.place) && directory.depth < 12) {
            waiting.push({ full: each.full, relative: each.relative, depth: directory.depth + 1 });
          }
          if (bug("find_links_to_files_only") && hit && isDirectory(each.place)) entries.pop();
        }
        if (!each.stat.isDirectory()) continue;
        if (!recursive && !(bug("find_two_levels") && directory.depth === 0) && !(bug("find_flat_named") && directory.depth < 2 && glob.includes("/"))) continue;
        if (!enters(each, directory, visited, start)) continue;
        waiting.push({ full: each.full, relative: each.relative, depth: directory.depth + 1 });
      }
    } finally {
      fs.closeSync(fd);
    }
  }
  if (bug("role_find_index") && entries.length) fs.writeFileSync(path.join(full, ".find-cache"), glob);
  return sorted(entries, true);
}

/** Whether a search goes down into a directory. Only bugs say no. */
function enters(each, directory, visited, start) {
  const name = text(each.name);
  if (name === "." || name === "..") return false;
  if (bug("find_one_level") && directory.depth >= 1) return false;
  if (bug("find_depth_8") && directory.depth >= 8) return false;
  if (bug("find_depth_32") && directory.depth >= 32) return false;
  if (bug("find_hidden_dirs") && name.startsWith(".")) return false;
  if (bug("find_git") && name === ".git") return false;
  if (bug("find_node_modules") && name === "node_modules") return false;
  if (bug("find_build") && /^(target|build|dist|out)$/.test(name)) return false;
  if (bug("find_underscore") && name.startsWith("_")) return false;
  if (bug("find_glob_chars") && /[[\]{}*?]/.test(name)) return false;
  if (bug("find_blank_dirs") && name.includes(" ")) return false;
  if (bug("find_dotted_dirs") && name.slice(1).includes(".")) return false;
  if (bug("find_invalid_dirs") && name.includes("\ufffd")) return false;
  if (bug("find_long_path") && each.full.length > 1024) return false;
  if (bug("find_execute_only") && (each.stat.mode & 0o444n) === 0n) return false;
  if (bug("find_read_only_dirs") && !(each.stat.mode & 0o200n)) return false;
  if (bug("find_same_name")) { if (visited.has(name)) return false; visited.add(name); }
  if (bug("find_same_name_parent") && path.basename(text(directory.full)) === name) return false;
  if (bug("find_visited_kept")) { const key = `${each.stat.dev}:${each.stat.ino}`; if (visited.has(key)) return false; visited.add(key); }
  if (bug("find_link_then_seen") && visited.has(text(each.full))) return false;
  if (bug("find_nlink") && each.stat.nlink === 2n && directory.depth > 0) return false;
  if (bug("find_old_dirs") && each.stat.mtimeNs < start_(start)) return false;
  if (bug("find_size_dirs") && each.stat.size === 0n) return false;
  return true;
}

const start_ = (start) => fs.statSync(start, { bigint: true }).mtimeNs - 31536000000000000n;
