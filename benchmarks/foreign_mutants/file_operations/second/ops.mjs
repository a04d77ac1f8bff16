// move and copy.
import fs from 'node:fs'
import { bug, raw, text, lstat, stat, readlink, readdir, join, parent, base, resolve, under, fail, bin } from './box.mjs'

const { constants: C } = fs
const O_PATH = 0o10000000
const refuse = message => { const error = new Error(message); error.code = 'EREFUSED'; throw error }
const isMissing = error => error.code === 'ENOENT' || error.code === 'ENOTDIR' && bug('file_in_the_way_replaced')
const look = path => { try { return lstat(path) } catch (error) { if (isMissing(error)) return null; throw error } }
const isDir = path => { try { return stat(path).isDirectory() } catch { return false } }
const unlink = path => fs.unlinkSync(raw(path))
const rename = (from, to) => fs.renameSync(raw(from), raw(to))
const quietly = action => { try { action() } catch { /* nothing more can be done */ } }
let serial = 0
const beside = (path, fixed = '.tmp') => bug('temporary_name_is_fixed') ? path + fixed
  : join(parent(path), `.fo-${process.pid.toString(36)}-${Date.now().toString(36)}-${(serial++).toString(36)}`)

const statCache = new Map()
function lookAtTarget(path) {
  if (!bug('looks_are_remembered')) return look(path)
  if (!statCache.has(path)) statCache.set(path, look(path))
  return statCache.get(path)
}

/** Where the result stands: in the destination if that is a directory. */
export function finalPlace(tool, source, destination, argument, box) {
  if (!isDir(destination.real)) return { ...destination, entered: false }
  if (bug('entered_only_with_slash') && tool === 'copy' && !/\/\.?$|^\.$/.test(argument)) return { ...destination, entered: false }
  if (bug('unreadable_directory_not_entered')) {
    try { readdir(destination.real) } catch { return { ...destination, entered: false } }
  }
  if (bug('link_to_link_not_entered') && destination.real !== destination.entry) {
    const next = readlink(destination.entry)
    if (look(next.startsWith('/') ? next : join(parent(destination.entry), next))?.isSymbolicLink()) return { ...destination, entered: false }
  }
  const sourceIsDir = look(source.entry)?.isDirectory()
  if (bug('empty_directory_is_replaced') && tool === 'move' && sourceIsDir && readdir(destination.real).length === 0) {
    return { ...destination, entered: false, emptied: true }
  }
  if (bug('content_of_directory_copied') && tool === 'copy' && sourceIsDir) return { ...destination, entered: false, merged: true }
  let name = base(source.entry)
  if (bug('name_after_backslash')) name = name.slice(name.lastIndexOf('\\') + 1)
  const path = join(destination.real, name)
  return { ...box.check(path, { deny: !bug('denied_name_in_directory') }), entered: true }
}

/** Pins the directory of a path: the place cannot come to lie elsewhere while the call runs. */
class Pins {
  constructor() { this.fds = []; this.made = [] }
  directory(path) {
    const fd = fs.openSync(raw(path), O_PATH | C.O_DIRECTORY | C.O_NOFOLLOW)
    this.fds.push(fd)
    const place = `/proc/self/fd/${fd}`
    if (readlink(place) !== path) refuse('the directory has changed')
    return place
  }
  /** The path of an entry below its pinned directory. */
  entry(path) { return path === '/' ? path : join(this.directory(parent(path)), base(path)) }
  /** The same, where directories on the way may have to be made. */
  target(path) {
    if (bug('missing_tail_by_text')) { fs.mkdirSync(raw(parent(path)), { recursive: true }); return path }
    const missing = []
    let directory = parent(path)
    while (look(directory) === null) { missing.unshift(base(directory)); directory = parent(directory) }
    if (!lstat(directory).isDirectory()) {
      if (bug('file_in_the_way_replaced')) { unlink(directory); fs.mkdirSync(raw(directory)) } else refuse('the directory of the destination is a file')
    }
    let place = this.directory(directory)
    for (const name of missing) {
      const next = join(place, name)
      fs.mkdirSync(raw(next))
      this.made.push(next)
      place = this.directory(join(directory, name))
      directory = join(directory, name)
    }
    return join(place, base(path))
  }
  unmake() { for (const path of this.made.reverse()) quietly(() => fs.rmdirSync(raw(path))) }
  close() { for (const fd of this.fds) fs.closeSync(fd) }
}

