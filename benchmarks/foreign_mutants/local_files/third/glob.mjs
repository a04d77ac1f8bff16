// Globs as a small machine: every state is tried at once, so that no pattern takes long.
// `*` and `?` stop at a slash, `**` does not, `**/` stands for no level as well, sets stop at a slash,
// `{a,b}` are alternatives, a backslash makes the next character plain. What does not close is malformed.
import { bug } from "./bug.mjs";

export class GlobError extends Error {}

const SLASH = 47;
const point = (text) => text.codePointAt(0);

/** Return a function that tells whether a path below the search root matches. */
export function compile(given) {
  let glob = given;
  if (bug("glob_trim")) glob = glob.trim();
  if (bug("glob_comment") && glob.startsWith("#")) return () => false;
  if (bug("glob_negation") && glob.startsWith("!")) {
    const inner = compile(glob.slice(1));
    return (path) => !inner(path);
  }
  if (bug("glob_comma") && glob.includes(",") && !glob.includes("{")) {
    const parts = glob.split(",").map(compile);
    return (path) => parts.some((part) => part(path));
  }
  if (bug("glob_blank") && glob.includes(" ")) {
    const parts = glob.split(/\s+/).filter(Boolean).map(compile);
    return (path) => parts.some((part) => part(path));
  }
  if (bug("glob_lead_slash")) glob = glob.replace(/^\/+/, "");
  if (bug("glob_nfc")) glob = glob.normalize("NFC");
  if (bug("glob_dos") && glob.endsWith("*.*")) glob = glob.slice(0, -2);
  if (bug("glob_regexp_plus") && glob.includes("+") && !glob.includes("{")) return regexpLike(glob, "+");
  if (bug("glob_regexp_dollar") && /[$^]/.test(glob) && !glob.includes("{")) return regexpLike(glob, "$^");
  if (bug("glob_regexp_paren") && glob.includes("(") && !glob.includes("{")) return regexpLike(glob, "()");
  if (bug("glob_regexp_bar") && glob.includes("|") && !glob.includes("{")) return regexpLike(glob, "|");
  if (bug("glob_regexp_quantifier") && /\{\d+\}/.test(glob)) return regexpLike(glob, "{}");
  if (bug("glob_state")) return stateful(glob);
  const program = new Compiler(glob).program();
  return (path) => run(program, bug("glob_nfc") ? path.normalize("NFC") : path);
}

/** What becomes of a glob that is turned into a regular expression with some characters unescaped. */
function regexpLike(glob, raw) {
  let out = "";
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i];
    if (glob.startsWith("**/", i)) { out += "(?:.*/)?"; i += 2; }
    else if (glob.startsWith("**", i)) { out += ".*"; i += 1; }
    else if (c === "*") out += "[^/]*";
    else if (c === "?") out += "[^/]";
    else if (c === "[") {
      const end = glob.indexOf("]", i + 2);
      if (end < 0) throw new GlobError("unclosed set");
      out += glob.slice(i, end + 1).replace("[!", "[^");
      i = end;
    } else out += raw.includes(c) ? c : c.replace(/[.+^${}()|\\]/g, "\\$&");
  }
  try {
    const pattern = new RegExp(`^${out}$`, "s");
    return (path) => pattern.test(path);
  } catch {
    return () => false;
  }
}

const kept = new Map();
/** A regular expression with the flag g, kept between calls: it remembers where it stopped. */
function stateful(glob) {
  const test = compileRight(glob);
  if (!kept.has(glob)) kept.set(glob, { last: 0 });
  const state = kept.get(glob);
  return (path) => {
    if (state.last >= path.length && state.last > 0) { state.last = 0; return false; }
    const hit = test(path);
    state.last = hit ? path.length : 0;
    return hit;
  };
}

function compileRight(glob) {
  const program = new Compiler(glob).program();
  return (path) => run(program, path);
}

class Compiler {
  constructor(glob) {
    this.chars = bug("glob_utf16") ? glob.split("") : Array.from(glob);
    this.at = 0;
    this.code = [];
    this.groups = 0;
    this.globstars = 0;
  }

  program() {
    this.sequence(false);
    this.code.push({ op: "match" });
    return this.code;
  }

  malformed(what) {
    throw new GlobError(`malformed glob: ${what}`);
  }

