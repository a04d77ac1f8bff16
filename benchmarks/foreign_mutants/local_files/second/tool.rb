# frozen_string_literal: true

# LocalFiles V2 over stdio. TREEPROOF_BUG selects one bug; without it the tool is right.

require "json"
require "fileutils"
require "fiddle"

BUG = ENV["TREEPROOF_BUG"].to_s.to_sym

def bug?(name)
  BUG == name
end

class ToolError < StandardError
  attr_reader :kind

  def initialize(kind, message)
    super(message)
    @kind = kind
  end
end

class GlobError < StandardError; end

# Text for JSON out of the bytes of a name.
def text(bytes)
  bytes.dup.force_encoding(Encoding::UTF_8).scrub("\uFFFD")
end

def utf8?(bytes)
  bytes.dup.force_encoding(Encoding::UTF_8).valid_encoding?
end

def under(dir, name)
  dir.end_with?("/") ? dir + name : "#{dir}/".b + name
end

# Lexical: . and .. and double slashes disappear.
def clean(path)
  parts = []
  path.b.split("/").each do |part|
    next if part.empty? || part == "."

    part == ".." ? parts.pop : parts.push(part)
  end
  "/".b + parts.join("/".b)
end

# Dir.children takes an error in the middle of a directory for its end; readdir_r tells the two apart.
module Directory
  LIBC = Fiddle.dlopen(nil)
  PTR = Fiddle::TYPE_VOIDP
  OPEN = Fiddle::Function.new(LIBC["opendir"], [PTR], PTR)
  READ = Fiddle::Function.new(LIBC["readdir_r"], [PTR, PTR, PTR], Fiddle::TYPE_INT)
  CLOSE = Fiddle::Function.new(LIBC["closedir"], [PTR], Fiddle::TYPE_INT)
  NAME_AT = 19

  def self.children(path)
    return Dir.children(path, encoding: Encoding::BINARY) if bug?(:readdir_swallowed)

    handle = OPEN.call("#{path}\0")
    raise SystemCallError.new(path, Fiddle.last_error) if handle.null?

    begin
      entry = Fiddle::Pointer.malloc(4096, Fiddle::RUBY_FREE)
      got = Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
      names = []
      loop do
        error = READ.call(handle, entry, got)
        raise SystemCallError.new(path, error) unless error.zero?
        break if got.ptr.null?

        name = (entry + NAME_AT).to_s.b
        names << name unless [".", ".."].include?(name)
      end
      names
    ensure
      CLOSE.call(handle)
    end
  end
end

def following_stat(path)
  File.stat(path)
rescue SystemCallError
  nil
end

def loop?(path)
  File.stat(path)
  false
rescue Errno::ELOOP
  true
rescue SystemCallError
  false
end

# ---- Entries ----

KIND_OF = {
  "directory" => "DirectoryEntry", "file" => "FileEntry", "link" => "SymbolicLinkEntry"
}.freeze
KIND_ORDER = %w[DirectoryEntry FileEntry SymbolicLinkEntry OtherEntry].freeze

Entry = Struct.new(:name, :path, :kind, :stat, :json)