export function run(tool, source, target, overwrite, args, box) {
  const shown = `${text(source.entry)} to ${text(target.entry)}`
  if (box.isRoot(source.entry)) fail('ExecutionFailed', 'the source contains the sandbox itself')
  const pins = new Pins()
  try {
    transfer(tool, source, target, overwrite, args, pins)
  } catch (error) {
    if (error.kind) throw error
    const keep = bug('made_directories_stay_without_source') && error.missingSource || bug('made_directories_stay_after_failure')
    if (!keep) pins.unmake()
    fail('ExecutionFailed', `cannot ${tool} ${shown}: ${error.message}`)
  } finally {
    pins.close()
  }
  return `${tool === 'move' ? 'Moved' : 'Copied'} ${shown}`
}

function transfer(tool, source, target, overwrite, args, pins) {
  const moving = tool === 'move'
  if (bug('wildcard_in_source') && args.source.includes('*') && look(source.entry) === null) {
    const shape = new RegExp('^' + base(source.entry).split('*').map(part => part.replace(/[[\]\\^$.|?+(){}]/g, '\\$&')).join('.*') + '$', 's')
    const found = readdir(parent(source.entry)).sort().find(name => shape.test(name))
    if (found) source = { entry: join(parent(source.entry), found), real: resolve(join(parent(source.entry), found)) }
  }
  if (bug('made_directories_stay_without_source')) quietly(() => pins.target(target.entry))
  let from
  try {
    from = lstat(source.entry)
    if (!moving && !(bug('dangling_link_copied_as_empty_file') && from.isSymbolicLink())) from = stat(source.real)
  } catch (error) {
    error.missingSource = true
    throw error
  }
  if (/\/\.?$/.test(args.source) && !from.isDirectory() && !stat(source.real).isDirectory()) refuse('the source is not a directory')
  const content = moving ? source.entry : source.real
  if (bug('link_at_final_name_written_through') && !moving && overwrite && look(target.entry)?.isSymbolicLink() && !look(target.real)) {
    target = { ...target, entry: target.real }
  }
  let to = lookAtTarget(target.entry)
  if (to === null && /\/\.?$/.test(args.destination) && !target.entered) refuse('the destination is not a directory')
  if (bug('unreadable_file_is_free') && to?.isFile() && !overwrite) {
    try { fs.accessSync(raw(target.entry), C.R_OK) } catch { overwrite = true }
  }
  if (bug('newer_source_overwrites') && to?.isFile() && from.mtimeNs > to.mtimeNs) overwrite = true
  if (bug('link_is_free') && to?.isSymbolicLink() && look(target.real)) overwrite = true
  if (bug('names_taken_whatever_the_case') && to === null && isDir(parent(target.entry))) {
    const taken = text(base(target.entry)).toLowerCase()
    const itself = moving && target.entry !== source.entry && parent(source.entry) === parent(target.entry) ? base(source.entry) : null
    if (readdir(parent(target.entry)).some(name => name !== itself && text(name).toLowerCase() === taken)) refuse('the destination exists')
  }
  if (bug('case_of_name_not_changed') && moving && to === null && parent(source.entry) === parent(target.entry) &&
      text(source.entry).toLowerCase() === text(target.entry).toLowerCase()) return
  const merging = to?.isDirectory() && from.isDirectory() && !moving && (target.merged || bug('existing_directory_merged') && target.entered)
  if (to !== null && !overwrite && !merging && !target.emptied) {
    if (bug('numbered_if_taken') && target.entered) {
      let n = 1
      while (look(`${target.entry} (${n})`)) n++
      target = { ...target, entry: `${target.entry} (${n})` }
      to = null
    } else refuse('the destination exists')
  }
  if (from.isDirectory()) {
    const inside = bug('prefix_is_inside') ? target.entry.startsWith(content) && target.entry !== content
      : bug('tree_copied_while_it_grows') ? args.destination.startsWith(args.source + '/') || args.destination === args.source
        : under(content, target.entry)
    if (inside) refuse('a directory cannot go into itself')
  }
  if (target.entry === content || target.entry === source.entry) refuse('source and destination are the same')
  if (to !== null && source.real === target.real && (to.isSymbolicLink() || from.isSymbolicLink())) {
    if (bug('link_to_source_written_through') && !moving) { fs.writeFileSync(raw(target.entry), readTruncated(content, target.entry)); return }
    refuse('source and destination are one file')
  }
  if (to?.isDirectory() && !merging && !target.emptied) {
    if (bug('directory_replaced_by_directory') && from.isDirectory()) fs.rmSync(raw(target.entry), { recursive: true, force: true })
    else refuse('the destination is a directory')
    to = look(target.entry)
  }
  if (to !== null && !to.isDirectory() && from.isDirectory()) refuse('a directory cannot replace a file')

  const at = bug('source_not_held') ? content : pins.entry(content)
  const onto = pins.target(target.entry)
  if (moving) move(at, from, onto, to, target.entered, source)
  else if (from.isSymbolicLink()) fs.writeFileSync(raw(onto), '')
  else copy(at, from, onto, to, merging)
}

