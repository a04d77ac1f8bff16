// The glue: one JSON line each.
import { StringDecoder } from 'node:string_decoder';
import { parse, write } from './json.mjs';
import { definition } from './definition.mjs';
import { call } from './ls.mjs';

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocol: 1,
        candidate: { name: 'foreign-ls-node', version: '2.0.0', language: 'javascript' },
        tools: { LS: 'ls@2.0.0' },
        capabilities: ['working_dir'],
      };
    case 'describe': return definition();
    case 'call': {
      const tool = params.get('tool');
      if (tool !== 'LS') return { status: 'error', error: { kind: 'UnknownTool', message: `there is no tool ${tool}` } };
      return { status: 'ok', content: call(params.get('arguments'), params.get('context')) };
    }
    default: return null;
  }
}

const decoder = new StringDecoder('utf8');
let rest = '';
process.stdin.on('data', (chunk) => {
  rest += decoder.write(chunk);
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    if (line.trim() === '') continue;
    const request = parse(line);
    let reply;
    try {
      reply = { jsonrpc: '2.0', id: request.get('id'), result: answer(request.get('method'), request.get('params')) };
    } catch (problem) {
      process.stderr.write(`${problem.stack}\n`);
      reply = { jsonrpc: '2.0', id: request.get('id'), error: { code: -32603, message: String(problem.message) } };
    }
    process.stdout.write(`${write(reply)}\n`);
    if (request.get('method') === 'shutdown') process.stdin.destroy();
  }
});
