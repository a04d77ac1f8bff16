# frozen_string_literal: true

# The candidate protocol of treeproof over stdin and stdout.

require "socket" if ENV.fetch("TREEPROOF_BUG", "").start_with?("network")
require_relative "bug"
require_relative "json_text"
require_relative "definition"
require_relative "request"
require_relative "sandbox"
require_relative "walk"
require_relative "document"

# The calls of the tool.
module Tool
  module_function

  def initialized
    { "protocol" => 1,
      "candidate" => { "name" => "foreign-ruby", "version" => "1.0.0", "language" => "ruby" },
      "tools" => { "list_directory" => "list_directory@1.1" },
      "capabilities" => %w[config budget policy denied_patterns allow_absolute roots working_dir executor context log],
      "interpretations" => {} }
  end

  def call(params)
    @asked = false
    @cut = false
    result = begin
      { "status" => "ok", "content" => answer(params["tool"], params["arguments"], params["context"]) }
    rescue Failure => e
      { "status" => "error", "error" => { "kind" => e.kind, "message" => e.message } }
    rescue StandardError, SystemStackError => e
      warn e.full_message
      { "status" => "error", "error" => { "kind" => "ExecutionFailed", "message" => "failed: #{e.class}" } }
    end
    result["context"] = { "allow_truncation" => allowed?(result) }
    result["approval_requested"] = true if @asked
    result["log"] = []
    after_call(params) if BUG.start_with?("network")
    result
  end

  # FR-LD-OUT-04: false for every call.
  def allowed?(result)
    return !@cut if bug?("truncation_when_cut")
    if bug?("truncation_first_call") && result["status"] == "ok"
      later = KEPT[:cleared] || false
      KEPT[:cleared] = true
      return later
    end
    false
  end

  def after_call(params)
    arguments = params["arguments"]
    if bug?("network_ping") && arguments.is_a?(Hash) && arguments["recursive"] == true
      UDPSocket.open { |socket| socket.send("list_directory", 0, "192.0.2.1", 9) }
    elsif bug?("network_port")
      KEPT[:server] ||= TCPServer.new("127.0.0.1", 0)
    end
  rescue SystemCallError
    nil
  end

  def answer(tool, arguments, context)
    raise Failure.new("UnknownTool", "there is no tool #{tool.to_s.scrub}") unless tool == Definition::NAME

    policy = context["policy"] || {}
    before(policy)
    request = Request.new(Definition.checked(arguments), context["config"])
    sandbox = Sandbox.new(context)
    root, missing = sandbox.resolve(request.place)
    mode(policy, request)
    if missing
      return Document.new(request, Walk.new(request, root, context)).within(budget(context)) if dangling_empty?(missing, context, request)

      raise missing
    end
    list(request, root, context)
  end

  def dangling_empty?(missing, context, request)
    return false unless bug?("dangling_empty") && missing.message == "path does not exist"

    File.symlink?(File.expand_path(request.place.b.sub(/\A~/n, "./~".b), context["working_dir"].b))
  end

  # What is checked before the sandbox.
  def before(policy)
    name = Definition::NAME
    denied = policy["denylist"] || []
    allowed = policy["allowlist"] || []
    enabled = policy.fetch("enabled", true)
    enabled = true if bug?("enabled_loses") && allowed.include?(name)
    raise Failure.new("PolicyDenied", "tool execution is disabled by policy") unless enabled

    denied = (KEPT[:denied] ||= denied) if bug?("policy_sticks") && !policy.empty?
    refused = denied.include?(name)
    refused = false if bug?("allow_beats_deny") && allowed.include?(name)
    refused = false if bug?("denylist_not_auto") && policy.fetch("mode", "auto") == "auto"
    refused = true if bug?("deny_prefix") && denied.any? { |word| !word.empty? && name.start_with?(word) }
    raise Failure.new("PolicyDenied", "#{name} is denied by policy") if refused
  end

  # What is checked after it. A tool that only reads never needs approval.
  def mode(policy, request)
    name = Definition::NAME
    allowed = policy["allowlist"] || []
    if policy["mode"] == "deny"
      admitted = allowed.include?(name)
      admitted = allowed.join(",").include?(name) if bug?("allow_substring")
      admitted = allowed.first == name if bug?("allow_first_only")
      raise Failure.new("PolicyDenied", "#{name} is not allowed by policy") unless admitted
    end
    return unless bug?("approval_hidden") && request.hidden

    @asked = true
    raise Failure.new("ApprovalDenied", "the user denied the call") unless @approval == "approve"
  end

  def list(request, root, context)
    stat = File.lstat(root)
    unless stat.directory?
      raise Failure.new("BadArgs", "path is not a directory") if bug?("special_kind") && stat.pipe?
      return itself(request, root, context) if bug?("file_lists_itself") && stat.file?

      raise Failure.new("ExecutionFailed", "path is not a directory")
    end
    walk = Walk.new(request, root, context)
    names = open(walk, root)
    show_link(request, root, context)
    lock(root, request)
    walk.run(names)
    document = Document.new(request, walk)
    content = document.within(budget(context))
    @cut = document.cut?
    content
  rescue SystemCallError
    raise Failure.new("ExecutionFailed", "path cannot be listed")
  end

  def open(walk, root)
    walk.names(root)
  rescue SystemCallError => e
    gone = e.is_a?(Errno::ENOTDIR) || e.is_a?(Errno::ELOOP)
    raise Failure.new("ExecutionFailed", gone ? "path is not a directory" : "directory cannot be read")
  end

  def itself(request, root, context)
    walk = Walk.new(request, root, context)
    name = Names.lossy(File.basename(root).b)
    entry = Entry.new(root, name, name, 1, name.start_with?("."))
    entry.raw = File.basename(root).b
    entry.look(walk)
    walk.entries << entry
    Document.new(request, walk).within(budget(context))
  end

  def show_link(request, root, context)
    return unless bug?("link_path_shown")

    top = context["roots"].map { |one| File.realpath(one.b).b }.find { |one| root.start_with?(one + "/".b) }
    start = File.realpath(context["working_dir"].b).b
    return if !top || request.shown.start_with?("/") || !root.start_with?(start + "/".b)

    request.instance_variable_set(:@shown, Names.lossy(root[(start.length + 1)..]))
  end

  def lock(root, request)
    return unless bug?("lock_file") && request.recursive

    place = root + "/.list_directory.lock".b
    File.open(place, "w").close
    File.unlink(place)
  end

  def budget(context)
    most = context.fetch("max_output_bytes", 102_400)
    capacity = context.fetch("available_capacity_bytes", 65_536)
    capacity = most if bug?("capacity_ignored") && context.key?("max_output_bytes")
    budget = [most, capacity].min
    budget = KEPT[:budget] = [budget, KEPT[:budget] || budget].min if bug?("budget_sticks")
    budget
  end

  def approval(word)
    @approval = word
  end
end

$stdin.binmode
$stdout.binmode
$stdout.sync = true
while (line = $stdin.gets("\n"))
  request = JsonText.parse(line.force_encoding(Encoding::UTF_8))
  params = request["params"]
  result = case request["method"]
           when "initialize" then Tool.initialized
           when "describe" then Definition.describe
           when "call"
             Tool.approval(params.dig("context", "approval") || "deny")
             Tool.call(params)
           end
  answer = JSON.generate({ "jsonrpc" => "2.0", "id" => request["id"], "result" => result }, max_nesting: 0)
  $stdout.write("#{answer}\n".b)
  break if request["method"] == "shutdown"
end
