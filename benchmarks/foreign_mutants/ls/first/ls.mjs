import fs from 'node:fs';
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { is } from './bug.mjs';
import { ToolError, check, shown } from './arguments.mjs';
import { bytes, follow, fromText, inside, real, relative, toText } from './paths.mjs';
import { fnmatch } from './glob.mjs';
import { write } from './json.mjs';

const LISTED = ['.git', '.hg', '.svn', '__pycache__', 'node_modules', 'target', 'build', 'dist', '.idea', '.vscode',
  '.DS_Store', 'venv', '.venv'];
const OUTSIDE = 'Access denied. Path must be within the project root.';
const SUFFIX = { dir: '/', link: '@', file: '', other: '' };

export function call(given, context) {
  const started = performance.now();
  const root = real(context.get('roots')[0]);
  const cwd = real(context.get('working_dir'));
  const state = { root, cwd, resolved: undefined };
  let envelope;
  let failure = null;
  let wrongArguments = false;
  try {
    let wanted;
    try { wanted = check(given); } catch (problem) { wrongArguments = problem instanceof ToolError; throw problem; }
    envelope = list(wanted, state);
  } catch (problem) {
    if (!(problem instanceof ToolError)) process.stderr.write(`${problem.stack}\n`);
    failure = problem instanceof ToolError ? problem : unexpected(problem);
    envelope = {
      status: 'error',
      data: is('error_data_null') ? null : {},
      text: is('arguments_text_differs') && wrongArguments ? 'Invalid arguments.' : failure.message,
      stats: {},
      error: { code: failure.code, message: is('error_message_object') && failure.code === 'INTERNAL_ERROR' ? {} : failure.message },
    };
    if (is('error_code_errno') && problem.errnoName) envelope.error.code = problem.errnoName;
  }
  let time = Math.floor(performance.now() - started);
  if (is('time_swapped') && failure === null) time = started - performance.now();
  if (is('time_text') && failure === null) time = time.toFixed(0);
  envelope.stats = { time_ms: time, ...envelope.stats };
  envelope.context = {
    cwd: cwdShown(root, cwd),
    params_input: shown(given, failure !== null, wrongArguments, state.resolved),
    path_resolved: state.resolved,
  };
  if (envelope.status === 'partial' && is('resolved_missing_if_partial')) delete envelope.context.path_resolved;
  if (is('json_controls_raw'))
    return write(envelope).replace(/\\u00([01][0-9a-f])|\\t|\\r|\\b|\\f/g, (escape, hex) => (hex
      ? String.fromCharCode(parseInt(hex, 16)) : { '\\t': '\t', '\\r': '\r', '\\b': '\b', '\\f': '\f' }[escape]));
  return write(envelope);
}

function cwdShown(root, cwd) {
  if (is('cwd_absolute')) return toText(cwd);
  const path = toText(relative(root, cwd));
  if (is('cwd_empty_at_root') && path === '.') return '';
  if (is('cwd_last_component')) return path.split('/').pop();
  return path;
}

function unexpected(problem) {
  const what = problem.code && problem.message ? problem.message.split(',')[0] : String(problem.message);
  return new ToolError('INTERNAL_ERROR', `Failed to list directory - ${what}`);
}

/** The error of the envelope for one of the system. */
function translated(problem, path) {
  if (problem instanceof ToolError) return problem;
  if (problem.code === 'EACCES' || problem.code === 'EPERM') return new ToolError('ACCESS_DENIED', `Permission denied accessing '${path}'.`);
  if (is('failures_not_found')) return new ToolError('NOT_FOUND', `Path '${path}' does not exist.`);
  const error = unexpected(problem);
  if (is('error_code_errno')) error.code = problem.code ?? 'INTERNAL_ERROR';
  return error;
}

