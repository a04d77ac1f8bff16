// A small interpreter of NeuroScript: CALL, SET, EMIT, IF … ELSE …, FOR EACH … (or WHILE-free blocks), LAST.
const BUG = process.env.TREEPROOF_BUG ?? ''
const bug = name => BUG === name

function tokens (line) {
  const found = []
  const pattern = /\s+|#.*|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(\d+(?:\.\d+)?)|([A-Za-z_][A-Za-z0-9_.]*)|(==|!=|<=|>=|[-+<>()[\],=:{}])/gy
  let at = 0
  while (at < line.length) {
    pattern.lastIndex = at
    const match = pattern.exec(line)
    if (match === null) throw new Error(`cannot read ${line.slice(at)}`)
    at = pattern.lastIndex
    if (match[1] !== undefined) found.push({ kind: 'text', value: unquote(match[1]) })
    else if (match[2] !== undefined) found.push({ kind: 'number', value: Number(match[2]) })
    else if (match[3] !== undefined) found.push({ kind: 'word', value: match[3] })
    else if (match[4] !== undefined) found.push({ kind: 'sign', value: match[4] })
  }
  return found
}

function unquote (literal) {
  return literal.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs, (_, code) => {
    if (code.length > 1) return String.fromCharCode(parseInt(code.slice(1), 16))
    return { n: '\n', t: '\t', r: '\r', 0: '\0' }[code] ?? code
  })
}

const isWord = (token, word) => token?.kind === 'word' && token.value.toUpperCase() === word

export function show (value) {
  if (value === null || value === undefined) return 'nil'
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function same (left, right) {
  return left === right || (left !== null && right !== null && typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right))
}

let globalLast = null

