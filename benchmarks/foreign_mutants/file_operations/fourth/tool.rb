# move, copy and list_directory over stdin and stdout (Ruby, standard library only).
# TREEPROOF_BUG=<switch> selects one deliberate bug; unset or empty means right.
$VERBOSE = nil
Encoding.default_external = Encoding::UTF_8
Encoding.default_internal = nil
require "json"

BUG = ENV["TREEPROOF_BUG"].to_s
def b?(name) = BUG == name

HERE = File.expand_path(__dir__)
require File.join(HERE, "sandbox.rb")
require File.join(HERE, "fileops.rb")
require File.join(HERE, "listing.rb")

class Failure < StandardError
  attr_reader :kind

  def initialize(kind, message)
    @kind = kind
    super(message)
  end
end

def fail_with(kind, message)
  raise Failure.new(kind, message)
end

# A JSON object that remembers whether a member came twice.
class Members < Hash
  attr_reader :twice

  def []=(name, value)
    @twice = name if key?(name)
    super
  end
end

NAMES = {"move" => "move", "rename" => "move", "mv" => "move", "copy" => "copy", "cp" => "copy",
         "list_directory" => "list_directory", "listdir" => "list_directory", "ls" => "list_directory", "dir" => "list_directory"}

def named(name)
  return NAMES[name.downcase] if b?("name_folded")
  return nil if b?("listdir_unknown") && name == "listdir"
  NAMES[name]
end

STATE = {allow: nil, approved: {}, memo: {}, listings: {}, accepted: {}, extra: []}

INITIALIZE = {"protocol" => 1,
              "candidate" => {"name" => "fileops-ruby", "version" => "1.1.0", "language" => "ruby"},
              "tools" => {"move" => "file_operations@1.1", "copy" => "file_operations@1.1", "list_directory" => "list_directory@1.1"},
              "capabilities" => %w[config budget policy denied_patterns allow_absolute roots working_dir executor context log]}

def definition(name)
  tool = named(name.to_s)
  if tool == "list_directory"
    flag = ->(default) { {"type" => "boolean", "default" => default} }
    limit = {"type" => "integer", "minimum" => 1}
    return {"name" => tool, "aliases" => %w[listdir ls dir], "description" => "List directory entries",
            "input_schema" => {"type" => "object",
                               "properties" => {"path" => {"type" => "string"}, "recursive" => flag[false], "max_depth" => limit,
                                                "max_entries" => limit, "include_hidden" => flag[false], "include_files" => flag[true],
                                                "include_dirs" => flag[true], "include_symlinks" => flag[true], "include_other" => flag[false]},
                               "required" => ["path"]},
            "is_side_effecting" => false, "requires_approval" => false, "risk_level" => "Low"}
  end
  properties = {"source" => {"type" => "string"}, "destination" => {"type" => "string"},
                "overwrite" => {"type" => "boolean", "default" => false}}
  required = %w[source destination]
  if tool == "copy"
    properties["overwrite"] = {"type" => "boolean", "default" => true} if b?("schema_copy_default_true")
    properties.delete("overwrite") if b?("schema_copy_no_overwrite")
  else
    required = %w[source] if b?("schema_move_destination_optional")
    properties["overwrite"] = {"type" => "string", "enum" => %w[true false], "default" => "false"} if b?("schema_move_overwrite_text")
  end
  {"name" => tool, "aliases" => tool == "move" ? %w[rename mv] : %w[cp],
   "description" => tool == "move" ? "Move or rename a file or directory" : "Copy a file",
   "input_schema" => {"type" => "object", "properties" => properties, "required" => required},
   "is_side_effecting" => !(tool == "copy" && b?("copy_not_side_effecting")), "requires_approval" => false,
   "risk_level" => tool == "copy" && b?("copy_risk_low") ? "Low" : "Medium"}
end

