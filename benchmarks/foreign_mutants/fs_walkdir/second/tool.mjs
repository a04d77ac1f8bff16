// FS.WalkDir 0.1 over stdin and stdout, with the interpreter's tool NeuroScript. TREEPROOF_BUG selects one wrong behaviour.
import readline from 'node:readline'
import { walkTool } from './walk.mjs'
import { runScript } from './script.mjs'

const BUG = process.env.TREEPROOF_BUG ?? ''
const bug = name => BUG === name
const TOOL = 'FS.WalkDir'

class BadArgs extends Error {}

function describe (tool) {
  if (tool === 'NeuroScript') {
    return {
      name: 'NeuroScript', aliases: [], description: 'Runs a script and returns the texts that it emits',
      input_schema: { type: 'object', properties: { script: { type: 'string' } }, required: ['script'] },
      is_side_effecting: false
    }
  }
  return {
    name: bug('definition_name_version') ? 'FS.WalkDir (v0.1)' : TOOL,
    aliases: ['TOOL.WalkDir'],
    description: 'Recursively walks a directory tree and returns a flat list of its files and subdirectories',
    input_schema: {
      type: 'object', properties: { path: { type: 'string', minLength: 1 } }, required: ['path'], additionalProperties: false
    },
    is_side_effecting: false
  }
}

let lastPath = null

function pathArgument (args) {
  if (bug('args_list_first') && Array.isArray(args) && args.length > 0) args = { path: args[0] }
  if (bug('args_null_sandbox') && args === null) args = { path: '.' }
  if (args === null || typeof args !== 'object' || Array.isArray(args)) throw new BadArgs('expected one argument, path')
  let keys = Object.keys(args)
  if (bug('undefined_dir') && keys.length === 0) return 'undefined'
  if (bug('option_recursive')) keys = keys.filter(key => key !== 'recursive')
  if (bug('extra_empty_value')) keys = keys.filter(key => key === 'path' || args[key])
  if (keys.length !== 1 || keys[0] !== 'path') throw new BadArgs('expected exactly one argument, path')
  let path = args.path
  if (bug('path_nested') && path !== null && typeof path === 'object' && typeof path.path === 'string') path = path.path
  if (bug('path_join_list') && Array.isArray(path) && path.every(part => typeof part === 'string')) path = path.join('/')
  if (bug('falsy_is_dot') && (path === 0 || path === false)) path = '.'
  if (bug('null_text') && path === null) path = 'null'
  if (typeof path !== 'string') throw new BadArgs('the argument path is not a string')
  if (bug('empty_last_path') && path === '' && lastPath !== null) path = lastPath
  if (bug('blank_refused') && path.trim() === '') path = ''
  if (path === '') throw new BadArgs('the argument path is empty')
  lastPath = path
  return path
}

let failures = 0

// walk makes one call of FS.WalkDir: { value, log } where value is a list or null.
function walk (args, roots) {
  const path = pathArgument(args)
  const result = walkTool(path, roots)
  failures = result.failed ? failures + 1 : 0
  if (bug('second_failure_error') && failures >= 2) throw new Error('too many failures')
  if (bug('log_stderr')) {
    for (const record of result.log) console.error(record.message)
    result.log = []
  }
  return result
}

function encode (value) {
  if (bug('empty_text') && Array.isArray(value) && value.length === 0) return ''
  let text
  if (Array.isArray(value) && value.some(entry => typeof entry.size === 'bigint')) {
    // JSON.stringify knows no integers beyond 2^53; inside a string the quotes of the key would be escaped
    text = `[${value.map(entry => JSON.stringify({ ...entry, size: 0 }).replace('"size":0', `"size":${entry.size}`)).join(',')}]`
  } else text = JSON.stringify(value)
  return bug('double_json') ? JSON.stringify(text) : text
}

function call ({ tool, arguments: args, context }) {
  try {
    if (tool === TOOL || tool === 'TOOL.WalkDir') {
      const { value, log } = walk(args, context.roots)
      return { status: 'ok', content: encode(value), log }
    }
    if (tool === 'NeuroScript') {
      if (typeof args?.script !== 'string') throw new BadArgs('the argument script is not a string')
      const log = []
      const emitted = runScript(args.script, values => {
        const result = walk(values.length === 1 ? { path: values[0] } : null, context.roots)
        log.push(...result.log)
        return result
      }, log)
      return { status: 'ok', content: JSON.stringify(emitted), log }
    }
    return { status: 'error', error: { kind: 'UnknownTool', message: `there is no tool ${tool}` } }
  } catch (error) {
    return { status: 'error', error: { kind: error instanceof BadArgs ? 'BadArgs' : 'ExecutionFailed', message: String(error.message) } }
  }
}

function respond ({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocol: 1,
        candidate: { name: 'foreign-walkdir-node', version: '0.1.0', language: 'javascript' },
        tools: { [TOOL]: 'fs_walkdir@0.1', NeuroScript: 'fs_walkdir@0.1' },
        capabilities: ['log']
      }
    case 'describe': return describe(params.tool)
    case 'call': return call(params)
    default: return null
  }
}

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity, terminal: false })
for await (const line of lines) {
  if (line === '') continue
  const request = JSON.parse(line)
  const answer = JSON.stringify({ jsonrpc: '2.0', id: request.id, result: respond(request) })
  await new Promise(resolve => process.stdout.write(answer + '\n', resolve))
  if (request.method === 'shutdown') process.exit(0)
}