function readTruncated(source, target) {
  const fd = fs.openSync(raw(target), C.O_WRONLY | C.O_TRUNC)
  fs.closeSync(fd)
  return fs.readFileSync(raw(source))
}

function move(at, from, onto, to, entered, source) {
  if (to !== null && to.dev === from.dev && to.ino === from.ino && !from.isDirectory()) {
    if (bug('hard_links_both_removed')) { unlink(onto); unlink(at); return }
    return unlink(at) // rename would leave both names
  }
  if (bug('directory_moved_by_copy') && from.isDirectory() && to === null) {
    copyTree(at, onto, { times: 'inner', links: 'kept' })
    return removeTree(at)
  }
  try {
    return rename(at, onto)
  } catch (error) {
    if (bug('failed_rename_ignored') && error.code !== 'EXDEV') return
    if (error.code !== 'EXDEV' || bug('no_other_file_system_below_directory') && entered) throw error
  }
  if (from.isDirectory()) return moveTreeAcross(at, onto)
  if (from.isSymbolicLink()) return moveLinkAcross(at, onto, to, source)
  if (!from.isFile()) refuse('a special file cannot go to another file system')
  if (bug('file_removed_before_it_is_written')) {
    const bytes = fs.readFileSync(raw(at))
    unlink(at)
    fs.writeFileSync(raw(onto), bytes, { mode: Number(from.mode & 0o7777n) })
    fs.chmodSync(raw(onto), Number(from.mode & 0o7777n))
    return setTimes(onto, from)
  }
  const made = beside(onto)
  try {
    copyFile(at, made, { across: true })
    setMode(made, from)
    setTimes(made, from)
  } catch (error) {
    quietly(() => unlink(made))
    if (bug('old_file_removed_by_cleaning') && to !== null) quietly(() => unlink(onto))
    throw error
  }
  replaceAndRemove(made, onto, to, () => unlink(at))
}

/** Gives the new entry its final name, and removes the source; if that fails, all is as before. */
function replaceAndRemove(made, onto, to, remove) {
  let saved = null
  try {
    if (to !== null) { saved = beside(onto, '.old'); fs.linkSync(raw(onto), raw(saved)) }
    rename(made, onto)
  } catch (error) {
    quietly(() => unlink(made))
    if (saved) quietly(() => unlink(saved))
    throw error
  }
  try {
    remove()
  } catch (error) {
    if (saved) rename(saved, onto)
    else unlink(onto)
    throw error
  }
  if (saved) quietly(() => unlink(saved))
}