# The policy of a call.
class Policy
  def initialize(context, tool, called, requested)
    @policy = context["policy"].is_a?(Hash) ? context["policy"] : {}
    @approval = context["approval"]
    @tool, @called, @requested = tool, called, requested
  end

  def mode = @policy["mode"] || "auto"
  def side_effects? = @tool != "list_directory"

  def listed?(list, name = @tool)
    names = @policy[list]
    return false unless names.is_a?(Array)
    return names.include?(name) if name != @tool
    names.any? { |other| (NAMES[other] || other) == name }
  end

  def check_enabled
    return unless @policy["enabled"] == false
    return if b?("disabled_allowlisted") && listed?("allowlist")
    return if b?("disabled_read_only_runs") && !side_effects?
    return if b?("disabled_prompt_runs") && mode == "prompt"
    fail_with("PolicyDenied", "the policy switches all tools off")
  end

  def check_denylist
    name = b?("deny_raw_name") ? @called : @tool
    found = listed?("denylist", name)
    found = false if b?("deny_allowlist_wins") && listed?("allowlist")
    found = NAMES[(@policy["denylist"] || []).first] == @tool if b?("deny_first_only")
    found = false if b?("deny_auto_ignored") && mode == "auto"
    found = (@policy["denylist"] || []).join(",").include?(@tool) if b?("deny_substring")
    fail_with("PolicyDenied", "the policy denies #{@tool}") if found
  end

  def check_mode(args, exists)
    case mode
    when "deny"
      return if listed?("allowlist", b?("mode_deny_raw_name") ? @called : @tool)
      return if b?("mode_deny_empty_allows") && (@policy["allowlist"] || []).empty?
      return if b?("mode_deny_read_only_runs") && !side_effects?
      fail_with("PolicyDenied", "the policy does not allow #{@tool}")
    when "prompt"
      wanted = @policy.key?("prompt_side_effects") ? @policy["prompt_side_effects"] : !b?("prompt_default_false")
      return unless side_effects? && wanted && !listed?("allowlist")
      return if b?("prompt_any_allowlist") && !(@policy["allowlist"] || []).empty?
      return if b?("copy_asks_for_overwrite_only") && @tool == "copy" && !exists
      return if b?("approval_remembered") && STATE[:approved][@tool]
      ask
    end
  end

  def ask
    answer = @approval || (b?("approval_default_approve") ? "approve" : "deny")
    @requested[0] = true unless b?("approved_not_reported") && answer == "approve"
    return STATE[:approved][@tool] = true if answer == "approve"
    fail_with("ApprovalDenied", "the user did not approve #{@tool}")
  end

  # Only for a bug: the question before its time.
  def ask_early
    check_mode({}, true) if mode == "prompt"
  end
end

def check_members(args)
  fail_with("BadArgs", "the arguments must be an object") unless args.is_a?(Hash)
  fail_with("BadArgs", "the argument #{args.twice} is given twice") if args.is_a?(Members) && args.twice
end

def path_argument(args, name)
  value = args[name]
  value = "." if name == "destination" && b?("destination_default_dot") && !args.key?(name)
  value = value.to_s if name == "destination" && value.is_a?(Integer) && b?("number_to_name")
  value = value[0] if name == "source" && value.is_a?(Array) && value.size == 1 && b?("source_list_of_one")
  if b?("bad_type_failed") && args.key?(name) && !value.is_a?(String)
    fail_with("ExecutionFailed", "no implicit conversion of #{value.class} into String")
  end
  fail_with("BadArgs", "#{name} is required and must be a path") unless value.is_a?(String)
  unless value != "" && value.valid_encoding? && !value.include?("\0")
    fail_with("BadArgs", "#{name} must be a path")
  end
  value
end

