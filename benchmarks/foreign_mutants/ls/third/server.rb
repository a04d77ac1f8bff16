# The candidate protocol of treeproof over stdin and stdout; the tool is in list_files.rb.
Encoding.default_external = Encoding::UTF_8
Encoding.default_internal = nil
BUG = ENV['TREEPROOF_BUG'].to_s

def bug(name)
  BUG == name
end

require_relative 'codec'
require_relative 'fnm'
require_relative 'names'
require_relative 'list_files'

$stdin.binmode
$stdout.binmode
$stdout.sync = true

def call(params)
  unless params['tool'] == 'LS'
    return { 'status' => 'error',
             'error' => { 'kind' => 'UnknownTool', 'message' => "there is no tool #{params['tool']}" } }
  end
  context = params['context']
  envelope = ListFilesTool.new(context['roots'][0], context['working_dir']).run(params['arguments'])
  $inner = true
  content = Codec.write(envelope)
  $inner = false
  content = "\u{FEFF}#{content}" if bug('json_bom') && content.include?('\\u')
  { 'status' => 'ok', 'content' => content }
rescue ListFilesTool::Escaped => e
  { 'status' => 'error', 'error' => { 'kind' => 'ExecutionFailed', 'message' => e.message } }
end

def respond(method, params)
  case method
  when 'initialize'
    { 'protocol' => 1, 'candidate' => { 'name' => 'ls-ruby', 'version' => '2.0.0', 'language' => 'ruby' },
      'tools' => { 'LS' => 'ls@2.0.0' }, 'capabilities' => [] }
  when 'describe' then ListFilesTool.definition
  when 'call' then call(params)
  end
end

while (line = $stdin.gets)
  request = Codec.read(line.force_encoding(Encoding::UTF_8))
  result = respond(request['method'], request['params'])
  $stdout.write(Codec.write({ 'jsonrpc' => '2.0', 'id' => request['id'], 'result' => result }) + "\n")
end