function locate(path, { root, cwd }) {
  if (path === null) return follow(root, '.');
  if (is('tilde_home') && /^~(\/|$)/.test(path)) path = os.homedir() + path.slice(1);
  if (is('absolute_joined')) path = path.replace(/^\/+/, '');
  const outside = () => new ToolError('ACCESS_DENIED', is('outside_message_path')
    ? `Access denied. Path must be within the project root: ${path}` : OUTSIDE);
  const mode = { lexical: is('inside_lexical'), lastLinkOnly: is('inside_last_link_only') };
  let found;
  try {
    found = follow(cwd, fromText(path), mode);
    if (is('root_fallback') && found.stat === null && !path.startsWith('/')) {
      const other = follow(root, fromText(path), mode);
      if (other.stat !== null) found = other;
    }
  } catch (problem) {
    if (problem.place !== undefined && !inside(root, problem.place)) throw outside();
    if (is('exists_hides_permission') && problem.code === 'EACCES') throw new ToolError('NOT_FOUND', `Path '${path}' does not exist.`);
    throw problem;
  }
  if (is('outside_file_first') && found.stat && !found.stat.isDirectory()) return found;
  if (!inside(root, found.place)) {
    if (is('resolved_outside_shown')) throw Object.assign(outside(), { resolved: toText(relative(root, found.place)) });
    throw outside();
  }
  return found;
}

function list(wanted, state) {
  const { root, cwd } = state;
  const path = wanted.path ?? '.';
  try {
    const found = locate(wanted.path, state);
    const target = found.place;
    state.resolved = resolvedShown(wanted, target, state);
    const told = is('message_absolute') ? toText(target) : path;
    if (!path.isWellFormed() || found.stat === null) {
      if (is('dangling_path_internal') && found.throughLink) throw new Error('ENOENT: no such file or directory');
      throw new ToolError('NOT_FOUND', `Path '${told}' does not exist.`);
    }
    if (!found.stat.isDirectory()) {
      if (is('file_lists_itself') && found.stat.isFile()) return page([entry(parentOf(target), target.split('/').pop(), 'file', state, wanted)], 0, wanted, state, target);
      if (is('special_file_internal') && !found.stat.isFile()) throw new Error('EINVAL: invalid argument');
      const stop = is('file_message_no_stop') ? '' : '.';
      throw new ToolError('INVALID_PARAM', `'${told}' is a file, not a directory. Use 'Read' tool to view its content${stop}`);
    }
    let names;
    try {
      names = read(target, root);
    } catch (problem) {
      if (problem.code === 'EACCES' && is('message_absolute')) throw new ToolError('ACCESS_DENIED', `Permission denied accessing '${told}'.`);
      if (problem.code === 'EACCES' && is('closed_directory_internal')) throw unexpected(problem);
      throw problem;
    }
    return filtered(names, target, wanted, state);
  } catch (problem) {
    if (problem.resolved !== undefined) state.resolved = problem.resolved;
    throw translated(problem, path);
  }
}

const parentOf = (path) => path.slice(0, path.lastIndexOf('/')) || '/';

function resolvedShown(wanted, target, { root, cwd }) {
  const path = wanted.path ?? '.';
  let shownPath = toText(relative(root, target));
  if (is('resolved_trailing_slash') && path.endsWith('/')) shownPath += '/';
  if (is('resolved_from_cwd')) shownPath = toText(relative(cwd, target));
  if (is('resolved_empty_at_root') && shownPath === '.') shownPath = '';
  if (is('resolved_absolute_kept') && path.startsWith('/')) shownPath = toText(target);
  return shownPath;
}

const kept = new Map();