def overwrite_argument(args, tool)
  if tool == "copy" && b?("force_overwrites") && args["force"] == true
    return :force
  end
  return false unless args.key?("overwrite")
  value = args["overwrite"]
  return value == "true" if b?("overwrite_text") && tool == "move" && %w[true false].include?(value)
  return value == 1 if b?("overwrite_number") && tool == "copy" && [0, 1].include?(value)
  fail_with("BadArgs", "overwrite must be a boolean") unless value == true || value == false
  value
end

def dig(config, *names)
  names.each { |name| config = config.is_a?(Hash) ? config[name] : nil }
  config
end

# Whether the configuration lets a call overwrite; false without it.
def overwriting_allowed?(config, tool, called)
  value = dig(config, "tools", "fileops", "allow_overwrite")
  value = dig(config, "fileops", "allow_overwrite") if value.nil? && b?("config_short_table")
  value = dig(config, "tools", tool, "allow_overwrite") if value.nil? && b?("config_tool_table")
  value = dig(config, "tools", "*", "allow_overwrite") if value.nil? && b?("config_wildcard_table")
  value = dig(config, "tools", "fileops", tool, "allow_overwrite") unless dig(config, "tools", "fileops", tool, "allow_overwrite").nil? || !b?("config_sub_table")
  value = false if b?("config_other_table_blocks") && dig(config, "tools", tool, "allow_overwrite") == false
  value = dig(config, "tools", "allow_overwrite") if b?("config_parent_wins") && !dig(config, "tools", "allow_overwrite").nil?
  if b?("config_sticky")
    STATE[:allow] = value unless value.nil?
    value = STATE[:allow]
  end
  return false if value.nil?
  fail_with("ConfigInvalid", "tools.fileops.allow_overwrite must be a boolean") unless value == true || value == false
  value
end

def call(params, requested)
  called = params["tool"].to_s
  tool = named(called) or fail_with("UnknownTool", "there is no tool #{called}")
  args = params["arguments"]
  context = params["context"] || {}
  policy = Policy.new(context, tool, called, requested)
  if b?("positional_arguments") && tool == "move" && args.is_a?(Array) && args.size >= 2
    args = {"source" => args[0], "destination" => args[1]}
  end
  policy.ask_early if b?("asked_before_arguments")
  check_members(args)
  return list_call(args, context, policy, called) if tool == "list_directory"

  source = path_argument(args, "source")
  destination = path_argument(args, "destination")
  lazy = b?("overwrite_checked_late") || b?("overwrite_checked_after_sandbox")
  overwrite = lazy ? false : overwrite_argument(args, tool)

  if b?("memo_results") || b?("memo_errors")
    key = [tool, source, destination, overwrite, context["roots"]]
    if STATE[:memo].key?(key)
      old = STATE[:memo][key]
      raise old if old.is_a?(Failure)
      return old
    end
    begin
      result = file_call(tool, called, args, context, policy, source, destination, overwrite, lazy)
      STATE[:memo][key] = result if b?("memo_results")
      return result
    rescue Failure => error
      STATE[:memo][key] = error if error.kind == "ExecutionFailed" && b?("memo_errors")
      raise
    end
  end
  file_call(tool, called, args, context, policy, source, destination, overwrite, lazy)
end

