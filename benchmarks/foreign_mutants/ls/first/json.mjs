// JSON that keeps numbers as they were written. Objects are Maps.
export class Num {
  constructor(raw) { this.raw = raw; }
  get value() { return Number(this.raw); }
  get integral() { return /^-?\d+$/.test(this.raw); }
}

export function parse(text) {
  let at = 0;
  const fail = () => { throw new SyntaxError(`unexpected character at ${at}`); };
  const blank = () => { while (at < text.length && ' \t\n\r'.includes(text[at])) at++; };
  const string = () => {
    const from = at++;
    for (;;) {
      if (at >= text.length) fail();
      const c = text[at++];
      if (c === '\\') at++;
      else if (c === '"') break;
    }
    return JSON.parse(text.slice(from, at));
  };
  const value = () => {
    blank();
    const c = text[at];
    let result;
    if (c === '{') {
      result = new Map(); at++; blank();
      if (text[at] === '}') { at++; return result; }
      for (;;) {
        blank(); if (text[at] !== '"') fail();
        const key = string();
        blank(); if (text[at++] !== ':') fail();
        result.set(key, value());
        blank();
        const d = text[at++];
        if (d === '}') return result;
        if (d !== ',') fail();
      }
    }
    if (c === '[') {
      result = []; at++; blank();
      if (text[at] === ']') { at++; return result; }
      for (;;) {
        result.push(value());
        blank();
        const d = text[at++];
        if (d === ']') return result;
        if (d !== ',') fail();
      }
    }
    if (c === '"') return string();
    for (const [word, meaning] of [['true', true], ['false', false], ['null', null]])
      if (text.startsWith(word, at)) { at += word.length; return meaning; }
    const number = /-?\d+(\.\d+)?([eE][-+]?\d+)?/y;
    number.lastIndex = at;
    const found = number.exec(text);
    if (!found) fail();
    at += found[0].length;
    return new Num(found[0]);
  };
  const result = value();
  blank();
  if (at !== text.length) fail();
  return result;
}

export function write(value) {
  if (value instanceof Num) return value.raw;
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${JSON.stringify(k)}:${write(v)}`).join(',')}}`;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).filter(([, v]) => v !== undefined);
    return `{${members.map(([k, v]) => `${JSON.stringify(k)}:${write(v)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
