// The arguments of a call: their check and their copy for the answer.
import { Num } from './json.mjs';
import { is } from './bug.mjs';

export class ToolError extends Error {
  constructor(code, message) { super(message); this.code = code; }
}

const KNOWN = ['path', 'offset', 'limit', 'include_hidden', 'ignore'];
const invalid = () => new ToolError('INVALID_PARAM', 'offset/limit/ignore must be valid types.');

function number(value, name) {
  if (typeof value === 'boolean') {
    if (name === 'offset' && value && is('offset_true_is_one')) return 1;
    if (name === 'limit' && !value && is('limit_false_default')) return 100;
  }
  if (typeof value === 'string') {
    if (name === 'offset' && is('offset_numeric_text') && value.trim() !== '' && Number.isInteger(Number(value))) return Number(value);
    if (name === 'limit' && is('limit_parse_int') && !Number.isNaN(parseInt(value, 10))) return parseInt(value, 10);
  }
  if (!(value instanceof Num)) throw invalid();
  if (!value.integral) {
    if (name === 'offset' && is('offset_fraction_floor')) return Math.floor(value.value);
    throw invalid();
  }
  return value.value;
}

export function check(given) {
  if (is('arguments_text_parsed') && typeof given === 'string') {
    try { given = new Map(Object.entries(JSON.parse(given))); } catch { throw invalid(); }
  }
  if (is('arguments_null_empty') && given === null) given = new Map();
  if (is('arguments_array_accepted') && Array.isArray(given)) given = new Map();
  if (!(given instanceof Map)) throw new ToolError('INVALID_PARAM', 'The arguments must be an object.');
  if (is('unknown_argument_fails') && [...given.keys()].some((key) => !KNOWN.includes(key)))
    throw new ToolError('INTERNAL_ERROR', 'Failed to list directory - unexpected keyword argument');

  let path = given.has('path') ? given.get('path') : '.';
  if (is('default_path_root') && !given.has('path')) path = null;
  else {
    if (is('path_number_text') && path instanceof Num) path = path.raw;
    if (is('path_falsy_default') && (path === false || (path instanceof Num && path.value === 0))) path = '.';
    if (typeof path !== 'string' || path.includes('\0')) throw new ToolError('INVALID_PARAM', 'path must be a valid string.');
    if (is('path_trimmed')) path = path.trim();
    if (is('path_percent_decoded')) { try { path = decodeURIComponent(path); } catch { /* as it is */ } }
  }

  const offset = given.has('offset') ? number(given.get('offset'), 'offset') : 0;
  if (offset < 0 && !is('offset_negative_slice')) throw range();
  let limit = given.has('limit') ? number(given.get('limit'), 'limit') : is('default_limit_200') ? 200 : 100;
  if (is('limit_zero_default')) limit ||= 100;
  if (is('limit_over_clamped')) limit = Math.min(limit, 200);
  if (limit < 1 || limit > 200 || (limit === 200 && given.has('limit') && is('limit_200_refused'))) throw range();

  let hidden = given.has('include_hidden') ? given.get('include_hidden') : false;
  if (is('hidden_zero_one') && hidden instanceof Num && ['0', '1'].includes(hidden.raw)) hidden = hidden.raw === '1';
  if (typeof hidden !== 'boolean') throw invalid();

  let ignore = given.get('ignore') ?? [];
  if (is('ignore_single_text') && typeof ignore === 'string') ignore = [ignore];
  if (is('ignore_object_values') && ignore instanceof Map) ignore = [...ignore.values()];
  if (!Array.isArray(ignore)) throw invalid();
  if (is('ignore_flattened')) ignore = ignore.flat();
  if (is('ignore_numbers_text')) ignore = ignore.map((one) => (one instanceof Num ? one.raw : one));
  if (is('ignore_first_checked') && typeof ignore[0] === 'string')
    ignore = ignore.map((one) => (typeof one === 'string' ? one : one instanceof Num ? one.raw : String(one)));
  if (!ignore.every((one) => typeof one === 'string')) throw invalid();
  if (is('params_ignore_rewritten') && Array.isArray(given.get('ignore')))
    given.get('ignore').forEach((one, k, all) => { all[k] = one.replace(/\\/g, '/'); });
  return { path, offset: is('offset_32_bit') ? offset | 0 : offset, limit, hidden, ignore: [...ignore] };
}

function range() {
  return is('range_error_internal')
    ? new ToolError('INTERNAL_ERROR', 'Failed to list directory - RangeError: out of range') : invalid();
}

function deep(value, change) {
  if (Array.isArray(value)) return value.map((one) => deep(one, change));
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, deep(one, change)]));
  return change(value);
}

/** What params_input shows. */
export function shown(given, failed, wrongArguments, normalised) {
  if (!(given instanceof Map)) return given;
  if (is('params_lost_if_invalid') && wrongArguments) return {};
  let copy = new Map(given);
  if (is('params_proto_lost')) copy.delete('__proto__');
  if (is('params_null_dropped')) copy = new Map([...copy].filter(([, value]) => value !== null));
  if (is('params_unknown_dropped')) copy = new Map([...copy].filter(([key]) => KNOWN.includes(key)));
  if (is('params_defaults_filled') && !failed)
    copy = new Map([['path', '.'], ['offset', 0], ['limit', 100], ['include_hidden', false], ['ignore', null], ...copy]);
  if (is('params_path_normalised') && normalised !== undefined && typeof copy.get('path') === 'string') copy.set('path', normalised);
  if (is('params_big_as_text'))
    return deep(copy, (one) => (one instanceof Num && one.integral && !Number.isSafeInteger(one.value) ? one.raw : one));
  if (is('params_number_infinite')) return deep(copy, (one) => (one instanceof Num && !Number.isFinite(one.value) ? null : one));
  if (is('params_nfc')) return deep(copy, (one) => (typeof one === 'string' ? one.normalize('NFC') : one));
  return copy;
}
