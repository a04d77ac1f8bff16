// The sandbox. A path is held as a "binary" string: one character per byte, so that any name survives.
import fs from 'node:fs'

export const SWITCH = process.env.TREEPROOF_BUG ?? ''
export const bug = name => SWITCH === name

export const bin = text => Buffer.from(text, 'utf8').toString('latin1')
export const raw = path => Buffer.from(path, 'latin1')
export const text = path => raw(path).toString('utf8')
export const lstat = path => fs.lstatSync(raw(path), { bigint: true })
export const stat = path => fs.statSync(raw(path), { bigint: true })
export const readlink = path => fs.readlinkSync(raw(path), { encoding: 'buffer' }).toString('latin1')
export const readdir = path => fs.readdirSync(raw(path), { encoding: 'buffer' }).map(name => name.toString('latin1'))
export const join = (directory, name) => (directory === '/' ? '/' : directory + '/') + name
export const parent = path => path.slice(0, path.lastIndexOf('/')) || '/'
export const base = path => path.slice(path.lastIndexOf('/') + 1)

export class Failure extends Error {
  constructor(kind, message) { super(message); this.kind = kind }
}
export const fail = (kind, message) => { throw new Failure(kind, message) }

/** Follows every link of an absolute path; what does not exist stays as it is. */
export function resolve(path) {
  if (bug('missing_tail_by_text')) {
    try { return fs.realpathSync.native(raw(path), { encoding: 'buffer' }).toString('latin1') } catch { /* new */ }
    return path
  }
  const pending = path.split('/')
  let real = '/'
  let links = 0
  while (pending.length) {
    const part = pending.shift()
    if (part === '' || part === '.') continue
    if (part === '..') { real = parent(real); continue }
    const next = join(real, part)
    let target
    try { target = readlink(next) } catch { real = next; continue }
    if (++links > 40) fail('ExecutionFailed', `too many links: ${text(path)}`)
    if (target.startsWith('/')) real = '/'
    pending.unshift(...target.split('/'))
  }
  return real
}

const DEFAULT_DENIES = ['**/.ssh/**', '**/.gnupg/**', '**/id_rsa*', '**/*.pem', '**/*.key']
const REMEMBERED = new Map()

/** A pattern as a regular expression over a whole path. */
function compile(pattern) {
  if (bug('patterns_remember_position') && REMEMBERED.has(pattern)) return REMEMBERED.get(pattern)
  const dot = bug('patterns_skip_dot_names') ? '(?!\\.)' : ''
  const parts = pattern.split('/')
  let source = ''
  parts.forEach((part, i) => {
    const last = i === parts.length - 1
    if (part === '**') {
      if (!last) source += `(?:${dot}[^/]+/)*`
      else source += bug('last_stars_one_level') ? '[^/]+' : `${dot}[^/]+(?:/${dot}[^/]+)*`
      return
    }
    const body = part.replace(/\[([!^]?)([^\]]+)\]|[\s\S]/gu, (one, not, set) => {
      if (set !== undefined) {
        return bug('bracket_is_literal') ? one.replace(/[[\]\\^$.|?*+(){}]/g, '\\$&') : `[${not ? '^/' : ''}${set.replace(/[\\\]^]/g, '\\$&')}]`
      }
      if (one === '*') return '[^/]*'
      if (one === '?') return '[^/]'
      if (one === '.' && bug('pattern_dot_is_any')) return '.'
      return one.replace(/[[\]\\^$.|?*+(){}/]/g, '\\$&')
    })
    source += (part.startsWith('*') || part.startsWith('?') ? dot : '') + body + (last ? '' : '/')
  })
  const open = bug('pattern_not_anchored') ? '' : '$'
  const made = new RegExp(`^${source}${open}`, bug('patterns_remember_position') ? 'gus' : 'us')
  if (bug('patterns_remember_position')) REMEMBERED.set(pattern, made)
  return made
}

let firstRoots, firstWorkingDir

