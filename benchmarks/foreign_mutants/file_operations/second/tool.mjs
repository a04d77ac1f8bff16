// The candidate: move, copy and list_directory over stdin and stdout.
import { Box, bug, resolve, Failure, fail } from './box.mjs'
import { finalPlace, run } from './ops.mjs'
import { readCall, list } from './list.mjs'

const NAMES = {
  move: 'move', rename: 'move', mv: 'move', copy: 'copy', cp: 'copy',
  list_directory: 'list_directory', listdir: 'list_directory', ls: 'list_directory', dir: 'list_directory'
}
function canonical(name) {
  if (typeof name !== 'string') return undefined
  if (bug('names_trimmed')) name = name.trim()
  if (bug('names_with_hyphen')) name = name.replaceAll('-', '_')
  if (bug('listdir_unknown') && name === 'listdir') return undefined
  if (bug('cp_unknown') && name === 'cp') return undefined
  if (bug('inherited_names')) return NAMES[name] && String(NAMES[name])
  return Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
}

function describe(name) {
  const tool = canonical(name) ?? name
  if (tool === 'list_directory') {
    const flag = usual => ({ type: 'boolean', default: usual })
    return {
      name: tool, aliases: bug('listdir_not_described') ? ['ls', 'dir'] : ['listdir', 'ls', 'dir'], description: 'List directory entries',
      input_schema: {
        type: 'object',
        properties: {
          path: { type: 'string' }, recursive: flag(false), max_depth: { type: 'integer', minimum: 1 }, max_entries: { type: 'integer', minimum: 1 },
          include_hidden: flag(false), include_files: flag(true), include_dirs: flag(true), include_symlinks: flag(true), include_other: flag(false)
        },
        required: ['path']
      },
      is_side_effecting: false, requires_approval: false, risk_level: 'Low'
    }
  }
  const moving = tool === 'move'
  const properties = {
    source: { type: 'string', description: 'The entry' },
    destination: { type: 'string', description: 'Its new path, or the directory that it goes into' },
    overwrite: { type: 'boolean', default: false, description: 'Whether an existing file may be replaced' }
  }
  let required = ['source', 'destination']
  if (bug('destination_described_as_dest') && !moving) { properties.dest = properties.destination; delete properties.destination; required = ['source', 'dest'] }
  if (bug('overwrite_not_described') && moving) delete properties.overwrite
  if (bug('paths_described_as_lists')) properties.source.type = ['string', 'array']
  if (bug('nothing_required')) required = []
  let aliases = moving ? ['rename', 'mv'] : ['cp']
  if (bug('aliases_of_move_for_copy')) aliases = ['rename', 'mv']
  return {
    name: tool, aliases, description: moving ? 'Move or rename a file or a directory' : 'Copy a file or a directory',
    input_schema: { type: bug('schema_without_object') && moving ? 'array' : 'object', properties, required },
    is_side_effecting: !(bug('move_without_side_effects') && moving), requires_approval: false,
    risk_level: bug('move_has_low_risk') && moving ? 'Low' : bug('risk_in_lower_case') ? 'medium' : 'Medium'
  }
}

function fileArguments(args, tool) {
  if (bug('arguments_as_text_parsed') && typeof args === 'string') { try { args = JSON.parse(args) } catch { /* stays a text */ } }
  if (args === null || typeof args !== 'object' || Array.isArray(args)) fail('BadArgs', 'the arguments must be an object')
  const path = name => {
    let value = args[name]
    if (bug('null_becomes_text') && value === null) value = 'null'
    if (bug('list_joined_to_path') && Array.isArray(value)) value = value.join(',')
    if (bug('number_is_source') && name === 'source' && typeof value === 'number') value = String(value)
    if (bug('missing_destination_is_here') && value === undefined && name === 'destination') value = '.'
    if (bug('empty_source_is_here') && value === '' && name === 'source') value = '.'
    if (typeof value !== 'string' || value === '' || value.includes('\0') || !value.isWellFormed()) fail('BadArgs', `${name} is required and must be a path`)
    return value
  }
  let overwrite = args.overwrite ?? undefined
  if (bug('anything_is_overwrite') && tool === 'copy') overwrite = overwrite === undefined ? undefined : Boolean(overwrite)
  if (bug('falsy_overwrite_taken')) overwrite = overwrite || (overwrite === undefined ? undefined : false)
  if (overwrite !== undefined && typeof overwrite !== 'boolean') {
    if (bug('wrong_overwrite_fails_late')) fail('ExecutionFailed', 'overwrite must be a boolean')
    if (!(bug('overwrite_not_checked_for_move') && tool === 'move')) fail('BadArgs', 'overwrite must be a boolean')
    overwrite = false
  }
  return { source: path('source'), destination: path('destination'), overwrite }
}

