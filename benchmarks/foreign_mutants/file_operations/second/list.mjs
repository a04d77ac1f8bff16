// list_directory.
import { bug, raw, text, lstat, stat, readdir, join, base, fail } from './box.mjs'

const SWITCHES = { include_hidden: false, include_files: true, include_dirs: true, include_symlinks: true, include_other: false }

/** Reads the arguments against the schema and the configuration. */
export function readCall(args, config, called) {
  const table = config?.tools?.list_directory ?? {}
  if (typeof table !== 'object' || Array.isArray(table)) fail('ConfigInvalid', 'tools.list_directory must be a table')
  const natural = (values, name, kind) => {
    const value = values[name]
    if (value === undefined) return undefined
    if (!Number.isInteger(value) || value < 1) fail(kind, `${name} must be an integer from 1 on`)
    return value
  }
  const flag = (values, name, key, otherwise, kind) => {
    const value = values[key]
    if (value === undefined) return otherwise
    if (typeof value !== 'boolean') fail(kind, `${key} must be a boolean`)
    return value
  }
  if (typeof args.path !== 'string') fail('BadArgs', 'path is required and must be a text')
  const call = { called, path: normalized(args.path) }
  const deepest = natural(table, 'max_depth', 'ConfigInvalid') ?? 4
  const most = natural(table, 'max_entries', 'ConfigInvalid') ?? (bug('fewer_entries_by_alias') && called !== 'list_directory' ? 100 : 200)
  call.recursive = flag(args, 'recursive', 'recursive', bug('ls_is_recursive') && called === 'ls', 'BadArgs')
  const depth = natural(args, 'max_depth', 'BadArgs')
  if (!call.recursive && depth !== undefined && depth !== 1) fail('BadArgs', 'max_depth must be 1 if recursive is false')
  if (call.recursive && depth > deepest) fail('BadArgs', `max_depth must be at most ${deepest}`)
  call.maxDepth = call.recursive ? depth ?? deepest : 1
  const asked = natural(args, 'max_entries', 'BadArgs')
  if (asked > most) fail('BadArgs', `max_entries must be at most ${most}`)
  call.maxEntries = asked ?? most
  for (const [name, usual] of Object.entries(SWITCHES)) {
    const configured = flag(table, name, `${name}_default`, usual, 'ConfigInvalid')
    call[name] = flag(args, name, name, configured, 'BadArgs')
  }
  if (!call.include_files && !call.include_dirs && !call.include_symlinks) fail('BadArgs', 'one kind of entries must be included')
  return call
}

function normalized(path) {
  path = path.trim()
  if (path === '' || path.includes('\0') || !path.isWellFormed()) fail('BadArgs', 'path is required and must be a path')
  if (bug('listed_path_as_given')) return path
  const parts = path.split('/').filter(part => part !== '' && part !== '.')
  if (path.startsWith('/')) return '/' + parts.join('/')
  return parts.length ? parts.join('/') : '.'
}

const order = (one, other) => {
  if (bug('listed_by_locale')) return text(one).localeCompare(text(other))
  if (bug('listed_by_utf16')) { const [a, b] = [text(one), text(other)]; return a < b ? -1 : a > b ? 1 : 0 }
  return Buffer.compare(Buffer.from(text(one)), Buffer.from(text(other))) || (one < other ? -1 : one > other ? 1 : 0)
}

export function list(call, place, context, box) {
  let found
  try { found = lstat(place) } catch (error) {
    fail('ExecutionFailed', error.code === 'ENOTDIR' ? `path is not a directory: ${call.path}` : `cannot list ${call.path}: ${error.message}`)
  }
  if (!found.isDirectory()) fail('ExecutionFailed', `path is not a directory: ${call.path}`)
  let names
  try { names = readdir(place) } catch (error) { fail('ExecutionFailed', `cannot list ${call.path}: ${error.message}`) }
  const walk = { entries: [], cut: false }
  visit(call, walk, place, names, '', 1)
  walk.entries.sort((one, other) => order(one.path, other.path))
  const lines = walk.entries.map(entry => JSON.stringify({
    name: text(base(entry.path)), path: text(entry.path), depth: entry.depth, type: entry.type, size_bytes: entry.size, modified_epoch_ms: entry.time,
    is_hidden: base(entry.path).startsWith('.'), error_code: entry.code, error: entry.error
  }))
  const budget = Math.min(number(context.max_output_bytes, 102400), number(context.available_capacity_bytes, 65536))
  const frame = (kept, reason) => `{"path":${JSON.stringify(call.path)},"entries":[${kept.join(',')}],"returned":${kept.length},` +
    `"max_entries":${call.maxEntries},"truncated":${reason !== null},"truncated_reason":${JSON.stringify(reason)}}`
  const size = document => bug('budget_in_characters') ? document.length : Buffer.byteLength(document)
  const whole = frame(lines, walk.cut ? 'max_entries' : null)
  if (size(whole) <= budget) return whole
  const around = size(frame([], 'max_output_bytes')) - 1
  let inner = lines.reduce((sum, line) => sum + size(line) + 1, 0)
  for (let kept = lines.length - 1; kept >= 0; kept--) {
    inner -= size(lines[kept]) + 1
    if (around + String(kept).length + Math.max(inner - 1, 0) <= budget) return frame(lines.slice(0, kept), 'max_output_bytes')
  }
  fail('ExecutionFailed', `output budget too small: ${budget} bytes`)
}
const number = (value, usual) => typeof value === 'number' ? value : usual

function visit(call, walk, place, names, prefix, depth) {
  for (const name of names.sort(order)) {
    if (walk.cut) return
    if (name.startsWith('.') && !call.include_hidden && !(bug('hidden_listed_when_recursive') && call.recursive)) continue
    enter(call, walk, join(place, name), prefix + name, depth)
  }
}

function enter(call, walk, place, path, depth) {
  const entry = { path, depth, type: 'unknown', size: null, time: null, code: null, error: null }
  let below = null
  try {
    const found = lstat(place)
    entry.type = found.isFile() ? 'file' : found.isDirectory() ? 'dir' : found.isSymbolicLink() ? 'symlink' : 'other'
    if (bug('linked_directories_entered') && entry.type === 'symlink' && depth < call.maxDepth) {
      try { if (stat(place).isDirectory()) below = readdir(place) } catch { /* leads nowhere */ }
    }
    entry.size = found.isFile() ? Number(found.size) : null
    const ns = found.mtimeNs
    entry.time = bug('listed_time_with_fraction') ? Number(ns) / 1e6 : Number(ns >= 0n ? ns / 1000000n : -((-ns + 999999n) / 1000000n))
  } catch {
    Object.assign(entry, { code: 'metadata_unavailable', error: 'cannot read the metadata' })
  }
  const full = () => walk.entries.length >= call.maxEntries
  if (entry.type === 'dir' && depth < call.maxDepth) {
    if (full() && call.include_dirs) { walk.cut = true; return }
    try { below = readdir(place) } catch {
      if (bug('unreadable_directory_not_listed')) return
      Object.assign(entry, { type: 'unknown', size: null, code: 'read_dir_failed', error: 'cannot read the directory' })
    }
  }
  const wanted = { file: call.include_files, dir: call.include_dirs, symlink: call.include_symlinks, other: call.include_other, unknown: true }[entry.type]
  if (wanted) {
    if (full()) { walk.cut = true; return }
    walk.entries.push(entry)
  }
  if (below) visit(call, walk, place, below, path + '/', depth + 1)
}