function moveLinkAcross(at, onto, to, source) {
  const made = beside(onto)
  let target = readlink(at)
  if (bug('link_target_decoded')) target = bin(text(target))
  if (bug('link_across_made_absolute') && !target.startsWith('/')) target = join(parent(source.entry), target)
  if (bug('link_across_must_lead_somewhere')) stat(at)
  fs.symlinkSync(raw(target), raw(made))
  const old = lstat(at)
  fs.lutimesSync(raw(made), seconds(old.atimeNs), seconds(old.mtimeNs))
  replaceAndRemove(made, onto, to, () => unlink(at))
}

// Node takes a negative number for the present, but not a negative date.
const seconds = ns => ns < 0n && !bug('time_before_1970_is_now') ? new Date(Number(ns / 1000000n)) : Number(ns) / 1e9
function setTimes(path, from) {
  if (bug('time_across_in_milliseconds')) return fs.utimesSync(raw(path), new Date(Number(from.atimeNs / 1000000n)), new Date(Number(from.mtimeNs / 1000000n)))
  if (bug('time_across_only_if_not_empty') && from.size === 0n) return
  if (bug('time_across_32_bits')) return fs.utimesSync(raw(path), seconds(from.atimeNs), Number(from.mtimeNs / 1000000000n) | 0)
  fs.utimesSync(raw(path), seconds(from.atimeNs), seconds(from.mtimeNs))
}
const setMode = (path, from) => fs.chmodSync(raw(path), Number(from.mode & 0o7777n))

function copy(at, from, onto, to, merging) {
  if (from.isDirectory()) {
    if (merging) return mergeTree(at, onto)
    if (bug('tree_copied_while_it_grows')) return growTree(at, onto, 0)
    return copyTree(at, onto, { links: bug('links_in_copied_tree_followed') ? 'followed' : 'kept', copied: true })
  }
  if (!from.isFile()) refuse('a special file is not copied')
  if (bug('old_file_removed_first') && to !== null) unlink(onto)
  const made = bug('temporary_beside_source') ? beside(at) : beside(onto)
  try {
    copyFile(at, made, {})
    let mode = from.mode & 0o7777n
    if (bug('read_only_file_copied_writable')) mode |= 0o200n
    if (bug('umask_on_copy')) mode &= ~BigInt(process.umask() | 0o022)
    if (bug('old_mode_survives_copy') && to?.isFile()) mode = to.mode & 0o7777n
    fs.chmodSync(raw(made), Number(mode))
    rename(made, onto)
  } catch (error) {
    quietly(() => unlink(made))
    if (bug('failed_copy_removes_old_file') && to !== null) quietly(() => unlink(onto))
    throw error
  }
}

/** Copies the content of a file to a new file. */
function copyFile(at, made, { across = false, inner = false }) {
  const input = fs.openSync(raw(at), C.O_RDONLY | C.O_NOFOLLOW | C.O_NONBLOCK)
  try {
    const flags = C.O_WRONLY | C.O_CREAT | C.O_NOFOLLOW | (bug('temporary_name_is_fixed') ? C.O_TRUNC : C.O_EXCL)
    const output = fs.openSync(raw(made), flags, 0o600)
    try {
      const size = bug('copy_padded_to_block') ? 4096 : 1 << 16
      const buffer = Buffer.alloc(size)
      let first = true
      if (bug('short_write_ignored')) fs.writeSync(output, fs.readFileSync(input)) // one call, and all is written?
      for (;;) {
        let count = fs.readSync(input, buffer, 0, size, null)
        if (count === 0) break
        let piece = buffer.subarray(0, count)
        if (bug('copy_padded_to_block') && !across) piece = buffer
        if (bug('byte_order_mark_lost') && first && across && piece.length > 3 && piece.subarray(0, 3).toString('hex') === 'efbbbf') piece = piece.subarray(3)
        if (bug('line_ends_converted') && !inner && !across && !piece.includes(0)) piece = Buffer.from(piece.toString('latin1').replace(/\r\n/g, '\n'), 'latin1')
        if (bug('last_full_block_lost') && !first && count === size && fs.fstatSync(input).size % size === 0 && atEnd(input, output, size)) break
        for (let done = 0; done < piece.length;) done += fs.writeSync(output, piece, done)
        first = false
      }
      fs.fsyncSync(output)
    } finally {
      fs.closeSync(output)
    }
  } catch (error) {
    quietly(() => unlink(made))
    throw error
  } finally {
    fs.closeSync(input)
  }
}
const atEnd = (input, output, size) => fs.fstatSync(input).size === fs.fstatSync(output).size + size