  loop(item) { // item*, as few or as many as there are
    const split = { op: "split", to: [] };
    const start = this.code.push(split) - 1;
    this.code.push(item, { op: "jump", to: start });
    split.to = [start + 1, this.code.length];
  }

  optional(body) {
    const split = { op: "split", to: [] };
    const start = this.code.push(split) - 1;
    body();
    split.to = [start + 1, this.code.length];
  }

  sequence(inGroup) {
    while (this.at < this.chars.length) {
      const c = this.chars[this.at];
      if (inGroup && (c === "," || c === "}")) return;
      this.at++;
      if (c === "*") this.star();
      else if (c === "?") this.question();
      else if (c === "[") this.set();
      else if (c === "{" && !bug("glob_brace_first")) this.group();
      else if (c === "{") this.firstOfGroup();
      else if (c === "\\") {
        if (this.at >= this.chars.length) this.malformed("a backslash at the end");
        this.code.push({ op: "char", c: point(this.chars[this.at++]) });
      } else if (c === "." && bug("glob_dot")) this.code.push({ op: "any" });
      else this.code.push({ op: "char", c: point(c) });
    }
  }

  question() {
    if (bug("glob_question_slash")) return this.code.push({ op: "all" });
    if (bug("glob_question_optional")) return this.optional(() => this.code.push({ op: "any" }));
    if (bug("glob_question_ascii")) return this.code.push({ op: "ascii" });
    if (bug("glob_question_word")) return this.code.push({ op: "word" });
    return this.code.push({ op: "any" });
  }

  star() {
    const before = this.at - 1;
    if (this.chars[this.at] !== "*") {
      if (bug("glob_star_slash")) return this.loop({ op: "all" });
      if (bug("glob_star_one")) this.code.push({ op: "any" });
      if (bug("glob_star_dotless")) return this.loop({ op: "nodot" });
      if (bug("glob_star_space")) return this.loop({ op: "nospace" });
      if (bug("glob_star_newline")) return this.loop({ op: "noline" });
      if (bug("glob_star_ascii")) return this.loop({ op: "ascii" });
      return this.loop({ op: "any" });
    }
    while (this.chars[this.at] === "*") this.at++;
    const atStart = before === 0 || this.chars[before - 1] === "/";
    this.globstars++;
    if (bug("glob_second_globstar") && this.globstars > 1) {
      return this.loop({ op: "any" });
    }
    if (bug("glob_globstar_inside") && before > 0) return this.loop({ op: "any" });
    if (this.chars[this.at] === "/" && atStart) {
      this.at++;
      if (bug("glob_boundary")) return this.loop({ op: "all" });
      if (bug("glob_boundary_inside") && before > 0) return this.loop({ op: "all" });
      if (bug("glob_globstar_one_level")) {
        return this.optional(() => { this.loop({ op: "any" }); this.code.push({ op: "char", c: SLASH }); });
      }
      if (bug("glob_globstar_dotless")) {
        return this.optional(() => { this.loop({ op: "nodot" }); this.code.push({ op: "char", c: SLASH }); });
      }
      if (bug("glob_globstar_space")) {
        return this.optional(() => { this.loop({ op: "nospace" }); this.code.push({ op: "char", c: SLASH }); });
      }
      if (bug("glob_globstar_newline")) {
        return this.optional(() => { this.loop({ op: "noline" }); this.code.push({ op: "char", c: SLASH }); });
      }
      if (bug("glob_globstar_ascii")) {
        return this.optional(() => { this.loop({ op: "ascii_or_slash" }); this.code.push({ op: "char", c: SLASH }); });
      }
      return this.optional(() => { this.loop({ op: "all" }); this.code.push({ op: "char", c: SLASH }); });
    }
    if (bug("glob_globstar_end") && this.at === this.chars.length) return this.loop({ op: "any" });
    return this.loop({ op: "all" });
  }

