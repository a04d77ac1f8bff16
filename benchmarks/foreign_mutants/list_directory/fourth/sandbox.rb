# frozen_string_literal: true

require_relative "bug"

# The directories that a call may access. Paths are binary strings: a name on disk is bytes.
class Sandbox
  SECRETS = ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"].freeze
  MOST_LINKS = 40
  REASONS = {
    Errno::ENOENT => "path does not exist",
    Errno::ENOTDIR => "path does not exist: a part of it is not a directory",
    Errno::EACCES => "path cannot be reached: permission denied",
    Errno::ENAMETOOLONG => "path is too long"
  }.freeze

  def initialize(context)
    @context = context
    @roots = context["roots"].map do |root|
      bug?("root_not_resolved") ? split(root.b) : split(File.realpath(root.b).b)
    end
    @roots = @roots.first(1) if bug?("first_root_only")
  rescue SystemCallError
    raise Failure.new("SandboxViolation", "a root of the sandbox cannot be resolved")
  end

  # The canonical place of a path, and the Failure that says why nothing is there, or nil.
  def resolve(path)
    absolute = path.start_with?("/")
    violation("absolute paths are not allowed") if absolute && @context["allow_absolute"] != true && !bug?("absolute_ok")
    working = bug?("first_root_start") ? @context["roots"].first : @context["working_dir"]
    if bug?("exists_before_sandbox") && !File.exist?(File.join(absolute ? "" : working.b, path.b))
      raise Failure.new("ExecutionFailed", "path does not exist")
    end
    parts = split(path.b)
    dots = bug?("dots_in_name") ? parts.any? { |part| part.include?("..") } : parts.include?("..".b)
    violation("a path must not contain '..'") if dots
    start = absolute ? [] : split(File.realpath(working.b).b)
    here, missing = follow(start, parts)
    judge(path, start, parts, here)
    refuse_denied(bug?("denied_text_only") ? start + parts : here)
    [join(here), missing]
  end

  private

  def violation(message)
    raise Failure.new("SandboxViolation", message)
  end

  # Follow links component by component, like realpath, and go on after a missing part.
  def follow(start, parts)
    here = start
    ahead = parts.dup
    links = 0
    missing = nil
    until ahead.empty?
      part = ahead.shift
      if part == ".."
        here = here[0...-1]
        next
      end
      here += [part]
      next if missing

      place = join(here)
      begin
        stat = File.lstat(place)
      rescue SystemCallError => e
        kind = e.is_a?(Errno::ENOTDIR) && bug?("through_file_kind") ? "BadArgs" : "ExecutionFailed"
        missing = Failure.new(kind, REASONS.fetch(e.class, "path cannot be reached"))
        next
      end
      if stat.symlink?
        raise Failure.new("ExecutionFailed", "path has too many levels of symbolic links") if (links += 1) > MOST_LINKS

        target = File.readlink(place).b
        violation("a link contains '..'") if bug?("dotdot_link_refused") && split(target).include?("..".b)
        here = target.start_with?("/") && !bug?("absolute_link_relative") ? [] : here[0...-1]
        ahead = split(target) + ahead
      end
    end
    missing&.message&.then { @dangling = links.positive? }
    [here, missing]
  end

  def judge(path, start, parts, here)
    checked = here
    if bug?("middle_link_unchecked") && parts.length > 1
      lexical = start + parts
      checked = lexical unless File.symlink?(join(lexical))
    elsif bug?("final_link_unchecked") && parts.length.positive?
      above, = follow(start, parts[0...-1])
      checked = above + parts.last(1)
    end
    key = [@context["working_dir"], path]
    inside = @roots.any? { |root| begins?(checked, root) }
    if bug?("second_root_link") && inside && @roots.length > 1
      first = @roots.find { |root| begins?(start + parts, root) }
      inside = begins?(checked, first) if first
    end
    inside = false if bug?("strict_prefix_link") && here != start + parts && @roots.include?(here)
    inside &&= @roots.any? { |root| begins?(start + parts, root) } if bug?("outside_link_in_refused") && path.start_with?("/")
    inside ||= @roots.any? { |root| join(checked).start_with?(join(root)) } if bug?("prefix_compare")
    if bug?("verdict_cached")
      inside ||= KEPT[key]
      KEPT[key] = true if inside
    end
    return if inside

    raise Failure.new("ExecutionFailed", "path does not exist") if bug?("outside_hidden") && here != start + parts

    violation("path leads outside the sandbox")
  end

  def refuse_denied(parts)
    patterns = @context["denied_patterns"] || []
    defaults = @context["include_default_denies"] != false
    defaults = false if bug?("custom_replaces") && !patterns.empty?
    patterns += SECRETS if defaults
    places = [parts] + @roots.select { |root| begins?(parts, root) }.map { |root| parts.drop(root.length) }
    places.map! { |place| place.map { |part| part.dup.force_encoding(Encoding::UTF_8).scrub } }
    patterns.each do |pattern|
      components = pattern.split("/").reject(&:empty?)
      next unless places.any? { |place| matches?(place, components) }

      raise Failure.new("PolicyDenied", "path is denied") if bug?("denied_kind")

      violation("path matches the denied pattern #{pattern}")
    end
  end

  def matches?(parts, components)
    return parts.empty? if components.empty?

    first, *rest = components
    return matches?(parts, rest) || (!parts.empty? && matches?(parts.drop(1), components)) if first == "**"

    !parts.empty? && wildcard(first).match?(parts[0]) && matches?(parts.drop(1), rest)
  end

  def wildcard(pattern)
    source = pattern.gsub(/[.+^${}()|\\]/) { "\\#{_1}" }.gsub("*", ".*").gsub("?", ".").gsub("[!", "[^")
    Regexp.new("\\A#{source}\\z", Regexp::MULTILINE)
  end

  def split(path)
    path.split("/".b).reject { |part| part.empty? || part == "." }
  end

  def join(parts)
    "/".b + parts.join("/".b)
  end

  def begins?(path, head)
    path.first(head.length) == head
  end
end
