// A JSON reader that keeps integers exact: JSON.parse would round integers beyond the precision of a double.
// Integers are numbers if a double holds them exactly, BigInt otherwise; 2.0 and 1e2 are integers.

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const BLANK = /[ \t\n\r]*/y;
const WORDS = [["true", true], ["false", false], ["null", null]];
const MOST_DIGITS = 400; // a larger number is infinite as a double

/** Return the value of a JSON text. Throws SyntaxError. */
export function parse(text) {
  let at = 0;

  const fail = () => {
    throw new SyntaxError(`not JSON at character ${at + 1}`);
  };
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const taken = (word) => {
    match(BLANK);
    if (!text.startsWith(word, at)) return false;
    at += word.length;
    return true;
  };
  const string = () => {
    match(BLANK);
    const found = match(STRING) ?? fail();
    return JSON.parse(found[0]);
  };
  const object = () => {
    const members = Object.create(null); // permits a member named __proto__
    if (taken("}")) return members;
    do {
      const name = string();
      if (!taken(":")) fail();
      members[name] = value();
    } while (taken(","));
    return taken("}") ? members : fail();
  };
  const array = () => {
    const items = [];
    if (taken("]")) return items;
    do items.push(value());
    while (taken(","));
    return taken("]") ? items : fail();
  };
  const value = () => {
    if (taken("{")) return object();
    if (taken("[")) return array();
    if (text[at] === '"') return string();
    for (const [word, meaning] of WORDS) if (taken(word)) return meaning;
    return number(match(NUMBER) ?? fail());
  };

  const whole = value();
  match(BLANK);
  return at === text.length ? whole : fail();
}

function number([text, fraction = "", exponent = ""]) {
  const shift = Number(exponent.slice(1) || 0) - Math.max(fraction.length - 1, 0);
  if (!fraction && !exponent) return integer(BigInt(text));
  if (Math.abs(shift) > MOST_DIGITS) return Number(text);
  const digits = BigInt(text.slice(0, text.length - exponent.length).replace(".", ""));
  if (shift >= 0) return integer(digits * 10n ** BigInt(shift));
  const unit = 10n ** BigInt(-shift);
  return digits % unit === 0n ? integer(digits / unit) : fractional(text);
}

function integer(exact) {
  const near = Number(exact);
  return Number.isSafeInteger(near) ? near : exact;
}

/** Rounding must not turn a number with a fraction into an integer. */
function fractional(text) {
  const near = Number(text);
  return Number.isInteger(near) ? NaN : near;
}

/** Return whether a value returned by parse is an integer. */
export const isInteger = (value) => typeof value === "bigint" || Number.isSafeInteger(value);