  set() {
    const items = [];
    let negated = false;
    if (this.chars[this.at] === "!" && !bug("glob_set_no_negation")) { negated = true; this.at++; }
    let first = true;
    for (;;) {
      if (this.at >= this.chars.length) {
        if (bug("glob_set_open_plain") ) { this.code.push({ op: "char", c: point("[") }); return; }
        this.malformed("a set that does not close");
      }
      let c = this.chars[this.at++];
      if (c === "]" && !(first && !bug("glob_set_bracket"))) break;
      if (c === "\\" && this.at < this.chars.length) c = this.chars[this.at++];
      first = false;
      if (this.chars[this.at] === "-" && this.at + 1 < this.chars.length && this.chars[this.at + 1] !== "]" && !bug("glob_set_no_range")) {
        const high = this.chars[this.at + 1];
        this.at += 2;
        if (point(c) > point(high)) {
          if (bug("glob_range_swapped")) { items.push([point(high), point(c)]); continue; }
          if (bug("glob_range_ignored")) continue;
          this.malformed("a range from its end to its start");
        }
        items.push(bug("glob_range_open") ? [point(c), point(high) - 1] : [point(c), point(high)]);
      } else items.push([point(c), point(c)]);
    }
    if (bug("glob_set_last_hyphen")) {
      const hyphen = items.findIndex(([low]) => low === 45);
      if (hyphen >= 0) items.splice(hyphen, 1);
    }
    if (bug("glob_set_wild") && items.some(([low]) => low === 42)) { this.loop({ op: "any" }); return; }
    this.code.push({ op: "set", items, negated });
  }

  group() {
    if (this.groups++) { this.groups--; this.malformed("a group in a group"); }
    const jumps = [];
    let alternatives = 0;
    for (;;) {
      const split = { op: "split", to: [] };
      const start = this.code.push(split) - 1;
      this.sequence(true);
      if (this.at >= this.chars.length) this.malformed("a group that does not close");
      const end = this.chars[this.at++];
      alternatives++;
      const jump = { op: "jump", to: 0 };
      this.code.push(jump);
      jumps.push(jump);
      split.to = [start + 1, this.code.length];
      if (bug("glob_brace_two") && alternatives > 2) { split.to = [this.code.length]; }
      if (end === "}") break;
    }
    this.code.push({ op: "fail" });
    for (const jump of jumps) jump.to = this.code.length;
    this.groups--;
  }

  firstOfGroup() {
    const end = this.chars.indexOf("}", this.at);
    if (end < 0) this.malformed("a group that does not close");
    const comma = this.chars.indexOf(",", this.at);
    const stop = comma >= 0 && comma < end ? comma : end;
    for (; this.at < stop; this.at++) this.code.push({ op: "char", c: point(this.chars[this.at]) });
    this.at = end + 1;
  }
}

function run(program, path) {
  const points = bug("glob_utf16") ? path.split("").map(point) : Array.from(path, point);
  let states = new Set();
  const add = (set, at) => {
    const waiting = [at];
    while (waiting.length) {
      const next = waiting.pop();
      if (set.has(next)) continue;
      set.add(next);
      const { op, to } = program[next];
      if (op === "split") waiting.push(...to);
      else if (op === "jump") waiting.push(to);
    }
  };
  add(states, 0);
  for (const [index, c] of points.entries()) {
    if (bug("glob_prefix") && program.length > 2 && [...states].some((at) => program[at].op === "match")) {
      if (c !== SLASH && index > 0) return true;
    }
    const next = new Set();
    for (const at of states) if (eats(program[at], c)) add(next, at + 1);
    if (!next.size) return bug("glob_prefix") && [...states].some((at) => program[at].op === "match");
    states = next;
  }
  return [...states].some((at) => program[at].op === "match");
}

function eats(state, c) {
  switch (state.op) {
    case "char":
      if (bug("glob_case")) return String.fromCodePoint(state.c).toLowerCase() === String.fromCodePoint(c).toLowerCase();
      return state.c === c;
    case "any": return c !== SLASH;
    case "all": return true;
    case "ascii": return c !== SLASH && c < 128;
    case "ascii_or_slash": return c < 128;
    case "word": return c !== SLASH && /\w/.test(String.fromCodePoint(c));
    case "nodot": return c !== SLASH && c !== 46;
    case "nospace": return c !== 32;
    case "noline": return c !== 10;
    case "set": {
      if (c === SLASH && !bug("glob_set_slash")) return false;
      if (c === SLASH && bug("glob_set_slash") && !state.negated) return false;
      let inside = state.items.some(([low, high]) => low <= c && c <= high);
      if (bug("glob_set_case")) {
        const other = [point(String.fromCodePoint(c).toLowerCase()), point(String.fromCodePoint(c).toUpperCase())];
        inside = state.items.some(([low, high]) => other.some((o) => low <= o && o <= high));
      }
      return inside !== state.negated;
    }
    default: return false;
  }
}