class Describer
  def initialize
    @kinds = {}
    @first_base = nil
  end

  # found: nil in a listing, else the start of the search
  def entry(dir, name, found: nil)
    path = under(dir, name)
    stat = File.lstat(path)
    kind = kind_of(path, name, stat)
    e = Entry.new(name, path, kind, stat, {})
    led = stat.symlink? ? following_stat(path) : nil
    if bug?(:abs_link_followed) && led && readlink(path).start_with?("/")
      stat = e.stat = led
      kind = e.kind = KIND_OF.fetch(led.ftype, "OtherEntry")
    end
    kind = e.kind = @kinds[path] ||= kind if bug?(:state_kind_cache)
    word = kind
    word = "FifoEntry" if bug?(:type_special_word) && stat.ftype == "fifo"
    word = "FileEntry" if bug?(:find_dir_as_file) && found && kind == "DirectoryEntry"
    e.json["@type"] = word
    e.json["name"] = name_of(name)
    e.json["path"] = path_of(e, dir, found)
    e.json["size"] = size_of(e, dir, found, led)
    e.json["lastModified"] = time_of(e, found, led)
    add_target(e, found, led) if kind == "SymbolicLinkEntry"
    e.json["hidden"] = true if bug?(:hidden_member) && kind == "FileEntry" && name.start_with?(".")
    if bug?(:nonutf8_other) && stat.file? && !utf8?(name)
      e.json.merge!("@type" => "OtherEntry", "size" => 0, "lastModified" => 0)
    end
    e
  end

  private

  def kind_of(path, _name, stat)
    kind = KIND_OF.fetch(stat.ftype, "OtherEntry")
    case BUG
    when :loop_other then kind = "OtherEntry" if stat.symlink? && loop?(path)
    when :socket_file then kind = "FileEntry" if stat.socket?
    when :hardlink_symlink then kind = "SymbolicLinkEntry" if stat.file? && stat.nlink > 1
    when :mode_mask then kind = "OtherEntry" if stat.directory? && (stat.mode & 0o3000) != 0
    when :empty_other then kind = "OtherEntry" if stat.file? && stat.size.zero?
    end
    kind
  end

  def name_of(bytes)
    name = text(bytes)
    case BUG
    when :name_number then name.match?(/\A[1-9][0-9]*\z/) ? name.to_i : name
    when :name_locale
      Encoding.find("locale") == Encoding::UTF_8 ? name : name.gsub(/[^\x00-\x7f]/, "?")
    when :name_zero_width then name.gsub(/\p{Cf}/, "")
    when :name_double_space then name.gsub(/ {2,}/, " ")
    when :name_arrow then name.split(" -> ").first || name
    when :name_line then name[/\A[^\n]*/]
    when :name_quotes then name.match?(/\A(["']).+\1\z/m) ? name[1..-2] : name
    when :name_ext_lower then name.sub(/(?<=.)\.[^.]+\z/m) { |ext| ext.downcase }
    else name
    end
  end

  def path_of(e, dir, found)
    path = e.path
    case BUG
    when :path_tilde then path = File.expand_path(e.name, dir)
    when :path_find_flat then path = under(found, e.name) if found
    when :path_target_base
      path = under(dir, File.basename(readlink(path))) if e.stat.symlink?
    when :path_backslash then path = under(dir, e.name.tr("\\", "/"))
    when :path_first_base
      @first_base ||= dir
      path = under(@first_base, e.name) unless found
    end
    text(path)
  end

  def size_of(e, dir, found, led)
    stat = e.stat
    size = stat.size
    link = stat.symlink?
    case BUG
    when :unreadable_dir_null then stat.directory? && !File.readable?(e.path) ? nil : size
    when :size_float_big then size >= 1 << 20 ? size.to_f : size
    when :size_kib then size > 1 << 20 ? size / 1024 * 1024 : size
    when :size_unreadable then stat.file? && !File.readable?(e.path) ? 0 : size
    when :size_sparse then stat.file? ? [size, stat.blocks * 512].min : size
    when :size_dir_parent then stat.directory? ? File.stat(dir).size : size
    when :link_size_chars then link ? text(readlink(e.path)).length : size
    when :link_size_dangling then link && led.nil? && !loop?(e.path) ? 0 : size
    when :link_size_nul then link ? size + 1 : size
    when :find_link_followed then found && led ? led.size : size
    else size
    end
  end

  def millis(time)
    time.to_i * 1000 + time.nsec / 1_000_000
  end

  def time_of(e, found, led)
    stat = e.stat
    time = stat.mtime
    ms = millis(time)
    case BUG
    when :time_before_1980 then ms < 315_532_800_000 ? nil : ms
    when :mtime_float then (time.to_f * 1000).to_i
    when :mtime_nopad
      part = time.nsec / 1_000_000
      part.zero? ? ms : "#{time.to_i}#{part}".to_i
    when :mtime_tz then ms + time.getlocal.utc_offset * 1000
    when :mtime_ns_wrap
      ns = time.to_i * 1_000_000_000 + time.nsec
      ((ns + (1 << 63)) % (1 << 64) - (1 << 63)) / 1_000_000
    when :mtime_ctime then stat.file? ? millis(stat.ctime) : ms
    when :mtime_dir_newest then stat.directory? ? newest(e.path) || ms : ms
    when :mtime_find_seconds then found ? time.to_i : ms
    when :link_mtime_dangling then stat.symlink? && led.nil? && !loop?(e.path) ? 0 : ms
    when :mtime_ceil then time.to_i * 1000 + (time.nsec + 999_999) / 1_000_000
    when :link_mtime_ctime then stat.symlink? ? millis(stat.ctime) : ms
    when :find_link_followed then found && led ? millis(led.mtime) : ms
    else ms
    end
  end

  def newest(path)
    Directory.children(path).map { |n| millis(File.lstat(under(path, n)).mtime) }.max
  rescue SystemCallError
    nil
  end

  def readlink(path)
    File.readlink(path).b
  end

  def add_target(e, found, led)
    unless e.stat.symlink?
      e.json["target"] = text(e.path)
      return
    end
    bytes = readlink(e.path)
    key = bug?(:target_key_dir) && led&.directory? ? "linkTarget" : "target"
    e.json[key] = target_text(e, bytes, found)
  end

  def target_text(e, bytes, found)
    target = text(bytes)
    dir = File.dirname(e.path)
    case BUG
    when :target_one_step
      step = bytes.start_with?("/") ? bytes : under(dir, bytes)
      File.symlink?(step) ? text(readlink(step)) : target
    when :target_tilde then target.start_with?("~") ? target.sub("~", Dir.home) : target
    when :target_loop_null then loop?(e.path) ? nil : target
    when :target_parent_drop then target.gsub(%r{\A(?:\.\./)+}, "")
    when :target_base_start then found && !target.start_with?("/") ? text(clean(under(found, bytes))) : target
    when :target_nfc then target.unicode_normalize(:nfc)
    when :target_root_strip then target.sub(%r{\A/}, "")
    when :target_quoted then target.include?(" ") ? "'#{target}'" : target
    else target
    end
  end
end

# ---- listDirectory ----

class Lister
  def initialize(describer)
    @describer = describer
    @cache = {}
    @known = {}
  end

  def require_directory(path)
    stat = File.stat(path)
    raise Errno::ENOTDIR unless stat.directory?

    stat
  end

  def list(path)
    early = early_answer(path)
    return early if early

    if bug?(:missing_parent)
      path = File.dirname(path) until path == "/" || File.exist?(path)
    end
    stat = require_directory(path)
    if bug?(:chmod_unreadable) && !File.readable?(path)
      begin
        File.chmod((stat.mode & 0o7777) | 0o500, path)
      rescue SystemCallError
        nil
      end
    end
    probe(path) if bug?(:probe_written)
    stamp = [stat.mtime.to_i, stat.mtime.nsec]
    return @cache[path][1] if bug?(:size_cache_dirtime) && @cache[path] && @cache[path][0] == stamp

    names = keep(path, names_of(path))
    return [] if bug?(:r_only_empty) && !File.executable?(path)

    entries = names.filter_map do |name|
      e = @describer.entry(path, name)
      check(e)
      omitted?(e) ? nil : e
    rescue Errno::ENOENT
      nil
    end
    entries = paged(sort(path, entries))
    result = entries.map(&:json)
    @cache[path] = [stamp, result]
    return cut(result) if bug?(:truncated_64k)
    return result.first if bug?(:single_object) && result.size == 1

    result
  end

  def order(entries)
    entries.sort_by { |e| [KIND_ORDER.index(e.kind), e.path] }
  end

  private

  def early_answer(path)
    stat = File.stat(path)
    return [] if bug?(:file_empty) && stat.file?
    return [] if bug?(:dev_empty) && (stat.chardev? || stat.blockdev?)

    nil
  rescue Errno::ENOENT
    return [] if bug?(:missing_empty)

    if bug?(:missing_created)
      FileUtils.mkdir_p(path)
      return []
    end
    nil
  rescue Errno::ELOOP
    bug?(:loop_empty) ? [] : nil
  rescue Errno::EACCES
    bug?(:eacces_parent_empty) ? [] : nil
  rescue SystemCallError
    nil
  end

  def probe(path)
    file = under(path, ".write-probe-#{$PROCESS_ID || Process.pid}")
    File.write(file, "")
    File.delete(file)
  rescue SystemCallError
    nil
  end

  def names_of(path)
    return Directory.children(path) unless bug?(:glob_list)

    Dir.glob(under(path, "*"), File::FNM_DOTMATCH).map { |p| File.basename(p).b }.reject { |n| n == "." }
  end

  def keep(path, names)
    case BUG
    when :dash_names then names.reject { |n| n.start_with?("-") }
    when :vcs_dirs then names - %w[.git .svn .hg CVS]
    when :hidden_left_out then names.reject { |n| n.start_with?(".") }
    when :dot_entry then names.any? { |n| n.start_with?(".") } ? names + [".".b] : names
    when :nonutf8_merge then names.sort.uniq { |n| text(n) }
    when :gitignore
      begin
        rules = File.binread(under(path, ".gitignore")).lines.map(&:strip).reject { |r| r.empty? || r.start_with?("#") }
        names.reject { |n| rules.any? { |r| File.fnmatch?(r.chomp("/"), n, File::FNM_DOTMATCH) } }
      rescue SystemCallError
        names
      end
    else names
    end
  end

  def check(e)
    File.realpath(e.path) if bug?(:selfloop_fails) && e.stat.symlink? && loop?(e.path)
    File.open(e.path, "rb", &:close) if bug?(:unreadable_file_fails) && e.stat.file?
  end

  def omitted?(e)
    case BUG
    when :fifo_omitted then e.stat.ftype == "fifo"
    when :device_omitted then e.stat.chardev? || e.stat.blockdev?
    when :empty_files then e.stat.file? && e.stat.size.zero?
    else false
    end
  end

  # Ruby's sort is not stable: ties are decided by the place in the directory.
  def ties(entries, &key)
    entries.each_with_index.sort_by { |e, i| [KIND_ORDER.index(e.kind), key.call(e), i] }.map(&:first)
  end

  def sort(path, entries)
    case BUG
    when :sort_case_ties then ties(entries) { |e| text(e.name).downcase }
    when :sort_natural_ties
      ties(entries) { |e| e.name.scan(/\d+|\D+/n).map { |s| s.match?(/\A\d/n) ? s.to_i.to_s.rjust(30, "0") : s } }
    when :sort_links_first then entries.sort_by { |e| [e.kind == "SymbolicLinkEntry" ? 0 : 1, KIND_ORDER.index(e.kind), e.name] }
    when :sort_over_300 then entries.size > 300 ? entries : order(entries)
    when :sort_first8 then ties(entries) { |e| e.name[0, 8] }
    when :sort_other
      others, rest = entries.partition { |e| e.kind == "OtherEntry" }
      order(rest) + others
    when :sort_appended
      known = @known[path] || entries.map(&:name)
      @known[path] = known | entries.map(&:name)
      old, new = entries.partition { |e| known.include?(e.name) }
      order(old) + order(new)
    else order(entries)
    end
  end

  def paged(entries)
    case BUG
    when :page_duplicate then entries.each_slice(128).with_index.flat_map { |page, i| i.zero? ? page : [page.first] + page }
    when :page_last_lost then !entries.empty? && (entries.size % 64).zero? ? entries[0..-2] : entries
    else entries
    end
  end

  def cut(result)
    sum = 0
    result.take_while { |json| (sum += JSON.generate(json).bytesize + 1) <= 65_536 }
  end
end

# ---- Globs ----

# A glob as a regular expression, held against the path below the start.
class Glob
  def initialize(glob)
    @glob = glob
    alternatives = bug?(:glob_space_split) ? glob.split(" ") : [glob]
    @regexps = alternatives.map { |one| compile(prepare(one)) }
    @segments = glob.split("/").map { |s| s == "**" ? :any : compile(s) } if bug?(:find_dup_ways)
  end

  def match?(relative)
    relative = relative.b if bug?(:glob_bytes)
    @regexps.any? { |regexp| regexp.match?(relative) }
  end

  def ways(relative, segments = @segments, parts = nil)
    parts ||= relative.split("/")
    return parts.empty? ? 1 : 0 if segments.empty?
    return 0 if parts.empty?

    first, *rest = segments
    if first == :any
      ways(relative, rest, parts) + ways(relative, segments, parts.drop(1))
    else
      first.match?(parts.first) ? ways(relative, rest, parts.drop(1)) : 0
    end
  end

  private

  def prepare(glob)
    glob = glob.gsub("?*", "*") if bug?(:glob_question_star)
    glob = glob.sub(%r{(\A|/)\*(?:\.[^./*?\[\]{}]+)+(\.[^./*?\[\]{}]+)\z}) { "#{$1}*#{$2}" } if bug?(:glob_last_ext)
    glob
  end

  def compile(glob)
    source = translate(glob)
    head, tail = bug?(:glob_line_anchor) ? ["^", "$"] : ["\\A", "\\z"]
    head = "(?:\\A|/)" if bug?(:glob_unanchored)
    source = "#{head}(?:#{source})#{tail}"
    return Regexp.new(source.b, Regexp::MULTILINE | Regexp::NOENCODING) if bug?(:glob_bytes)

    Regexp.new(source, Regexp::MULTILINE)
  rescue RegexpError => e
    raise GlobError, e.message
  end

  def translate(glob)
    chars = glob.chars
    out = +""
    braces = 0
    i = 0
    while i < chars.size
      c = chars[i]
      start = i.zero? || chars[i - 1] == "/"
      if start && chars[i, 3] == ["*", "*", "/"]
        short = bug?(:glob_doublestar_one) && i.zero? || bug?(:glob_mid_one) && i.positive?
        out << (short ? "(?:[^/]+/)?" : "(?:[^/]+/)*")
        i += 3
        next
      end
      case c
      when "*"
        if chars[i + 1] == "*"
          out << ".*"
          i += 1
        else
          out << star(chars, i, start)
        end
      when "?" then out << (bug?(:glob_question_optional) && !start ? "?" : "[^/]")
      when "["
        length, source = brackets(chars, i)
        out << source
        i += length - 1
      when "{"
        braces += 1
        out << "(?:"
      when "}"
        out << (braces.positive? ? ")" : "\\}")
        braces -= 1 if braces.positive?
      when "," then out << (braces.positive? ? "|" : ",")
      when "\\"
        i += 1
        raise GlobError, "nothing to escape" unless chars[i]

        out << Regexp.escape(chars[i])
      when "+", "(", ")", "$", "^" then out << (bug?(:glob_plus_regex) ? c : "\\#{c}")
      when "\n" then out << "\\n"
      else out << Regexp.escape(c)
      end
      i += 1
    end
    raise GlobError, "missing }" if braces.positive?

    out
  end

  def star(chars, i, start)
    following = chars[i + 1]
    last = !chars[i..].include?("/")
    case BUG
    when :glob_hidden_star then start ? "(?!\\.)[^/]*" : "[^/]*"
    when :glob_star_greedy
      following && !"/*?[]{}\\".include?(following) ? "(?>[^/]*(?=#{Regexp.escape(following)}))" : "[^/]*"
    when :glob_star_dot then "[^/.]*"
    when :glob_extname_hidden
      start && last && following == "." && chars[i + 2..].none? { |c| "*?[.".include?(c) } ? "[^/]+" : "[^/]*"
    else "[^/]*"
    end
  end

  def brackets(chars, from)
    i = from + 1
    negated = ["!", "^"].include?(chars[i])
    i += 1 if negated
    members = []
    first = true
    loop do
      c = chars[i]
      if c.nil?
        return [1, "\\["] if bug?(:glob_bracket_literal)

        raise GlobError, "missing ]"
      end
      break if c == "]" && !first

      raise GlobError, "a slash in brackets" if c == "/"

      first = false
      if c == "\\" && chars[i + 1]
        i += 1
        c = chars[i]
      end
      if chars[i + 1] == "-" && chars[i + 2] && chars[i + 2] != "]"
        last = chars[i + 2]
        raise GlobError, "a range that goes down" if last.ord < c.ord

        last = [last.ord - 1, c.ord].max.chr(Encoding::UTF_8) if bug?(:glob_range_exclusive)
        members << "#{member(c)}-#{member(last)}"
        i += 3
      else
        members << (bug?(:glob_class_meta) && "*?".include?(c) ? "[^/]" : member(c))
        i += 1
      end
    end
    members = members.take(1) if bug?(:glob_class_single)
    source = "[#{negated ? '^' : ''}#{members.join}]"
    source = "(?i:#{source})" if bug?(:glob_class_nocase)
    source = "(?!/)#{source}" unless bug?(:glob_negation_slash) && negated
    [i - from + 1, source]
  end

  def member(c)
    c.match?(/\A[[:ascii:]]\z/) && !c.match?(/\A[A-Za-z0-9]\z/) ? format("\\x%02x", c.ord) : c
  end
end

# ---- findFiles ----

class Finder
  def initialize(describer, lister)
    @describer = describer
    @lister = lister
  end

  def find(start, recursive, glob)
    return [@describer.entry(File.dirname(start), File.basename(start)).json] if bug?(:find_file_itself) && File.file?(start)

    begin
      @glob = Glob.new(glob)
    rescue GlobError
      return [] if bug?(:glob_segment_lazy) && unreached?(start, glob)

      raise
    end
    @lister.require_directory(start)
    @start = start
    @text = glob
    @recursive = recursive
    @found = []
    @links = 0
    @depth = depth(recursive, glob)
    catch(:done) { below(start, "".b, 1) }
    answer(@lister.order(@found))
  end

  private

  def unreached?(start, glob)
    first, rest = glob.split("/", 2)
    return false unless rest

    one = Glob.new(first)
    Directory.children(start).none? { |n| one.match?(text(n)) }
  rescue GlobError
    false
  end

  def depth(recursive, glob)
    return bug?(:find_flat_three) ? 3 : 1 unless recursive
    return 5 if bug?(:find_depth_5)
    return glob.count("/") + 1 if bug?(:find_depth_segments) && !glob.start_with?("**/")

    Float::INFINITY
  end

  def answer(entries)
    return nil if bug?(:find_nomatch_null) && entries.empty?
    return entries.map { |e| e.json["path"] } if bug?(:find_paths_over_50) && entries.size > 50

    list = entries.flat_map do |e|
      times = bug?(:find_dup_ways) && @text.scan("**/").size > 1 ? [@glob.ways(relative(e.path)), 1].max : 1
      [e.json] * times
    end
    bug?(:entries_wrapper_find) ? { "entries" => list } : list
  end

  def relative(path)
    base = @start == "/" ? "" : @start
    return text(path.sub(/\A#{text(base)}\//n, "")) if bug?(:find_regex_base) && text(base).ascii_only?

    text(path.byteslice(base.bytesize + 1..))
  rescue RegexpError => e
    raise ToolError.new("ExecutionFailed", "#{text(@start)}: #{e.message}")
  end

  def names(dir, level)
    all = Directory.children(dir).sort
    throw :done if bug?(:find_return_on_empty) && all.empty? && level > 1
    bug?(:find_limit_256) ? all.take(256) : all
  rescue Errno::EACCES, Errno::ENOENT
    raise if level == 1

    []
  end

  def below(dir, before, level)
    here = 0
    names(dir, level).each do |name|
      path = under(dir, name)
      begin
        stat = File.lstat(path)
      rescue Errno::ENOENT, Errno::EACCES
        next
      end
      if bug?(:find_link_count) && stat.symlink? && (@links += 1) > 8
        throw :done
      end
      if wanted?(path, stat, level) && (here += 1) && !(bug?(:find_first_per_dir) && here > 1)
        begin
          @found << @describer.entry(dir, name, found: @start)
        rescue Errno::ENOENT
          next
        end
      end
      next unless stat.directory? && level < @depth
      next if bug?(:find_dotted_dirs) && name.match?(/.\../n)
      next if bug?(:find_nonutf8_dir) && !utf8?(name)

      below(path, before + name + "/", level + 1)
    end
  end

  def wanted?(path, stat, level)
    return false if bug?(:find_top_lost) && @recursive && level == 1 && !@text.start_with?("**/")
    return false unless @glob.match?(relative(path))
    return false if bug?(:find_unreadable_files) && stat.file? && !File.readable?(path)

    true
  end
end

# ---- The protocol ----

class Server
  SCHEMAS = {
    "listDirectory" => { "path" => { "type" => "string" } },
    "findFiles" => { "path" => { "type" => "string" }, "recursive" => { "type" => "boolean" }, "glob" => { "type" => "string" } }
  }.freeze

  def initialize
    describer = Describer.new
    @lister = Lister.new(describer)
    @finder = Finder.new(describer, @lister)
    @failure = nil
  end

  def run
    $stdin.binmode
    $stdout.binmode
    while (line = $stdin.gets)
      request = JSON.parse(line.force_encoding(Encoding::UTF_8), max_nesting: 1000)
      answer = { "jsonrpc" => "2.0", "id" => request["id"], "result" => respond(request["method"], request["params"]) }
      $stdout.write(JSON.generate(answer, ascii_only: true, max_nesting: 0) << "\n")
      $stdout.flush
      break if request["method"] == "shutdown"
    end
  end

  private

  def respond(method, params)
    case method
    when "initialize"
      { "protocol" => 1, "candidate" => { "name" => "foreign-local-files-ruby", "version" => "2", "language" => "ruby" },
        "tools" => { "listDirectory" => "local_files@2", "findFiles" => "local_files@2" },
        "capabilities" => ["working_dir"] }
    when "describe"
      schema = SCHEMAS.fetch(params["tool"])
      { "name" => params["tool"], "aliases" => [], "is_side_effecting" => false,
        "description" => "Gives the entries of a directory with kind, size and time",
        "input_schema" => { "type" => "object", "properties" => schema, "required" => schema.keys } }
    when "call" then call(params)
    end
  end

  def call(params)
    if bug?(:state_error_sticky) && @failure
      failure = @failure
      @failure = nil
      return failure
    end
    { "status" => "ok", "content" => content(run_tool(params["tool"], params["arguments"], params["context"])) }
  rescue ToolError => e
    @failure = { "status" => "error", "error" => { "kind" => e.kind, "message" => e.message.scrub } }
  end

  def content(value)
    return JSON.generate(value, ascii_only: true).gsub(/\\(.)/m) { $1 == "\\" ? "\\" : $& } if bug?(:json_backslash)
    return JSON.generate(value).gsub(/[\u{10000}-\u{10ffff}]/) { |c| format("\\u%04x", c.ord) } if bug?(:json_astral)

    JSON.generate(value, ascii_only: true)
  end

  def run_tool(tool, arguments, context)
    raise ToolError.new("UnknownTool", "there is no tool #{tool}") unless SCHEMAS.key?(tool)

    arguments = {} unless arguments.is_a?(Hash)
    asked = arguments["path"]
    asked = context["working_dir"] if bug?(:path_missing_cwd) && !arguments.key?("path")
    asked = asked.first if bug?(:path_array_first) && asked.is_a?(Array)
    unless asked.is_a?(String)
      return [] if bug?(:find_nontext_empty) && tool == "findFiles"

      raise ToolError.new("BadArgs", "path must be a text, and not #{JSON.generate(asked, max_nesting: 0)}")
    end
    path = directory(asked, context["working_dir"])
    begin
      tool == "listDirectory" ? @lister.list(path) : search(path, arguments)
    rescue GlobError => e
      raise ToolError.new("BadArgs", "glob #{arguments['glob'].to_s.scrub}: #{e.message}")
    rescue ArgumentError, EncodingError => e
      raise ToolError.new("BadArgs", "#{asked.scrub}: #{e.message}")
    rescue SystemCallError => e
      raise ToolError.new("ExecutionFailed", complaint(e, asked, path, tool, arguments))
    end
  end

  def directory(asked, working_dir)
    raise ToolError.new("BadArgs", "a NUL character in the path #{asked.scrub}") if asked.include?("\0")

    case BUG
    when :req_plus then asked = asked.tr("+", " ")
    when :req_trim then asked = asked.rstrip
    when :req_nfc then asked = asked.unicode_normalize(:nfc)
    when :req_colon then asked = asked.sub(/:\d+\z/, "")
    when :req_dotdot
      if asked.split("/").any? { |part| part.include?("..") && part != ".." }
        raise ToolError.new("BadArgs", "the path #{asked} leads upwards")
      end
    end
    clean(asked.start_with?("/") ? asked : "#{working_dir}/#{asked}")
  end

  def search(path, arguments)
    recursive = arguments["recursive"]
    recursive ||= true if bug?(:recursive_or_true)
    unless [true, false].include?(recursive)
      raise ToolError.new("BadArgs", "recursive must be true or false")
    end
    glob = arguments["glob"]
    glob = "**/*" if bug?(:glob_null_all) && arguments.key?("glob") && glob.nil?
    glob = glob.to_s if bug?(:glob_number_text) && glob.is_a?(Numeric)
    raise ToolError.new("BadArgs", "glob must be a text") unless glob.is_a?(String) && glob.valid_encoding?

    @finder.find(path, recursive, glob)
  end

  def complaint(error, asked, path, tool, arguments)
    reason = error.message.b.split(" @ ").first.force_encoding(Encoding::UTF_8).scrub
    named = asked.scrub
    case BUG
    when :err_perm_generic then return "Permission denied" if error.is_a?(Errno::EACCES)
    when :err_long_cut then named = "#{named[0, 99]}…" if named.length > 100
    when :err_find_glob then return "search for #{arguments['glob']} failed: #{reason}" if tool == "findFiles"
    when :err_resolved
      if File.symlink?(path)
        named = begin
          text(File.realpath(path))
        rescue SystemCallError
          text(File.readlink(path))
        end
      end
    end
    "#{named}: #{reason}"
  end
end

Server.new.run if $PROGRAM_NAME == __FILE__
