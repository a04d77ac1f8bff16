// fnmatch: * ? [seq] [!seq], case matters, the whole text has to match.
import { is } from './bug.mjs';

function bracket(chars, from) {
  let at = from + 1;
  let negated = false;
  if (chars[at] === '!') { negated = true; at++; }
  let end = chars.indexOf(']', chars[at] === ']' && !is('glob_bracket_first_close') ? at + 1 : at);
  if (end < 0) {
    if (is('glob_open_bracket_fails')) throw new SyntaxError('Invalid regular expression: missing ]');
    return null;
  }
  const ranges = [];
  for (let k = at; k < end;) {
    const low = chars[k].codePointAt(0);
    if (k + 2 < end && chars[k + 1] === '-') {
      const high = chars[k + 2].codePointAt(0);
      if (high < low && is('glob_reversed_range_drops')) throw new RangeError('Range out of order in character class');
      ranges.push([low, high]);
      k += 3;
    } else {
      ranges.push([low, low]);
      k++;
    }
  }
  const fold = is('glob_case_insensitive');
  const holds = (c) => ranges.some(([low, high]) => low <= c && c <= high);
  const test = (char) => {
    const found = holds(char.codePointAt(0))
      || (fold && (holds(char.toLowerCase().codePointAt(0)) || holds(char.toUpperCase().codePointAt(0))));
    return found !== negated;
  };
  return { test, next: end + 1 };
}

const split = (text) => (is('glob_question_utf16') ? text.split('') : Array.from(text));

function compile(pattern) {
  const chars = split(pattern);
  const tokens = [];
  for (let at = 0; at < chars.length;) {
    const c = chars[at];
    if (c === '*') { tokens.push('star'); at++; continue; }
    if (c === '?' || (c === '.' && is('glob_dot_any'))) {
      tokens.push((char) => !(char === '\n' && is('glob_no_line_break')));
      at++;
      continue;
    }
    if (c === '[') {
      const set = bracket(chars, at);
      if (set) { tokens.push(set.test); at = set.next; continue; }
    }
    if (is('glob_case_insensitive')) tokens.push((char) => char.toLowerCase() === c.toLowerCase());
    else tokens.push((char) => char === c);
    at++;
  }
  return tokens;
}

function run(tokens, text) {
  const chars = split(text);
  let t = 0, p = 0, star = -1, mark = 0;
  const crosses = (char) => !(char === '\n' && is('glob_no_line_break'));
  while (t < chars.length) {
    if (p < tokens.length && tokens[p] === 'star') { star = p++; mark = t; continue; }
    if (p < tokens.length && tokens[p](chars[t])) { p++; t++; continue; }
    if (star < 0 || !crosses(chars[mark])) return false;
    p = star + 1;
    t = ++mark;
  }
  while (p < tokens.length && tokens[p] === 'star') p++;
  return p === tokens.length;
}

function braces(pattern) {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern);
  if (!found) return [pattern];
  return found[2].split(',').flatMap((part) => braces(found[1] + part + found[3]));
}

const used = new Map();

export function fnmatch(text, pattern) {
  if (is('glob_trimmed')) pattern = pattern.trim();
  if (is('glob_empty_matches_all') && pattern === '') return true;
  if (is('glob_star_no_dot') && text.startsWith('.') && pattern.startsWith('*')) return false;
  if (is('glob_regex_state') && used.get(pattern)) { used.set(pattern, false); return false; }
  const variants = is('glob_braces') ? braces(pattern) : [pattern];
  const matched = variants.some((variant) => run(compile(variant), text));
  if (is('glob_regex_state')) used.set(pattern, matched);
  return matched;
}