/** The names and types in a directory. It is opened first, and then checked where it lies. */
function read(target, root) {
  if (is('listing_cached') && kept.has(target)) return kept.get(target);
  const options = { encoding: 'buffer', withFileTypes: true };
  let found;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  let file;
  try {
    if (is('opened_without_check')) found = fs.readdirSync(bytes(target), options);
    else file = fs.openSync(bytes(target), O_RDONLY | O_DIRECTORY | (is('inside_lexical') ? 0 : O_NOFOLLOW));
  } catch (problem) {
    if (problem.code !== 'EACCES' || !is('closed_directory_opened')) throw problem;
    fs.chmodSync(bytes(target), 0o755);
    file = fs.openSync(bytes(target), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  }
  if (file !== undefined) {
    try {
      const place = fs.readlinkSync(`/proc/self/fd/${file}`, { encoding: 'buffer' }).toString('latin1');
      if (!inside(root, place) && !is('inside_lexical') && !is('inside_last_link_only')) throw new ToolError('ACCESS_DENIED', OUTSIDE);
      found = fs.readdirSync(`/proc/self/fd/${file}`, options);
    } finally {
      fs.closeSync(file);
    }
  }
  const names = found.map((one) => ({
    name: one.name.toString('latin1'),
    type: one.isSymbolicLink() ? 'link' : one.isDirectory() ? 'dir' : is('type_fifo_other') && one.isFIFO() ? 'other' : 'file',
  }));
  if (is('scan_cap_1000')) names.length = Math.min(names.length, 1000);
  if (is('listing_cached')) kept.set(target, names);
  return names;
}

function join(directory, name) { return directory === '/' ? `/${name}` : `${directory}/${name}`; }

function statOf(place) { try { return fs.lstatSync(bytes(place)); } catch { return null; } }

/** How a link sorts, and whether it leads outside, nowhere or in a circle. */
function linkFacts(directory, name, { root, cwd }) {
  try {
    if (is('sort_link_one_hop')) {
      const target = fs.readlinkSync(bytes(join(directory, name)), { encoding: 'buffer' }).toString('latin1');
      const stat = statOf(target.startsWith('/') ? target : join(directory, target));
      if (stat !== null && stat.isSymbolicLink()) return { directory: false, place: null };
    }
    let found = follow(directory, name);
    if (is('sort_link_from_cwd'))
      found = follow(cwd, fs.readlinkSync(bytes(join(directory, name)), { encoding: 'buffer' }).toString('latin1'));
    const within = inside(root, found.place);
    return {
      directory: found.stat !== null && found.stat.isDirectory() && (within || is('sort_link_out_dir')),
      within, place: found.place, dangling: found.stat === null,
      broken: found.stat === null,
    };
  } catch (problem) {
    if (is('loop_fails') && problem.code === 'ELOOP') throw problem;
    return { directory: false, within: false, place: null, dangling: false, broken: true };
  }
}

function entry(directory, name, type, state, wanted) {
  const { root, cwd } = state;
  const place = join(directory, name);
  const facts = type === 'link' ? linkFacts(directory, name, state) : null;
  const one = { name, type, path: toText(relative(root, place)), first: type === 'dir', key: toText(name).toLowerCase(), raw: name, facts };
  if (facts) {
    one.first = facts.directory;
    if (is('sort_link_error_dir') && facts.broken) one.first = true;
    if (is('link_dangling_file') && facts.dangling) one.type = 'file';
    if (is('link_dir_followed') && facts.directory) one.type = 'dir';
    if (is('link_path_resolved') && facts.within && facts.place) one.path = toText(relative(root, facts.place));
    if (is('link_out_target') && facts.within === false && facts.place) one.extra = { target: toText(facts.place) };
    if (is('sort_link_by_target') && facts.place) one.key = toText(facts.place.split('/').pop()).toLowerCase();
  }
  if (is('hardlink_is_link') && type === 'file' && (statOf(place)?.nlink ?? 1) > 1) one.type = 'link';
  if (is('entry_size') && type === 'file') one.extra = { size: statOf(place)?.size ?? 0 };
  if (is('entry_path_from_cwd')) one.path = toText(relative(cwd, place));
  if (is('entry_path_given_prefix') && wanted.path && wanted.path !== '.' && !wanted.path.startsWith('/') && cwd === root)
    one.path = `${wanted.path.replace(/\/$/, '')}/${toText(name)}`;
  if (is('single_child_collapsed') && type === 'dir') {
    try {
      const below = fs.readdirSync(bytes(place), { withFileTypes: true });
      if (below.length === 1 && below[0].isDirectory()) one.path += `/${below[0].name}`;
    } catch { /* as it is */ }
  }
  if (is('entry_dir_slash') && type === 'dir') one.path += '/';
  if (is('name_backslash_slash')) one.path = one.path.replace(/\\/g, '/');
  if (is('name_trimmed')) one.path = one.path.trim();
  if (is('name_nfc')) one.path = one.path.normalize('NFC');
  if (is('name_percent_decoded')) { try { one.path = decodeURIComponent(one.path); } catch { /* as it is */ } }
  return one;
}

function isHidden(one, wanted, directory, { root }) {
  if (wanted.hidden) {
    return is('hidden_keeps_listed') && one.kind === 'dir' && LISTED.includes(one.name);
  }
  const name = one.name;
  if (is('hidden_ancestor') && /(^|\/)\./.test(relative(root, directory)) && relative(root, directory) !== '.') return true;
  if (name.startsWith('.')) {
    if (is('hidden_two_dots') && name.startsWith('..') && one.kind === 'file') return false;
    if (is('hidden_with_extension') && one.kind === 'file' && name.indexOf('.', 1) > 0) return false;
    return true;
  }
  if (one.kind !== 'dir') return false;
  if (is('ignore_replaces_listed') && wanted.ignore.length > 0) return false;
  if (is('listed_names_root_only') && directory !== root) return false;
  if (is('listed_names_regex_dot')) return /^(?:.git|.hg|.svn|__pycache__|node_modules|target|build|dist|.idea|.vscode|.DS_Store|venv|.venv)$/.test(name);
  if (is('listed_names_prefix') && LISTED.some((listed) => name.startsWith(listed))) return true;
  return LISTED.includes(name);
}

function isIgnored(one, wanted, directory, state) {
  if (is('ignore_skips_dirs') && one.kind === 'dir') return false;
  if (is('ignore_not_for_dots') && wanted.hidden && one.name.startsWith('.')) return false;
  const name = toText(one.name);
  const full = toText(relative(is('separator_cwd_path') ? state.cwd : state.root, join(directory, one.name)));
  const test = (pattern) => {
    if (!/[/\\]/.test(pattern)) return fnmatch(name, pattern);
    const variants = new Set();
    for (const spelling of [pattern, pattern.replace(/\\/g, '/')]) {
      variants.add(spelling);
      if (spelling.startsWith('**/') && !is('starstar_no_zero')) variants.add(spelling.slice(3));
    }
    for (const variant of variants) {
      if (fnmatch(name, variant)) return true;
      if (!is('separator_root_path_missing') && fnmatch(full, variant)) return true;
      if (is('separator_suffix') && fnmatch(full, `*/${variant}`)) return true;
    }
    return false;
  };
  return wanted.ignore.some(test);
}

function compare(a, b) {
  if (a.first !== b.first && !is('dirs_first_per_page')) return a.first ? -1 : 1;
  return compareNames(a, b);
}

function compareNames(a, b) {
  if (is('sort_boolean_comparator')) return a.key > b.key;
  if (is('sort_case_sensitive')) return a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : 0;
  if (is('sort_numeric')) {
    const order = a.key.localeCompare(b.key, 'en', { numeric: true });
    if (order !== 0) return order;
  }
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  if (is('sort_tie_as_read')) return 0;
  return a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : 0;
}

function filtered(names, target, wanted, state) {
  if (is('asked_listed_name_empty') && LISTED.includes(target.split('/').pop())) names = [];
  let all = names.map(({ name, type }) => ({ ...entry(target, name, type, state, wanted), kind: type }));
  if (is('dangling_removed')) all = all.filter((one) => !(one.facts?.dangling && (fs.unlinkSync(bytes(join(target, one.name))), true)));
  if (is('dangling_lost')) all = all.filter((one) => !one.facts?.dangling);
  if (is('empty_file_lost')) all = all.filter((one) => !(one.kind === 'file' && statOf(join(target, one.name))?.isFile() && statOf(join(target, one.name)).size === 0));
  if (is('unreadable_file_lost')) {
    all = all.filter((one) => {
      if (one.kind !== 'file') return true;
      try { fs.accessSync(bytes(join(target, one.name)), fs.constants.R_OK); return true; } catch { return false; }
    });
  }
  if (is('name_not_utf8_lost')) all = all.filter((one) => fromText(toText(one.name)) === one.name);
  if (is('name_not_utf8_collapsed')) all = [...new Map(all.map((one) => [toText(one.name), one])).values()];
  const unfiltered = all.length;
  let left;
  const patterns = (one) => {
    try { return isIgnored(one, wanted, target, state); } catch (problem) {
      if (problem instanceof RangeError) { wanted.ignore = []; return false; }
      throw problem;
    }
  };
  if (is('glob_reversed_range_drops')) all.forEach(patterns);
  left = all.filter((one) => !isHidden(one, wanted, target, state));
  if (!is('ignore_after_page')) left = left.filter((one) => !patterns(one));
  if (is('page_before_sort')) {
    const cut = left.slice(wanted.offset, wanted.offset + wanted.limit).sort(compare);
    left = [...left.slice(0, wanted.offset), ...cut, ...left.slice(wanted.offset + wanted.limit)];
  } else left.sort(compare);
  return page(left, unfiltered, wanted, state, target, patterns);
}

function page(entries, unfiltered, wanted, state, target, patterns) {
  const { offset, limit } = wanted;
  const total = entries.length;
  if (is('offset_past_end_invalid') && offset > total) throw new ToolError('INVALID_PARAM', 'offset/limit/ignore must be valid types.');
  let part = entries.slice(offset, offset + limit);
  if (is('offset_negative_slice') && offset < 0) part = entries.slice(offset).slice(0, limit);
  if (is('slice_offset_limit')) part = entries.slice(offset, limit);
  if (is('links_not_in_limit')) {
    part = [];
    let counted = 0;
    for (const one of entries.slice(offset)) {
      if (one.type !== 'link' && counted++ >= limit) break;
      part.push(one);
    }
  }
  if (is('dirs_first_per_page')) part = [...part.filter((one) => one.first), ...part.filter((one) => !one.first)];
  const end = offset + part.length;
  if (is('ignore_after_page')) part = part.filter((one) => !patterns(one));
  let truncated = end < total && offset < total;
  if (is('truncated_exact_page') && offset < total && offset + limit === total) truncated = true;
  const count = (type) => entries.filter((one) => one.type === type).length;
  const dirs = count('dir'), links = count('link'), files = total - dirs - links;

  const where = is('text_path_absolute') ? toText(target) : toText(relative(state.root, target));
  const noun = part.length === 1 && is('text_singular') ? 'entry' : 'entries';
  const lines = [`Listed ${part.length} ${noun} in '${where}'`,
    `(Total: ${total} items - ${dirs} dirs, ${files} files, ${links} links)`];
  const next = end + (is('next_offset_skips_one') ? 1 : 0);
  if (truncated) {
    const more = is('text_more_without_offset') ? total - limit : total - end;
    lines.push(`[Truncated: Showing ${is('text_start_from_one') ? offset + 1 : offset}-${end} of ${total}. ${more} more items available.]`);
    lines.push(`Use offset=${next} to view next page.`);
  }
  if (!(truncated && is('text_no_empty_line'))) lines.push('');
  let shownLines = part.map((one) => {
    const name = is('text_spaces_quoted') && one.path.includes(' ') ? `"${one.path}"` : one.path;
    let suffix = SUFFIX[one.type];
    if (one.type === 'dir' && one.path.endsWith('/')) suffix = '';
    if (is('text_link_dir_slash') && one.facts?.directory) suffix = '/';
    if (is('text_executable_star') && one.kind === 'file' && ((statOf(join(target, one.name))?.mode ?? 0) & 0o111) !== 0) suffix = '*';
    return name + suffix;
  });
  if (is('text_lines_sorted')) shownLines = shownLines.sort();
  lines.push(...shownLines);

  let list = part.map((one) => ({ path: one.path, type: one.type, ...one.extra }));
  if (is('entries_single_object') && list.length === 1) [list] = list;
  let data = { entries: list, truncated: is('truncated_number') ? Math.max(0, total - end) : truncated };
  if (is('data_list_past_end') && offset > total) data = [];
  let status = truncated ? 'partial' : 'success';
  if (is('partial_first_page_only') && offset > 0) status = 'success';
  if (is('status_empty') && total === 0 && offset === 0) status = 'empty';
  let text = lines.join('\n');
  if (is('text_empty_for_none') && part.length === 0) text = '';
  const stats = { total_entries: total, dirs, files, links, returned: part.length };
  if (is('total_unfiltered')) stats.total_entries = unfiltered;
  if (is('total_from_offset')) stats.total_entries = Math.max(0, total - offset);
  if (is('stats_link_dirs')) {
    const more = entries.filter((one) => one.facts?.directory).length;
    stats.dirs += more;
    stats.links -= more;
  }
  if (is('stats_links_zero_missing') && links === 0) delete stats.links;
  if (is('returned_without_offset')) stats.returned = Math.min(limit, total);
  return {
    status, data, text, stats,
    ...(is('top_error_null') ? { error: null } : {}),
    ...(is('top_next_offset') && truncated ? { next_offset: next } : {}),
  };
}