let lastPolicy = {}
function policyOf(context) {
  const policy = context.policy ?? {}
  if (!bug('policy_is_merged_with_last')) return policy
  return (lastPolicy = { ...lastPolicy, ...policy })
}

function checkLists(tool, context) {
  const policy = policyOf(context)
  const approved = policy.mode === 'prompt' && context.approval === 'approve'
  if (policy.enabled === false && !(bug('approval_beats_disabled') && approved)) fail('PolicyDenied', 'the policy disables all tools')
  let denied = (policy.denylist ?? []).some(name => (canonical(name) ?? name) === tool)
  if (bug('denylist_by_substring')) denied = (policy.denylist ?? []).join(' ').includes(tool)
  if (bug('approval_beats_denylist') && approved) denied = false
  if (bug('denylist_in_mode_deny_only') && policy.mode !== 'deny' && policy.mode !== 'prompt') denied = false
  if (bug('listing_not_on_denylist') && tool === 'list_directory') denied = false
  if (denied) fail('PolicyDenied', `the policy denies ${tool}`)
}

function checkMode(tool, called, context, state) {
  const policy = policyOf(context)
  const listed = (policy.allowlist ?? []).some(name => {
    if (bug('allowlist_by_called_name')) return name === called
    return (canonical(name) ?? name) === tool
  })
  if (policy.mode === 'deny') {
    if (bug('mode_deny_asks') && !listed) {
      state.asked = true
      if (context.approval === 'approve') return
    }
    if (bug('mode_deny_allows_listing') && tool === 'list_directory') return
    if (!listed) fail('PolicyDenied', `the policy does not allow ${tool}`)
  }
  const effects = tool !== 'list_directory'
  let asks = policy.mode === 'prompt' && effects && !listed
  if (asks && policy.prompt_side_effects === false) asks = false
  if (asks && policy.prompt_side_effects === undefined && bug('prompting_off_by_default')) asks = false
  if (bug('mode_auto_asks') && effects && (policy.mode ?? 'auto') === 'auto' && policy.prompt_side_effects === true) asks = true
  if (bug('move_by_alias_not_asked') && called === 'rename') asks = false
  if (!asks) return
  state.asked = !bug('approved_question_not_told') || context.approval !== 'approve'
  const yes = bug('any_answer_approves_copy') && tool === 'copy' ? true : context.approval === 'approve'
  if (!yes) fail(bug('denied_approval_is_policy') ? 'PolicyDenied' : 'ApprovalDenied', `the user did not approve ${tool}`)
}

/** `allow_overwrite` is what the argument is where it is left out. */
function overwriteOf(tool, given, context) {
  let value = context.config?.tools?.fileops?.allow_overwrite
  if (bug('configuration_of_the_tool')) value = context.config?.tools?.[tool]?.allow_overwrite ?? value
  if (bug('configuration_with_hyphen')) value = context.config?.tools?.fileops?.['allow-overwrite'] ?? value
  if (bug('configuration_not_for_copy') && tool === 'copy') value = undefined
  if (bug('number_configured_is_true') && typeof value === 'number') value = value !== 0
  if (value !== undefined && typeof value !== 'boolean') fail('ConfigInvalid', 'tools.fileops.allow_overwrite must be a boolean')
  if (bug('overwriting_by_default') && value === undefined && given === undefined && context.config !== undefined) return true
  if (bug('both_true_cancel') && given === true && value === true) return tool === 'move'
  return given ?? value ?? false
}