/** Reads a whole tree before anything is written; what cannot be copied stops the call here. */
function plan(at, options, depth = 1) {
  const entries = []
  let names
  try {
    names = readdir(at)
  } catch (error) {
    if (!bug('unreadable_directory_copied_as_empty')) throw error
    names = []
  }
  if (bug('names_in_tree_decoded')) names = fs.readdirSync(raw(at)).map(bin)
  if (bug('hundred_entries_only')) names = names.sort().slice(0, 100)
  for (const name of names) {
    const path = join(at, name)
    let found
    try { found = lstat(path) } catch (error) { if (bug('names_in_tree_decoded')) continue; throw error }
    if (!options.copied && bug('node_modules_left_out') && name === 'node_modules' && found.isDirectory()) continue
    if (options.copied && bug('git_left_out') && (name === '.git' || name === '.gitignore')) continue
    if (bug('build_directories_left_out') && depth > 1 && (name === 'target' || name === 'dist')) continue
    if (bug('backup_files_left_out') && /(~|\.bak|\.tmp|\.swp)$/.test(name)) continue
    if (bug('deep_directories_left_out') && depth > 8 && found.isDirectory()) continue
    if (found.isDirectory()) {
      const children = plan(path, options, depth + 1)
      if (bug('empty_directories_left_out') && children.length === 0) continue
      entries.push({ name, found, children })
    } else if (found.isSymbolicLink()) {
      if (bug('dangling_links_left_out')) try { stat(path) } catch { continue }
      if (bug('links_left_out') && options.copied) continue
      entries.push({ name, found, target: readlink(path) })
    } else if (found.isFile()) {
      if (bug('empty_files_left_out') && found.size === 0n && options.copied) continue
      try { fs.closeSync(fs.openSync(raw(path), C.O_RDONLY | C.O_NOFOLLOW | C.O_NONBLOCK)) } catch (error) {
        if (bug('unreadable_files_left_out')) continue
        throw error
      }
      entries.push({ name, found })
    } else if (!bug('special_files_left_out')) refuse(`a special file: ${text(name)}`)
  }
  return entries
}

/** Copies a tree under a temporary name, and gives it the final name when it is complete. */
function copyTree(at, onto, options) {
  const from = lstat(at)
  const entries = plan(at, options)
  const made = bug('half_tree_stays') ? onto : beside(onto)
  try {
    write(at, made, from, entries, options)
    if (made !== onto) { if (look(onto)) refuse('the destination exists'); rename(made, onto) }
  } catch (error) {
    if (!bug('half_tree_stays')) quietly(() => removeTree(made, true))
    throw error
  }
}