export function runScript (script, walk) {
  const program = script.split('\n').map(line => tokens(line)).filter(line => line.length > 0)
  const variables = new Map()
  const emitted = []
  let last = bug('last_global') ? globalLast : null
  let shared = null
  let index = 0

  function parseBlock () {
    const block = []
    while (index < program.length) {
      const line = program[index]
      if (isWord(line[0], 'ENDBLOCK') || isWord(line[0], 'ELSE') || isWord(line[0], 'END')) return block
      index++
      if (isWord(line[0], 'IF')) {
        const then = line.findIndex(token => isWord(token, 'THEN'))
        const node = { kind: 'if', test: line.slice(1, then === -1 ? undefined : then), yes: parseBlock(), no: [] }
        if (isWord(program[index]?.[0], 'ELSE')) {
          index++
          node.no = parseBlock()
        }
        index++
        block.push(node)
      } else if (isWord(line[0], 'FOR')) {
        const each = isWord(line[1], 'EACH') ? 2 : 1
        const end = isWord(line.at(-1), 'DO') ? -1 : undefined
        const node = { kind: 'for', name: line[each].value, list: line.slice(each + 2, end), body: parseBlock() }
        index++
        block.push(node)
      } else block.push({ kind: 'line', line })
    }
    return block
  }

  function evaluate (line) {
    let at = 0
    const expect = sign => { if (line[at++]?.value !== sign) throw new Error(`expected ${sign}`) }
    function primary () {
      const token = line[at++]
      if (token === undefined) throw new Error('an expression is missing')
      let value
      if (token.kind === 'text' || token.kind === 'number') value = token.value
      else if (token.value === '(') {
        value = comparison()
        expect(')')
      } else if (token.value === '[') {
        value = []
        while (line[at]?.value !== ']') {
          value.push(comparison())
          if (line[at]?.value === ',') at++
        }
        at++
      } else if (isWord(token, 'LAST')) {
        value = last
        if (bug('last_once')) last = null
      } else if (token.value === 'nil' || token.value === 'null') value = null
      else if (token.value === 'true' || token.value === 'false') value = token.value === 'true'
      else if (token.value === 'len' && line[at]?.value === '(') {
        at++
        value = comparison()?.length ?? 0
        expect(')')
      } else if (token.kind === 'word') {
        if (!variables.has(token.value)) throw new Error(`unknown variable ${token.value}`)
        value = variables.get(token.value)
      } else throw new Error(`unexpected ${token.value}`)
      while (line[at]?.value === '[' && line[at].kind === 'sign') {
        at++
        const key = comparison()
        expect(']')
        value = value?.[key] ?? null
      }
      return value
    }
    function sum () {
      let value = primary()
      while (line[at]?.kind === 'sign' && (line[at].value === '+' || line[at].value === '-')) {
        const sign = line[at++].value
        const other = primary()
        if (typeof value === 'number' && typeof other === 'number') value = sign === '+' ? value + other : value - other
        else value = show(value) + show(other)
      }
      return value
    }
    function comparison () {
      const left = sum()
      const sign = line[at]?.kind === 'sign' ? line[at].value : ''
      if (!['==', '!=', '<', '>', '<=', '>='].includes(sign)) return left
      at++
      const right = sum()
      switch (sign) {
        case '==': return same(left, right)
        case '!=': return !same(left, right)
        case '<': return left < right
        case '>': return left > right
        case '<=': return left <= right
        default: return left >= right
      }
    }
    const value = comparison()
    if (at !== line.length) throw new Error('the line has a rest')
    return value
  }

  // keep puts the value of a call into LAST.
  function keep (result) {
    let value = result.value
    if (value === null) {
      if (bug('last_nil_kept')) return
      if (bug('last_missing_kept') && !result.failed) return
      if (bug('last_global')) {
        last = globalLast
        return
      }
      if (bug('last_details') && result.failed) value = result.log[0]?.message ?? 'error'
    }
    if (bug('last_empty_kept') && Array.isArray(value) && value.length === 0) return
    if (bug('last_alias') && Array.isArray(value)) {
      shared ??= []
      shared.splice(0, shared.length, ...value)
      value = shared
    }
    last = value
    if (Array.isArray(value)) globalLast = value
  }

  class Stop extends Error {}

  function perform (line) {
    const rest = line.slice(1)
    if (isWord(line[0], 'EMIT')) emitted.push(show(evaluate(rest)))
    else if (isWord(line[0], 'SET')) variables.set(line[1].value, evaluate(line.slice(3)))
    else if (isWord(line[0], 'CALL')) {
      const name = line[1]?.value
      if (name !== 'FS.WalkDir' && name !== 'TOOL.WalkDir') throw new Error(`unknown tool ${name}`)
      const inner = line.slice(3, -1)
      const values = []
      let from = 0
      let depth = 0
      inner.forEach((token, i) => {
        if (token.kind === 'sign' && '(['.includes(token.value)) depth++
        if (token.kind === 'sign' && ')]'.includes(token.value)) depth--
        if (token.kind === 'sign' && token.value === ',' && depth === 0) {
          values.push(named(inner.slice(from, i)))
          from = i + 1
        }
      })
      if (inner.length > 0) values.push(named(inner.slice(from)))
      const result = walk(values)
      if (bug('last_aborts') && result.failed) throw new Stop()
      keep(result)
    } else throw new Error(`unknown statement ${line[0].value}`)
  }

  // named evaluates one argument, which may bear its name.
  function named (line) {
    const bears = line[0]?.kind === 'word' && line[1]?.kind === 'sign' && (line[1].value === ':' || line[1].value === '=')
    return evaluate(bears ? line.slice(2) : line)
  }

  function run (block) {
    for (const node of block) {
      if (node.kind === 'line') perform(node.line)
      else if (node.kind === 'if') {
        const test = evaluate(node.test)
        scoped(test === true || (test !== false && test !== null && test !== 0 && test !== '') ? node.yes : node.no)
      } else {
        const list = evaluate(node.list)
        for (const item of list ?? []) {
          variables.set(node.name, item)
          scoped(node.body)
        }
      }
    }
  }

  function scoped (block) {
    const before = last
    run(block)
    if (bug('last_scoped')) last = before
  }

  try {
    run(parseBlock())
  } catch (error) {
    if (!(error instanceof Stop)) throw error
  }
  return emitted
}
