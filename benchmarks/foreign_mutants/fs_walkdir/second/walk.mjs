// The tool: the sandbox, the walk, the metadata of an entry. Places are bytes, because file names are.
import fs from 'node:fs'
import os from 'node:os'
import { posix } from 'node:path'

const BUG = process.env.TREEPROOF_BUG ?? ''
const bug = name => BUG === name

class Refused extends Error {} // the path fails its validation
class Missing extends Error {} // the start is not there
class Unusable extends Error {} // the start cannot be looked at, or is no directory
class WalkError extends Error {}

const SLASH = Buffer.from('/')
const under = (directory, name) => directory.length === 0 ? name : Buffer.concat([directory, SLASH, name])
const inside = (root, place) => place === root || place.startsWith(root === '/' ? root : root + '/')

const knownRoots = new Set()
const memory = new Map()
const askedMissing = new Set()
let lastStart = null
let broken = false

function respell (path) {
  switch (BUG) {
    case 'nul_cut': {
      const cut = path.split('\0')[0]
      return cut === '' ? path : cut
    }
    case 'strip_leading_dots': return path.startsWith('/') ? path : path.replace(/^[./]+/, '') || '.'
    case 'arg_nfc': return path.normalize('NFC')
    case 'arg_depth_8': return path.split('/').filter(part => part !== '' && part !== '.').slice(0, 8).join('/') || '.'
    case 'arg_tilde': return path.replace(/^~(?=\/|$)/, os.homedir())
    case 'arg_dash':
      if (path.startsWith('-')) throw new Refused(`unknown option ${path}`)
      break
    case 'arg_url': return path.split(/[#?]/)[0] || '.'
    case 'arg_double_slash':
      if (path.includes('//')) throw new Refused('the path has an empty component')
      break
    case 'arg_reserved':
      if (path.split('/').some(part => /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(part))) throw new Refused('a reserved name')
      break
    case 'arg_trailing_dot':
      return path.split('/').map(part => /^\.*$/.test(part) ? part : part.replace(/\.+$/, '')).join('/')
    case 'arg_colon':
      if (path.includes(':')) throw new Refused('the path has a drive letter')
      break
    case 'arg_control': return path.replace(/[\x01-\x1f\x7f]/g, '') || '.'
  }
  return path
}

// locate returns { root, place, clean }: the place of the start in the sandbox, its last component not followed.
function locate (given, roots) {
  let path = respell(given)
  if (path.includes('\0')) throw new Refused('the path contains a NUL')
  let root = fs.realpathSync.native(roots[0])
  knownRoots.add(root)
  if (bug('cwd_drift') && lastStart !== null && lastStart.root === root) root = lastStart.place
  if (!path.isWellFormed()) throw new Missing('no such name')
  const absolute = path.startsWith('/')
  if (absolute && bug('resolve_absolute')) {
    const place = posix.normalize(path).replace(/(?<=.)\/$/, '')
    return { root, place: real(place), clean: '.' }
  }
  let clean = posix.normalize(path).replace(/\/$/, '')
  if (bug('dot_exact') && clean === '.' && path !== '.') throw new Refused('the path is empty')
  if (absolute) throw new Refused('the path is absolute')
  const textOut = clean === '..' || clean.startsWith('../')
  if (textOut) {
    const place = posix.resolve(root, clean)
    if (bug('refused_is_sandbox')) return { root, place: root, clean: '.' }
    if (bug('roots_accumulate') && [...knownRoots].some(known => inside(known, place))) return { root, place: real(place), clean }
    if (bug('case_neighbour') && inside(root.toLowerCase(), place.toLowerCase())) return { root, place: real(place), clean }
    throw new Refused('the path leads out of the sandbox')
  }
  let unchecked = false
  if (bug('backslash_after') && clean.includes('\\')) {
    unchecked = true
    clean = posix.normalize(clean.replaceAll('\\', '/'))
  }
  if (bug('decode_after') && /%[0-9a-f]{2}/i.test(clean)) {
    unchecked = true
    try {
      clean = posix.normalize(decodeURIComponent(clean))
    } catch {}
    if (clean.includes('\0')) throw new Refused('the path contains a NUL')
  }
  if (bug('trim_after') && clean.trim() !== clean && clean.trim() !== '') {
    unchecked = true
    clean = posix.normalize(clean.trim())
  }
  const place = clean === '.' ? root : posix.join(root, clean)
  if (unchecked) return { root, place: real(place), clean }
  if (path.split('/').includes('..')) {
    // a link before .. can lead out although the text does not
    try {
      if (!inside(root, fs.realpathSync.native(`${root}/${path}`))) throw new Refused('the path leads out of the sandbox')
    } catch (error) {
      if (error instanceof Refused) throw error
    }
  }
  if (bug('first_component')) {
    if (!inside(root, real(posix.join(root, clean.split('/')[0])))) throw new Refused('the path leads out of the sandbox')
    real(place)
    return { root, place, clean }
  }
  if (bug('first_hop')) {
    let step = root
    for (const part of clean.split('/')) {
      step = posix.join(step, part)
      let target = null
      try {
        target = posix.resolve(posix.dirname(step), fs.readlinkSync(step))
      } catch {}
      if (target !== null && !inside(root, target)) throw new Refused('a link leads out of the sandbox')
    }
    real(place)
    return { root, place, clean }
  }
  const resolved = real(place)
  const good = bug('real_prefix') ? resolved.startsWith(root)
    : bug('case_neighbour') ? inside(root.toLowerCase(), resolved.toLowerCase())
      : bug('roots_accumulate') ? [...knownRoots].some(known => inside(known, resolved))
        : inside(root, resolved)
  if (!good) {
    if (bug('refused_is_sandbox')) return { root, place: root, clean: '.' }
    throw new Refused('a link leads out of the sandbox')
  }
  return { root, place, clean }
}

function real (place) {
  try {
    return fs.realpathSync.native(place)
  } catch (error) {
    if (error.code === 'ENOENT') throw new Missing(place)
    const made = new Unusable(error.message)
    made.code = error.code
    throw made
  }
}

// walkTool returns { value, log, failed }: a list, or null with what is to be logged.
export function walkTool (path, roots) {
  const key = `${roots[0]}\0${path}`
  if (bug('memo') && memory.has(key)) return { value: memory.get(key), log: [], failed: false }
  try {
    if (broken && bug('sticky_error')) {
      broken = false
      throw new WalkError('an earlier walk failed')
    }
    const value = walkPath(path, roots)
    memory.set(key, value)
    return { value, log: [], failed: false }
  } catch (error) {
    return explain(error, path, roots, key)
  }
}

function explain (error, path, roots, key) {
  const log = [{ level: 'error', message: `FS.WalkDir: ${JSON.stringify(path)}: ${error.message}` }]
  const trimmed = path.replace(/\/+$/, '')
  const itself = posix.join(roots[0], trimmed)
  let isLink = false
  try {
    isLink = fs.lstatSync(itself).isSymbolicLink()
  } catch {}
  if (error instanceof Missing) {
    if (bug('missing_error')) throw error
    if (bug('missing_slash') && path.endsWith('/')) return { value: [], log: [], failed: false }
    if (bug('dangling_start') && isLink) return { value: [], log: [], failed: false }
    if (bug('dangling_logged') && isLink) return { value: null, log, failed: false }
    if (bug('missing_parent')) return walkTool(posix.dirname(posix.normalize(path)), roots)
    if (bug('missing_repeat_logged') && askedMissing.has(key)) return { value: null, log, failed: false }
    askedMissing.add(key)
    return { value: null, log: [], failed: false }
  }
  if (error instanceof RangeError) throw error
  if (bug('log_file')) fs.appendFileSync(posix.join(roots[0], 'walkdir.log'), log[0].message + '\n')
  if (bug('log_eacces') && error.code === 'EACCES' && error instanceof Unusable) return { value: null, log: [], failed: false }
  if (bug('log_loop') && error.code === 'ELOOP') return { value: null, log: [], failed: false }
  if (bug('loop_start') && error.code === 'ELOOP') return { value: [], log: [], failed: false }
  if (bug('enametoolong') && error.code === 'ENAMETOOLONG' && error instanceof Unusable) throw error
  if (bug('err_map') && error instanceof Unusable && error.code) return { value: {}, log, failed: true }
  if (error instanceof WalkError) {
    broken = true
    if (bug('unreadable_call_error')) throw error
    if (bug('walk_error_list')) return { value: [], log, failed: true }
    if (bug('log_start_unreadable') && error.depth === 1) return { value: null, log: [], failed: true }
    if (bug('error_shallow')) return { value: error.top ?? null, log, failed: true }
  }
  if (bug('err_false')) return { value: false, log, failed: true }
  return { value: null, log, failed: true }
}

function walkPath (path, roots) {
  const { root, place, clean } = locate(path, roots)
  let start = place
  const own = fs.lstatSync(start)
  let shallow = false
  let stat = own
  if (own.isSymbolicLink()) {
    try {
      stat = fs.statSync(start)
    } catch (error) {
      const made = error.code === 'ENOENT' ? new Missing(start) : new Unusable(error.message)
      made.code = error.code
      throw made
    }
    if (stat.isDirectory()) {
      if (bug('start_link_error')) throw new RangeError('the start is a link')
      if (!bug('start_link_shallow')) return [] // the walk finds a link and nothing below it
      start = fs.realpathSync.native(start)
      shallow = true
    } else if (bug('link_to_file')) return []
  }
  if (!stat.isDirectory()) {
    if (bug('empty_file_start') && stat.isFile() && stat.size === 0) return []
    if (!(bug('file_parent') && own.isFile())) throw new Unusable('the start is not a directory')
    start = posix.dirname(start)
  }
  lastStart = { root, place: start }
  const walk = new Walk(root, start, path, shallow)
  try {
    walk.list(Buffer.from(start), Buffer.alloc(0), 1)
  } catch (error) {
    if (bug('lock_left')) tryQuietly(() => fs.writeFileSync(posix.join(start, '.walkdir.lock'), String(process.pid)))
    const made = new WalkError(error.message)
    made.depth = walk.failedAt
    if (bug('error_shallow')) made.top = walk.firstLevel()
    throw made
  }
  if (bug('cache_written')) tryQuietly(() => fs.writeFileSync(posix.join(start, '.walkdir-cache'), JSON.stringify(walk.entries, plain)))
  if (bug('start_unclean_element') && path !== clean) {
    walk.entries.unshift({ name: posix.basename(start), path: '', isDir: true, size: 0, modTime: timeText(fs.lstatSync(start, { bigint: true })) })
  }
  return walk.result()
}

const plain = (_, value) => typeof value === 'bigint' ? String(value) : value

function tryQuietly (action) {
  try {
    action()
  } catch {}
}

class Walk {
  constructor (root, start, asked, shallow) {
    Object.assign(this, { root, start, asked, shallow, entries: [], failedAt: 0, opened: 0, lastSize: 0, links: 0 })
    this.names = new Set()
    this.prefixes = []
    this.ignored = bug('gitignore') ? this.readIgnored() : []
  }

  readIgnored () {
    try {
      return fs.readFileSync(posix.join(this.start, '.gitignore'), 'utf8').split('\n').map(line => line.trim().replace(/^\/|\/$/g, ''))
        .filter(line => line !== '' && !line.startsWith('#'))
    } catch {
      return []
    }
  }

  isIgnored (name) {
    return this.ignored.some(pattern => pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern)
  }

  // read returns the names in a directory, in the order of their bytes.
  read (place, depth) {
    try {
      return fs.readdirSync(place, { encoding: 'buffer' }).sort(Buffer.compare)
    } catch (error) {
      this.failedAt = depth
      throw error
    }
  }

  firstLevel () {
    this.entries = []
    try {
      for (const name of fs.readdirSync(this.start, { encoding: 'buffer' })) {
        const place = under(Buffer.from(this.start), name)
        this.add(place, name, name, fs.lstatSync(place, { bigint: true }), 1)
      }
    } catch {}
    return this.entries
  }

  // list appends what is in the directory at place; shown is its path as it is reported.
  list (place, shown, depth) {
    let names = this.read(place, depth)
    this.opened++
    if (bug('last_below_lost') && depth > 1) names = names.slice(0, -1)
    const seen = {}
    let prefix = shown
    for (let i = 0; i < names.length; i++) {
      const name = names[i]
      const text = name.toString()
      const inner = under(place, name)
      const stat = this.look(inner, depth)
      if (bug('seen_object')) {
        if (seen[text] !== undefined) continue
        seen[text] = true
      }
      if (this.omits(text, inner, stat, depth, under(shown, name))) continue
      const mark = this.entries.length
      this.add(inner, under(prefix, name), name, stat, depth)
      this.touch(inner, stat)
      if (stat.isSymbolicLink()) this.followed(inner, under(prefix, name), depth)
      if (!stat.isDirectory() || !this.opens(text, name, under(shown, name).toString(), depth)) continue
      const before = this.entries.length
      this.list(inner, under(prefix, name), depth + 1)
      const empty = this.entries.length === before
      if (bug('prefix_not_popped') && empty) prefix = under(prefix, name)
      if (bug('sibling_after_empty') && empty) i++
      if (bug('dirs_implied') && !empty) this.entries.splice(mark, 1)
      if (bug('tree')) this.entries[mark].children = this.entries.splice(before)
    }
  }

  look (place, depth) {
    try {
      return fs.lstatSync(place, { bigint: true })
    } catch (error) {
      this.failedAt = depth + 1
      throw error
    }
  }

  omits (name, place, stat, depth, shown) {
    switch (BUG) {
      case 'dot_hidden': return depth === 1 && this.start === this.root && name.startsWith('.')
      case 'dotfiles': return name.startsWith('.')
      case 'gitignore': return this.isIgnored(name)
      case 'fifo_omitted': return stat.isFIFO()
      case 'dangling_omitted': return stat.isSymbolicLink() && !fs.existsSync(place)
      case 'junk': return ['.DS_Store', 'Thumbs.db', 'desktop.ini'].includes(name)
      case 'empty_files': return stat.isFile() && stat.size === 0n
      case 'max_path_260': return shown.toString().length > 260
      case 'unreadable_files':
        if (!stat.isFile()) return false
        try {
          fs.closeSync(fs.openSync(place, 'r'))
          return false
        } catch {
          return true
        }
      case 'dir_links_omitted':
      case 'ancestor_links': {
        if (!stat.isSymbolicLink()) return false
        try {
          const target = fs.realpathSync.native(place)
          if (!fs.statSync(target).isDirectory()) return false
          return bug('dir_links_omitted') || inside(target, posix.dirname(place.toString()))
        } catch {
          return false
        }
      }
      case 'loop_nil':
        if (stat.isSymbolicLink()) {
          try {
            fs.statSync(place)
          } catch (error) {
            if (error.code === 'ELOOP') throw error
          }
        }
    }
    return false
  }

  opens (text, name, shown, depth) {
    switch (BUG) {
      case 'start_link_shallow': return !this.shallow
      case 'bad_utf8_closed': return Buffer.compare(Buffer.from(text), name) === 0
      case 'isdir_extname': return posix.extname(text) === ''
      case 'queue_100': return this.opened < 100
      case 'node_modules': return text !== 'node_modules'
      case 'glob_closed': return !/[[\]{}*?]/.test(text)
      case 'visited_name': {
        const fresh = !this.names.has(text)
        this.names.add(text)
        return fresh
      }
      case 'visited_prefix': {
        const known = this.prefixes.some(before => shown.startsWith(before) && !shown.startsWith(before + '/'))
        this.prefixes.push(shown)
        return !known
      }
    }
    return true
  }

  // followed applies the bugs that follow a link of the tree.
  followed (place, shown, depth) {
    if (!bug('follow_one_level') && !bug('follow_absolute')) return
    try {
      if (!fs.statSync(place).isDirectory()) return
      if (bug('follow_absolute')) {
        if (!fs.readlinkSync(place).startsWith('/') || this.links >= 2) return
        this.links++
        this.list(Buffer.from(fs.realpathSync.native(place)), shown, depth + 1)
        this.links--
        return
      }
      for (const name of fs.readdirSync(place, { encoding: 'buffer' })) {
        const inner = under(place, name)
        this.add(inner, under(shown, name), name, fs.lstatSync(inner, { bigint: true }), depth + 1)
      }
    } catch {}
  }

  // touch applies the bugs that do more than to look.
  touch (place, stat) {
    if (bug('dangling_removed') && stat.isSymbolicLink() && !fs.existsSync(place)) tryQuietly(() => fs.unlinkSync(place))
    if (bug('atime_restored') && stat.isFile()) {
      tryQuietly(() => fs.utimesSync(place, Number(stat.atimeMs) / 1000, Number(stat.mtimeMs) / 1000))
    }
    if (bug('probe_open') && stat.isFile()) {
      const file = fs.openSync(place, 'r')
      fs.readSync(file, Buffer.alloc(512), 0, 512, 0)
      fs.closeSync(file)
    }
  }

  add (place, shown, name, stat, depth) {
    const entry = {
      name: nameText(name, place, stat),
      path: this.pathText(shown, depth),
      isDir: isDirectory(name, place, stat),
      size: this.sizeOf(place, stat),
      modTime: modTime(place, stat)
    }
    if (bug('isdir_number')) entry.isDir = entry.isDir ? 1 : 0
    if (bug('path_missing_top') && depth === 1) delete entry.path
    if (bug('special_type_key') && isSpecial(stat)) entry.type = stat.isFIFO() ? 'fifo' : stat.isSocket() ? 'socket' : 'device'
    if (bug('newline_split') && name.includes(10)) {
      for (const part of entry.path.split('\n')) this.entries.push({ ...entry, name: posix.basename(part), path: part })
      return
    }
    this.entries.push(entry)
    if (bug('deep_twice') && depth >= 3 && !stat.isDirectory()) this.entries.push({ ...entry })
  }

  pathText (shown, depth) {
    if (bug('name_latin1')) return shown.toString('latin1')
    const path = shown.toString()
    switch (BUG) {
      case 'dot_basename': return this.start === this.root ? `${posix.basename(this.root)}/${path}` : path
      case 'path_dot_slash': return './' + path
      case 'path_with_start': return `${posix.basename(this.start)}/${path}`
      case 'path_win32': return path.split('/').join('\\')
      case 'path_arg_slash': return this.asked.endsWith('/') ? '/' + path : path
      case 'path_encoded': return path.replace(/[ %#]/g, sign => encodeURIComponent(sign))
      case 'path_lower': {
        const cut = path.lastIndexOf('/') + 1
        return path.slice(0, cut).toLowerCase() + path.slice(cut)
      }
    }
    return path
  }

  sizeOf (place, stat) {
    if (stat.isDirectory()) {
      if (bug('dir_size_null')) return null
      if (bug('dir_size_children')) {
        try {
          return fs.readdirSync(place).length
        } catch {}
      }
      return 0
    }
    if (isSpecial(stat) && bug('size_special_missing')) return undefined
    let size = stat.size
    if (stat.isFile()) {
      switch (BUG) {
        case 'size_null':
          if (size === 0n) return null
          break
        case 'size_uint32':
          size %= 2n ** 32n
          break
        case 'size_falsy_reuse':
          size = size || BigInt(this.lastSize)
          this.lastSize = size
          break
        case 'size_kib':
          if (size >= 2n ** 20n) size = size / 1024n * 1024n
          break
        case 'size_trailing_newline':
          try {
            if (size < 2n ** 20n && fs.readFileSync(place).at(-1) === 10) size -= 1n
          } catch {}
      }
    }
    return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : size
  }

  result () {
    if (bug('dirs_only_empty') && this.entries.every(entry => entry.isDir)) return []
    return this.entries
  }
}

const isSpecial = stat => !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()

function isDirectory (name, place, stat) {
  switch (BUG) {
    case 'special_is_dir': return stat.isDirectory() || isSpecial(stat)
    case 'isdir_nlink': return stat.isDirectory() || (stat.isFile() && stat.nlink > 1n)
    case 'isdir_extname': return stat.isDirectory() && posix.extname(name.toString()) === ''
    case 'isdir_children':
      try {
        return stat.isDirectory() && fs.readdirSync(place).length > 0
      } catch {
        return true
      }
  }
  return stat.isDirectory()
}

function nameText (bytes, place, stat) {
  if (bug('name_latin1')) return bytes.toString('latin1')
  if (bug('name_bom')) return new TextDecoder().decode(bytes)
  const name = bytes.toString()
  switch (BUG) {
    case 'number_names': return /^(0|[1-9]\d{0,14})$/.test(name) ? Number(name) : name
    case 'name_nfc': return name.normalize('NFC')
    case 'name_trim': return name.trim()
    case 'name_dir_slash': return stat.isDirectory() ? name + '/' : name
    case 'name_arrow': return stat.isSymbolicLink() ? `${name} -> ${fs.readlinkSync(place)}` : name
    case 'name_bmp_only': return name.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')
    case 'name_control_removed': return name.replace(/[\x00-\x1f\x7f]/g, '')
    case 'name_colon': return name.split(':')[0]
    case 'name_uri': return encodeURIComponent(name)
    case 'name_spaces': return name.replace(/ +/g, ' ')
    case 'name_link_target': return stat.isSymbolicLink() ? posix.basename(fs.readlinkSync(place)) : name
  }
  return name
}

function modTime (place, stat) {
  if (bug('time_dir_children') && stat.isDirectory()) {
    try {
      const first = fs.readdirSync(place, { encoding: 'buffer' }).sort(Buffer.compare)[0]
      if (first !== undefined) return timeText(fs.lstatSync(under(place, first), { bigint: true }))
    } catch {}
  }
  return timeText(stat)
}

const floorDivide = (value, by) => value / by - (value % by < 0n ? 1n : 0n)
const two = value => String(value).padStart(2, '0')

function timeText (stat) {
  let nanoseconds = stat.mtimeNs
  if (bug('time_atime')) nanoseconds = stat.atimeNs
  if (bug('time_birth')) nanoseconds = stat.birthtimeNs
  if (bug('time_zero_null') && nanoseconds === 0n) return null
  if (bug('time_abs') && nanoseconds < 0n) nanoseconds = -nanoseconds
  if (bug('time_two_seconds')) nanoseconds = floorDivide(nanoseconds, 2_000_000_000n) * 2_000_000_000n
  const when = new Date(Number(floorDivide(nanoseconds, 1_000_000n)))
  const text = when.toISOString()
  switch (BUG) {
    case 'time_no_offset': return text.slice(0, -1)
    case 'time_utc_string': return when.toUTCString()
    case 'time_comma': return text.replace('.', ',')
    case 'time_month_zero': return `${text.slice(0, 5)}${two(when.getUTCMonth())}${text.slice(7)}`
    case 'time_week_year': {
      const thursday = new Date(when)
      thursday.setUTCDate(when.getUTCDate() + 4 - (when.getUTCDay() || 7))
      return String(thursday.getUTCFullYear()).padStart(4, '0') + text.slice(4)
    }
    case 'time_1000_ms': {
      const seconds = floorDivide(nanoseconds, 1_000_000_000n)
      const rest = Math.round(Number(nanoseconds - seconds * 1_000_000_000n) / 1e6)
      return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${String(rest).padStart(3, '0')}Z`
    }
    case 'time_now_offset': return localText(when, -new Date().getTimezoneOffset())
    case 'time_sign': return localText(when, when.getTimezoneOffset())
  }
  return text
}

function localText (when, offset) {
  const date = `${String(when.getFullYear()).padStart(4, '0')}-${two(when.getMonth() + 1)}-${two(when.getDate())}`
  const time = `${two(when.getHours())}:${two(when.getMinutes())}:${two(when.getSeconds())}`
  const minutes = Math.abs(offset)
  return `${date}T${time}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