export class Box {
  constructor(context) {
    let roots = context.roots.map(bin)
    if (bug('roots_of_first_call')) roots = firstRoots ??= roots
    this.given = roots.map(root => root.replace(/\/+$/, ''))
    this.roots = bug('roots_not_followed') ? this.given : roots.map(resolve)
    this.workingDir = bin(context.working_dir)
    if (bug('working_dir_of_first_call')) this.workingDir = firstWorkingDir ??= this.workingDir
    if (bug('relative_to_process')) this.workingDir = bin(process.cwd())
    this.allowAbsolute = context.allow_absolute === true
    const own = Array.isArray(context.denied_patterns) ? context.denied_patterns : []
    let usual = context.include_default_denies !== false
    if (bug('default_denies_when_asked_only')) usual = context.include_default_denies === true
    let defaults = DEFAULT_DENIES
    if (bug('gnupg_forgotten')) defaults = defaults.filter(one => !one.includes('gnupg'))
    this.denied = [...own, ...(usual ? defaults : [])].map(compile)
  }

  /** The absolute form of an argument, before any link is followed. */
  absolute(argument, role) {
    if (bug('percent_decoded')) try { argument = decodeURIComponent(argument) } catch { /* is none */ }
    if (bug('backslash_is_separator')) argument = argument.replaceAll('\\', '/')
    if (bug('tilde_is_home') && argument.startsWith('~')) fail('SandboxViolation', `the path is outside the sandbox: ${argument}`)
    if (bug('last_dots_stripped')) argument = argument.replace(/([^./])[. ]+$/, '$1')
    if (bug('nfc_destination') && role === 'destination') argument = argument.normalize('NFC')
    if (bug('quotes_stripped')) argument = argument.replace(/^(["'])(.+)\1$/, '$2')
    if (argument.startsWith('/') && !this.allowAbsolute) fail('SandboxViolation', `absolute paths are not allowed: ${argument}`)
    const up = bug('names_of_dots_refused') ? /^\.{2,}$/ : /^\.\.$/
    if (argument.split('/').some(part => up.test(part))) fail('SandboxViolation', `the path contains '..': ${argument}`)
    if (argument.startsWith('/') && bug('absolute_by_its_text') && !this.given.some(root => under(root, bin(argument)))) {
      fail('SandboxViolation', `the path is outside the sandbox: ${argument}`)
    }
    if (argument.startsWith('/') && bug('absolute_in_first_root_only') && !under(this.given[0], bin(argument))) {
      fail('SandboxViolation', `the path is outside the sandbox: ${argument}`)
    }
    return argument.startsWith('/') ? bin(argument) : join(this.workingDir, bin(argument))
  }

  /** Checks the path of an entry: where it stands and where it leads. */
  check(path, { deny = true, follow = true } = {}) {
    path = '/' + path.split('/').filter(part => part !== '' && part !== '.').join('/')
    const real = resolve(path)
    const entry = path === '/' ? path : join(resolve(parent(path)), base(path))
    this.inside(entry, path, deny)
    if (follow && real !== entry) this.inside(real, path, deny)
    return { entry, real }
  }

  inside(place, path, deny) {
    const root = this.roots.find(root => under(root, place))
    if (root === undefined) fail('SandboxViolation', `the path is outside the sandbox: ${text(path)}`)
    if (!deny) return
    const whole = text(place)
    const within = text(place.slice(root === '/' ? 1 : root.length + 1))
    let forms = [whole, within]
    if (bug('patterns_remember_position')) forms = [whole]
    if (bug('patterns_for_names')) forms = [base(whole)]
    for (const pattern of this.denied) {
      if (forms.some(form => pattern.test(form))) fail('SandboxViolation', `the sandbox denies the path: ${text(path)}`)
    }
  }

  isRoot(path) { return this.roots.some(root => under(path, root)) }
}

export const under = (root, path) => path === root || path.startsWith(root === '/' ? '/' : root + '/')
