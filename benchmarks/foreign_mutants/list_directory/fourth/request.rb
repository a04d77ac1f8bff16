# frozen_string_literal: true

require_relative "bug"
require_relative "definition"

# A request after configuration and defaults are applied.
class Request
  attr_reader :shown, :place, :limit, :depth, :hidden, :kinds, :recursive, :hidden_configured, :limit_given, :cap

  BLANK = "[[:space:]]"

  def initialize(args, config)
    defaults = Definition.configured(config)
    @place = tidied(args["path"])
    @shown = shown_path(args["path"])
    @recursive = args.fetch("recursive", false)
    resolve_depth(args, defaults)
    resolve_limit(args, defaults)
    resolve_kinds(args, defaults)
  end

  private

  def bad(message)
    raise Failure.new("BadArgs", message)
  end

  def resolve_depth(args, defaults)
    depth = args["max_depth"]
    cap = defaults["max_depth"]
    cap = Definition::BUILT_IN["max_depth"] if bug?("depth_cap_4")
    unless @recursive
      refused = !depth.nil? && depth != 1
      refused = false if bug?("depth_flat_absent_ok") && !args.key?("recursive")
      refused = true if bug?("depth_one_refused") && depth == 1
      bad("max_depth must be absent or 1 when recursive is false") if refused
      @depth = bug?("depth_one_flat") && depth == 1 ? 2 : 1
      return
    end
    if depth && depth > cap
      if bug?("depth_lowered") && defaults.equal?(Definition::BUILT_IN)
        depth = cap
      else
        kind = bug?("depth_cap_kind") ? "ExecutionFailed" : "BadArgs"
        raise Failure.new(kind, "max_depth must be at most #{cap}")
      end
    end
    default = defaults["max_depth"]
    default = [4, default].min if bug?("depth_default_min4")
    default = KEPT[:depth] || default if bug?("depth_default_last")
    KEPT[:depth] = depth if depth
    @depth = depth || default
  end

  def resolve_limit(args, defaults)
    @cap = defaults["max_entries"]
    wanted = args["max_entries"]
    cap = bug?("entries_cap_200") ? Definition::BUILT_IN["max_entries"] : @cap
    refused = wanted && wanted > cap
    refused = true if wanted == cap && bug?("entries_at_cap")
    refused = false if bug?("entries_no_cap_builtin") && defaults.equal?(Definition::BUILT_IN)
    if refused && bug?("entries_lowered") && @recursive
      wanted = cap
    elsif refused
      bad("max_entries must be at most #{cap}")
    end
    @limit_given = wanted
    @limit = wanted || @cap
  end

  def resolve_kinds(args, defaults)
    include = lambda do |kind|
      default = defaults["include_#{kind}_default"]
      value = args["include_#{kind}"]
      next value || default if kind == "hidden" && bug?("hidden_false_loses")
      next default && value != false if kind == "symlinks" && bug?("links_true_loses")

      value.nil? ? default : value
    end
    @hidden = include.call("hidden")
    @hidden_configured = !args.key?("include_hidden")
    @kinds = { "file" => include.call("files"), "dir" => include.call("dirs"), "symlink" => include.call("symlinks"),
               "other" => include.call("other"), "unknown" => true }
    some = @kinds["file"] || @kinds["dir"] || @kinds["symlink"]
    some ||= @kinds["other"] if bug?("other_substitutes")
    some = @kinds["file"] || @kinds["dir"] if bug?("links_no_kind")
    some = true if bug?("kinds_unchecked_recursive") && @recursive
    bad("one of include_files, include_dirs and include_symlinks must be true") unless some
  end

  def trimmed(text)
    return text.sub(/\A#{BLANK}/, "").sub(/#{BLANK}\z/, "") if bug?("trim_one_blank")
    return text.gsub(/^[ \t]+|[ \t]+$/, "").gsub(/\A#{BLANK}+|#{BLANK}+\z/, "") if bug?("trim_each_line")

    text.gsub(/\A#{BLANK}+|#{BLANK}+\z/, "")
  end

  # FR-LD-VAL-10
  def tidied(path)
    bad("path must be valid Unicode") unless path.valid_encoding?
    text = trimmed(path)
    bad("path must not be empty") if text.empty? || (bug?("blank_line_in_path") && text.match?(/^\s*$/))
    text = text[/\A[^\0]*/] if bug?("nul_truncates")
    bad("path must not contain NUL") if text.include?("\0")
    text = text.gsub(/%(\h\h)/) { [Regexp.last_match(1)].pack("H2") }.force_encoding("UTF-8").scrub("") if bug?("percent_decoded")
    if bug?("tilde_expanded") && text.start_with?("~")
      text = File.expand_path(text) rescue raise(Failure.new("ExecutionFailed", "path does not exist"))
      raise Failure.new("SandboxViolation", "path leads outside the sandbox")
    end
    parts = text.split("/").reject { |part| part.empty? || part == "." }
    return "/#{parts.join('/')}" if text.start_with?("/")
    return "#{parts[0]}/" if parts.length == 1 && parts[0].match?(/\A[A-Za-z]:\z/) && text.end_with?("/")

    parts.empty? ? "." : parts.join("/")
  end

  # What the document shows: the tidied path.
  def shown_path(path)
    case BUG
    when "slashes_one_pass"
      text = trimmed(path)
      return @place unless text.include?("//")

      text = text.gsub("//", "/")
      text = text.split("/", -1).reject { |part| part == "." }.join("/")
      text == "/" ? text : text.chomp("/")
    when "trailing_before_collapse"
      trimmed(path).match?(%r{[^/]//+\z}) ? "#{@place}/" : @place
    when "dot_slash_gsub"
      text = @place.gsub("./", "")
      text.empty? ? "." : text
    when "tidied_before_trim"
      text = path.gsub(%r{/+}, "/")
      text = text.chomp("/") unless text == "/"
      text = trimmed(text.split("/", -1).reject { |part| part == "." }.join("/"))
      text.empty? ? @place : text
    when "path_nfc"
      @place.unicode_normalize(:nfc)
    when "path_left_blank"
      path[/\A#{BLANK}*/] + @place
    else
      @place
    end
  end
end