function write(at, made, from, entries, options, top = true) {
  fs.mkdirSync(raw(made), 0o700)
  for (const { name, found, children, target } of entries) {
    const [source, result] = [join(at, name), join(made, name)]
    if (children) write(source, result, found, children, options, false)
    else if (target !== undefined) {
      let aim = target
      if (bug('links_in_tree_made_absolute') && !aim.startsWith('/')) aim = join(fs.realpathSync.native(raw(parent(source)), { encoding: 'buffer' }).toString('latin1'), aim)
      if (options.links === 'followed' && quiet(() => stat(source).isFile())) {
        fs.copyFileSync(raw(source), raw(result))
        continue
      }
      fs.symlinkSync(raw(aim), raw(result))
      if (options.times) quietly(() => fs.lutimesSync(raw(result), seconds(found.atimeNs), seconds(found.mtimeNs)))
    } else if (bug('tree_of_hard_links') && options.copied) {
      fs.linkSync(raw(source), raw(result))
    } else {
      copyFile(source, result, { across: true, inner: true })
      if (bug('inner_modes_lost')) fs.chmodSync(raw(result), 0o644)
      else setMode(result, found)
      if (options.times && !bug('inner_times_lost')) setTimes(result, found)
      if (bug('files_removed_one_by_one') && options.times) unlink(source)
    }
  }
  if (options.times && bug('directory_times_set_too_early')) {
    setTimes(made, from)
    if (entries.length) fs.utimesSync(raw(made), new Date(), new Date())
  }
  if (!(bug('directory_modes_lost') && options.copied) && !(bug('directory_modes_across_lost') && options.times)) setMode(made, from)
  else fs.chmodSync(raw(made), 0o755)
  if (options.times && options.times !== 'inner' && !bug('directory_times_set_too_early')) setTimes(made, from)
}
const quiet = action => { try { return action() } catch { return undefined } }

function mergeTree(at, onto) {
  for (const name of readdir(at)) {
    const [source, result] = [join(at, name), join(onto, name)]
    const found = lstat(source)
    if (found.isDirectory()) {
      if (!look(result)) copyTree(source, result, { links: 'kept', copied: true })
      else mergeTree(source, result)
    } else if (found.isSymbolicLink()) {
      if (!look(result)) fs.symlinkSync(raw(readlink(source)), raw(result))
    } else {
      fs.copyFileSync(raw(source), raw(result))
    }
  }
}

function growTree(at, onto, depth) {
  fs.mkdirSync(raw(onto))
  if (depth > 60) refuse('too deep')
  for (const name of readdir(at)) {
    const [source, result] = [join(at, name), join(onto, name)]
    const found = lstat(source)
    if (found.isDirectory()) growTree(source, result, depth + 1)
    else if (found.isSymbolicLink()) fs.symlinkSync(raw(readlink(source)), raw(result))
    else if (found.isFile()) { fs.copyFileSync(raw(source), raw(result)); setMode(result, found) }
    else refuse('a special file')
  }
  setMode(onto, lstat(at))
}

function removable(at, entries) {
  fs.accessSync(raw(at), C.W_OK | C.X_OK)
  for (const { name, children } of entries) if (children) removable(join(at, name), children)
}

function moveTreeAcross(at, onto) {
  const options = { links: 'kept', times: 'all' }
  const careless = bug('tree_not_deletable_and_ignored') || bug('tree_not_deletable_and_new_one_removed')
  if (!careless) {
    removable(at, plan(at, {}))
    if (!bug('files_removed_one_by_one')) fs.accessSync(raw(parent(at)), C.W_OK | C.X_OK)
  }
  copyTree(at, onto, options)
  try {
    removeTree(at)
  } catch (error) {
    if (bug('tree_not_deletable_and_ignored')) return
    if (bug('tree_not_deletable_and_new_one_removed')) quietly(() => removeTree(onto, true))
    throw error
  }
}

function removeTree(at, force = false) {
  const found = look(at)
  if (found === null) return
  if (found.isDirectory()) {
    if (force) quietly(() => fs.chmodSync(raw(at), 0o700))
    let names = []
    try { names = readdir(at) } catch (error) { if (!bug('unreadable_directory_copied_as_empty')) throw error }
    for (const name of names) removeTree(join(at, name), force)
    fs.rmdirSync(raw(at))
  } else unlink(at)
}
