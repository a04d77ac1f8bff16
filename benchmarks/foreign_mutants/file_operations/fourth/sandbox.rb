# The sandbox: which paths a call may use.

# A path that was accepted: the entry itself (links of its directory followed) and what it leads to; both bytes.
Place = Struct.new(:entry, :resolved, :slash)

class Sandbox
  DEFAULT = ["**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"]
  MAX_LINKS = 40
  attr_reader :roots, :working_dir
  attr_accessor :role, :trusting

  def initialize(context, called)
    @called = called
    given = context["denied_patterns"] || []
    defaults = context["include_default_denies"] != false
    defaults = context["include_default_denies"] == true if b?("deny_defaults_absent_off")
    @denied = given.dup
    @denied += DEFAULT if defaults
    @denied = given.dup if b?("deny_list_replaces_defaults") && !given.empty?
    @denied = @denied.map { |p| p == "**/id_rsa*" ? "**/id_rsa" : p } if b?("deny_id_rsa_exact")
    if b?("deny_accumulates")
      STATE[:extra] |= given
      @denied |= STATE[:extra]
    end
    @allow_absolute = context["allow_absolute"] == true
    @raw_roots = (context["roots"] || []).map { |root| root.b }
    @working_dir = (context["working_dir"] || @raw_roots[0] || "/").b
    @roots = @raw_roots.map { |root| b?("roots_not_resolved") ? root.chomp("/") : resolve(root) }
    @role = ["list_directory", "path"]
    @trusting = false
  end

  # Checks a path argument and returns its place.
  def check(argument, base = nil)
    path = absolute(argument, base)
    place = check_entry(path)
    place.slash = argument.end_with?("/") || argument.end_with?("/.")
    place
  end

  def check_directory(argument)
    resolved = resolve(absolute(argument))
    check_place(resolved)
    resolved
  end

  def absolute(argument, base = nil)
    tool, part = @role
    path = argument.b
    if path.start_with?("/")
      if !@allow_absolute
        if b?("absolute_joined")
          path = path.sub(%r{\A/+}, "")
        elsif b?("absolute_inside_accepted") && part == "destination" && @raw_roots.any? { |r| path.start_with?(r + "/") }
          # taken
        else
          fail_with("SandboxViolation", "absolute paths are not allowed: #{argument}")
        end
      elsif b?("absolute_destination_refused") && part == "destination"
        fail_with("SandboxViolation", "absolute paths are not allowed: #{argument}")
      end
    end
    parts = path.split("/")
    up = parts.include?("..")
    up = path.include?("..") if b?("dotdot_anywhere")
    up = path.include?("../") if b?("dotdot_last_accepted")
    fail_with("SandboxViolation", "the path contains '..': #{argument}") if up
    start = base || @working_dir
    start = @roots[0] if b?("destination_from_root") && part == "destination" && base.nil?
    return path if path.start_with?("/")
    if b?("tilde_is_home") && path.start_with?("~")
      begin
        return File.expand_path(path, start).b
      rescue ArgumentError => error
        fail_with("ExecutionFailed", error.message)
      end
    end
    whole = start + "/" + path
    if b?("source_searched_in_roots") && part == "source" && !there?(whole)
      other = @roots.map { |root| root + "/" + path }.find { |candidate| there?(candidate) }
      whole = other if other
    end
    whole
  end

  def there?(path)
    File.lstat(path)
    true
  rescue SystemCallError
    false
  end

  # Both the entry and what it leads to must be inside and not denied.
  def check_entry(path)
    clean = path.split("/").reject { |p| p == "" || p == "." }
    if clean.empty?
      entry = resolved = "/".b
    elsif clean.last == ".."
      entry = resolved = resolve(path)
    else
      parent = resolve("/" + clean[0..-2].join("/"))
      entry = (parent == "/" ? "" : parent) + "/" + clean.last
      resolved = resolve(entry)
    end
    place = Place.new(entry, resolved, false)
    tool, part = @role
    key = [path, tool]
    return place if b?("accepted_remembered") && STATE[:accepted][key]
    if b?("absolute_source_anywhere") && @allow_absolute && part == "source" && path.start_with?("/")
      return place unless path.start_with?(@working_dir + "/")
    end
    check_place(entry, b?("deny_judges_target") ? :inside : :all) unless entry == resolved
    skip = @trusting
    skip ||= b?("copy_link_target_unchecked") && tool == "copy" && part == "source" && entry != resolved
    skip ||= b?("move_link_target_unchecked") && tool == "move" && part == "source" && entry != resolved
    skip ||= b?("dangling_unchecked") && part == "destination" && entry != resolved && !there?(resolved)
    unless skip
      check_place(resolved, b?("deny_judges_name") && entry != resolved ? :inside : :all)
    end
    STATE[:accepted][key] = true
    place
  end

  def inside?(place, root)
    place == root || root == "/" || place.start_with?(root + "/")
  end

  def check_place(place, what = :all)
    tool, part = @role
    roots = @roots
    roots = @roots[0, 1] if b?("destination_first_root") && part == "destination"
    root = roots.find { |candidate| inside?(place, candidate) }
    root ||= roots.find { |candidate| place.start_with?(candidate) } if b?("root_by_prefix") && part == "destination"
    root = nil if b?("root_is_outside") && tool == "move" && part == "destination" && place == root
    fail_with("SandboxViolation", "the path is outside the sandbox: #{place}") unless root
    return if what == :inside
    return if b?("cp_skips_patterns") && @called == "cp"
    inner = place == root ? "" : place.byteslice((root == "/" ? 1 : root.bytesize + 1)..) || ""
    if b?("deny_top_level_free")
      return if !inner.include?("/") && @denied.none? { |pattern| !pattern.start_with?("**/") && covers?(pattern, inner) }
    end
    if @denied.any? { |pattern| covers?(pattern, place) || covers?(pattern, inner) }
      fail_with("SandboxViolation", "the sandbox denies the path: #{place}")
    end
  end

  def covers?(pattern, path)
    text = path.dup.force_encoding("UTF-8").scrub
    if b?("deny_fnmatch_hidden")
      # File.fnmatch without FNM_DOTMATCH on the path from the root
      glob = pattern.end_with?("/**") ? pattern + "/*" : pattern
      return File.fnmatch?(glob, text, File::FNM_PATHNAME)
    end
    Sandbox.matches?(pattern.split("/", -1), text.split("/", -1))
  end

  def self.matches?(pattern, parts)
    return parts.empty? if pattern.empty?
    first, *rest = pattern
    if first == "**"
      return !parts.empty? if rest.empty?
      return (0..parts.size).any? { |skipped| matches?(rest, parts[skipped..]) }
    end
    return false if parts.empty?
    part_matches?(first, parts[0]) && matches?(rest, parts[1..])
  end

  PART = {}
  def self.part_matches?(pattern, text)
    (PART[pattern] ||= part_regexp(pattern)).match?(text)
  end

  def self.part_regexp(pattern)
    out = +"\\A"
    chars = pattern.chars
    i = 0
    while i < chars.size
      c = chars[i]
      case c
      when "*" then out << "[^/]*"
      when "?" then out << (b?("deny_question_mark_literal") ? "\\?" : "[^/]")
      when "["
        close = ((i + 2)...chars.size).find { |j| chars[j] == "]" }
        if close
          set = chars[(i + 1)...close].join
          negated = set.start_with?("!", "^")
          set = set[1..] if negated
          out << "[" << (negated ? "^" : "") << set.gsub(/[\\\[\]&^]/) { "\\" + $& } << "]"
          i = close
        else
          out << "\\["
        end
      else out << Regexp.escape(c)
      end
      i += 1
    end
    Regexp.new(out + "\\z", Regexp::MULTILINE)
  rescue RegexpError
    Regexp.new("\\A" + Regexp.escape(pattern) + "\\z")
  end

  # The path with every link followed; parts that do not exist stay as they are.
  def resolve(path)
    pending = path.b.split("/").reject { |p| p == "" || p == "." }
    real = []
    links = 0
    until pending.empty?
      part = pending.shift
      if part == ".."
        real.pop
        next
      end
      following = "/" + (real + [part]).join("/")
      begin
        target = File.readlink(following).b
      rescue SystemCallError
        target = nil
      end
      if target && b?("one_link_only") && links > 0 && pending.empty?
        target = nil
      end
      if target.nil?
        real << part
        next
      end
      links += 1
      fail_with("ExecutionFailed", "too many links: #{path}") if links > MAX_LINKS
      if target.start_with?("/")
        real = []
      elsif b?("link_from_working_dir") && @working_dir
        real = @working_dir.split("/").reject { |p| p == "" || p == "." }
      end
      pending = target.split("/").reject { |p| p == "" || p == "." } + pending
    end
    "/".b + real.join("/")
  end

  def root?(path)
    @roots.any? { |root| root == path || root.start_with?(path == "/" ? "/" : path + "/") }
  end
end