def file_call(tool, called, args, context, policy, source, destination, overwrite, lazy)
  policy.check_enabled unless b?("enabled_after_sandbox")
  policy.ask_early if b?("denylist_after_question")
  policy.check_denylist unless b?("denylist_after_sandbox")

  source = source.strip if b?("copy_source_stripped") && tool == "copy" && source.strip != ""
  destination = destination.chomp if b?("move_destination_chomped") && tool == "move" && destination.chomp != ""
  destination = destination.unicode_normalize(:nfc) if b?("copy_destination_nfc") && tool == "copy"
  destination = destination.tr("\\", "/") if b?("move_backslash") && tool == "move"
  if b?("move_percent_decoded") && tool == "move"
    decoded = destination.b.gsub(/%([0-9A-Fa-f]{2})/) { $1.hex.chr }.force_encoding("UTF-8")
    destination = decoded if decoded.valid_encoding? && !decoded.include?("\0")
  end
  if b?("copy_name_cut") && tool == "copy"
    destination = destination.split("/", -1).map { |part| part.bytesize > 255 ? part.byteslice(0, 255).scrub("") : part }.join("/")
  end

  sandbox = Sandbox.new(context, called)
  sandbox.role = [tool, "source"]
  from = sandbox.check(source)
  base = nil
  if b?("rename_beside_source") && called == "rename" && !destination.include?("/")
    base = File.dirname(from.entry)
  end
  sandbox.role = [tool, "destination"]
  policy.ask_early if b?("asked_before_destination")
  sandbox.trusting = true if b?("overwrite_skips_check") && overwrite == true
  to = sandbox.check(destination, base)
  sandbox.trusting = false
  policy.ask_early if b?("asked_before_final")
  job = FileJob.new(tool, called, sandbox, from, to, source, destination)
  job.wants_overwrite = overwrite == true
  job.find_final_place
  if b?("move_made_before_question") && tool == "move" && policy.mode == "prompt"
    parent = File.dirname(job.final.entry)
    FileUtils_mkdir_p(parent)
  end
  overwrite = overwrite_argument(args, tool) if b?("overwrite_checked_after_sandbox")

  policy.check_enabled if b?("enabled_after_sandbox")
  policy.check_denylist if b?("denylist_after_sandbox")
  config = context["config"]
  if b?("copy_run_before_question") && tool == "copy" && policy.mode == "prompt"
    job.overwrite = overwrite == true && overwriting_allowed?(config, tool, called)
    done = job.run
    policy.check_mode(args, false)
    return done
  end
  policy.check_mode(args, job.final_exists?)

  if lazy && b?("overwrite_checked_late")
    overwrite = job.final_exists? ? overwrite_argument(args, tool) : false
  end
  job.overwrite = overwrite == true && overwriting_allowed?(config, tool, called)
  job.overwrite = true if overwrite == :force
  job.overwrite = true if b?("config_beats_false") && tool == "copy" && overwrite == false && args.key?("overwrite") && overwriting_allowed?(config, tool, called)
  job.overwrite = true if b?("mv_forces") && called == "mv" && !args.key?("overwrite")
  job.run
end

def FileUtils_mkdir_p(path)
  missing = []
  until File.directory?(path)
    missing << path
    path = File.dirname(path)
  end
  missing.reverse.each { |dir| Dir.mkdir(dir) }
rescue SystemCallError
  nil
end

def printable(text)
  text.dup.force_encoding("UTF-8").scrub
end

def answer(params)
  requested = [false]
  begin
    result = {"status" => "ok", "content" => call(params, requested)}
  rescue Failure => error
    result = {"status" => "error", "error" => {"kind" => error.kind, "message" => printable(error.message)}}
  rescue SystemCallError, IOError, ArgumentError => error
    result = {"status" => "error", "error" => {"kind" => "ExecutionFailed", "message" => printable(error.message)}}
  end
  result["approval_requested"] = requested[0]
  result["log"] = []
  result["context"] = {"allow_truncation" => false} if named(params["tool"].to_s) == "list_directory"
  result
end

def main
  trap("XFSZ", "IGNORE")
  STDIN.binmode
  STDOUT.binmode
  STDOUT.sync = true
  while (line = STDIN.gets("\n"))
    request = JSON.parse(line.force_encoding("UTF-8"), object_class: Members, max_nesting: 0)
    params = request["params"] || {}
    result = case request["method"]
             when "initialize" then INITIALIZE
             when "describe" then definition(params["tool"])
             when "call" then answer(params)
             end
    STDOUT.write(JSON.generate({"jsonrpc" => "2.0", "id" => request["id"], "result" => result}) + "\n")
    break if request["method"] == "shutdown"
  end
end

main if $0 == __FILE__