const failures = new Map()
function call(params, state) {
  const tool = canonical(params.tool)
  if (tool === undefined) fail('UnknownTool', `there is no tool ${params.tool}`)
  const context = params.context
  if (tool !== 'move' && tool !== 'copy') {
    if (params.arguments === null || typeof params.arguments !== 'object' || Array.isArray(params.arguments)) fail('BadArgs', 'the arguments must be an object')
    const asked = readCall(params.arguments, context.config, params.tool)
    checkLists(tool, context)
    const box = new Box(context)
    const path = box.absolute(asked.path)
    const place = resolve(path)
    box.inside(place, path, true)
    checkMode(tool, params.tool, context, state)
    return list(asked, place, context, box)
  }
  const args = fileArguments(params.arguments, tool)
  const key = JSON.stringify([tool, args])
  checkLists(tool, context)
  if (bug('failures_are_remembered') && failures.has(key)) throw failures.get(key)
  const box = new Box(context)
  const source = box.check(box.absolute(args.source, 'source'), { deny: !(bug('copied_key_not_denied') && tool === 'copy') })
  const destination = box.check(box.absolute(args.destination, 'destination'), { follow: !bug('link_at_final_name_written_through') })
  if (bug('one_root_for_both') && box.roots.findIndex(root => within(root, source.real)) !== box.roots.findIndex(root => within(root, destination.real))) {
    fail('SandboxViolation', 'source and destination are in different roots')
  }
  if (bug('asked_before_final_name')) checkMode(tool, params.tool, context, state)
  const target = finalPlace(tool, source, destination, args.destination, box)
  if (!bug('asked_before_final_name')) checkMode(tool, params.tool, context, state)
  try {
    return run(tool, source, target, overwriteOf(tool, args.overwrite, context), args, box)
  } catch (error) {
    failures.set(key, error)
    throw error
  }
}
const within = (root, path) => path === root || path.startsWith(root + '/')

function answer(params) {
  const state = { asked: false }
  let result
  try {
    result = { status: 'ok', content: call(params, state) }
  } catch (error) {
    const kind = error instanceof Failure ? error.kind : 'ExecutionFailed'
    result = { status: 'error', error: { kind, message: (error.message || 'failed').replaceAll('\n', ' ').toWellFormed() } }
  }
  result.approval_requested = state.asked
  if (canonical(params.tool) === 'list_directory') result.context = { allow_truncation: false }
  return result
}

const INITIALIZE = {
  protocol: 1,
  candidate: { name: 'foreign-file-operations-node', version: '1.0.0', language: 'javascript' },
  tools: { move: 'file_operations@1.1', copy: 'file_operations@1.1', list_directory: 'list_directory@1.1' },
  capabilities: ['config', 'budget', 'policy', 'denied_patterns', 'allow_absolute', 'roots', 'working_dir', 'executor', 'context']
}

function handle(line) {
  const { id, method, params } = JSON.parse(line)
  let result = null
  if (method === 'initialize') result = INITIALIZE
  else if (method === 'describe') result = describe(params.tool)
  else if (method === 'call') result = answer(params)
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\n')
  if (method === 'shutdown') process.stdin.destroy()
}

// Lines end with a line feed only: readline would also split at U+2028.
let rest = []
process.stdin.on('data', chunk => {
  for (let end; (end = chunk.indexOf(10)) >= 0; chunk = chunk.subarray(end + 1)) {
    const line = Buffer.concat([...rest, chunk.subarray(0, end)]).toString('utf8')
    rest = []
    if (line.trim()) handle(line)
  }
  if (chunk.length) rest.push(chunk)
})
process.stdin.on('end', () => { if (rest.length) handle(Buffer.concat(rest).toString('utf8')) })
