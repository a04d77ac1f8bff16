# frozen_string_literal: true

require_relative "bug"
require_relative "entry"

# The walk through a directory, which collects the entries.
class Walk
  OPEN = File::RDONLY | File::NOFOLLOW | File::NONBLOCK | (RUBY_PLATFORM.include?("x86_64-linux") ? 0o200000 : 0)

  GETDENTS64 = { "x86_64-linux" => 217, "aarch64-linux" => 61 }.find { |name, _| RUBY_PLATFORM.start_with?(name) }&.last
  BUFFER = 1 << 16

  attr_reader :request, :entries, :root
  attr_accessor :previous, :truncated

  def initialize(request, root, context)
    @request = request
    @root = root
    @context = context
    @entries = []
    @counted = 0
    @truncated = false
    @visited = {}
    @queue = []
    @bonus = 0
  end

  # The raw names in a directory. A link that took its place is not followed.
  def names(directory)
    if bug?("listing_cached") && directory != @root
      return KEPT[directory] ||= read(directory)
    end
    read(directory)
  rescue Errno::EACCES
    raise unless bug?("chmod_unlocks") || bug?("chmod_and_back")

    mode = File.lstat(directory).mode & 0o7777
    File.chmod(mode | 0o500, directory)
    found = read(directory)
    File.chmod(mode, directory) if bug?("chmod_and_back")
    found
  end

  def read(directory)
    return Dir.glob(File.join(directory, "*"), File::FNM_DOTMATCH).map { File.basename(_1).b }.reject { %w[. ..].include?(_1) } if bug?("glob_children") && directory == @root

    flags = OPEN
    flags &= ~File::NOFOLLOW if bug?("link_inside_entered") || bug?("link_entered_if_off")
    number = IO.sysopen(directory, flags)
    begin
      found = GETDENTS64 ? read_names(number) : Dir.children("/proc/self/fd/#{number}", encoding: Encoding::BINARY)
    ensure
      IO.for_fd(number).close
    end
    found += [".".b, "..".b] if bug?("dot_entries_below") && @request.hidden && directory != @root
    found
  end

  # Ruby's Dir takes an error of readdir for the end of the directory; the system call tells them apart.
  def read_names(number)
    found = []
    loop do
      buffer = "\1".b * BUFFER # Kernel#syscall takes no text with NUL
      length = syscall(GETDENTS64, number, buffer, BUFFER)
      return found if length.zero?

      at = 0
      while at < length
        size = buffer.unpack1("S", offset: at + 16)
        name = buffer.byteslice(at + 19, size - 19).unpack1("Z*")
        found << name unless [".", ".."].include?(name)
        at += size
      end
    end
  end

  def run(names)
    visit(@root, names, "", nil, 1)
    until @queue.empty? || @truncated
      visit(*@queue.shift)
    end
    after unless BUG.empty?
  end

  private

  def visit(directory, names, above, above_raw, depth)
    waiting = []
    listed = bug?("hidden_by_list") ? list_of_hidden(directory, names) : []
    start = @entries.length
    free = bug?("single_child_free") && @request.recursive && depth > 1 && names.length == 1 && plain_directory?(directory + "/".b + names[0])
    @bonus += 1 if free
    sorted(directory, names, depth).each do |raw, name|
      hidden = Names.hidden?(raw, name)
      next if listed.include?(raw)

      shown_hidden = hidden
      shown_hidden = true if bug?("hidden_inherited") && above.split("/").any? { |part| part.start_with?(".") }
      hidden = true if bug?("hidden_by_request") && @request.shown.split("/").any? { |part| part.start_with?(".") && part != "." }
      next if bug?("dots_skipped") && raw.start_with?("..".b)
      next if hidden && !@request.hidden && !hidden_exception?(directory, raw, name, above, depth)

      place = directory + "/".b + raw
      entry = Entry.new(place, name.dup, above + name, depth, shown_hidden)
      entry.raw = above_raw ? above_raw + "/".b + raw : raw
      entry.look(self)
      misplace(entry, raw, above) unless BUG.empty?
      next if left_out?(entry)

      below = nil
      if entry.type == "dir" && (deeper?(depth) || (bug?("unreadable_flat") && !@request.recursive)) && enter?(entry)
        begin
          entered = bug?("lossy_descent") ? directory + "/".b + name.b : place
          below = names(entered)
          below = nil unless deeper?(depth)
        rescue SystemCallError
          unreadable(entry)
        end
      elsif entry.type == "dir" && @request.recursive && bug?("truncated_by_depth") && depth == @request.depth
        @by_depth = true
      end
      next if bug?("empty_dirs_left") && below && below.empty?

      side_effects(entry, raw, place) unless BUG.empty?
      if bug?("hidden_dir_walked") && hidden && !@request.hidden
        visit(place, below, "#{above}#{name}/", entry.raw, depth + 1) if below
        next
      end
      if bug?("post_order") && below
        visit(place, below, "#{above}#{name}/", entry.raw, depth + 1)
        return if @truncated
      end
      return if shown?(entry) && !add(entry, depth, start)
      return if bug?("unreadable_ends_parent") && entry.error_code == "read_dir_failed"

      if below && !bug?("post_order")
        task = [place, below, "#{above}#{name}/", entry.raw, depth + 1]
        if bug?("siblings_first") then waiting << task
        elsif bug?("breadth_first") then @queue << task
        else visit(*task)
        end
      end
      return if @truncated
    end
    waiting.each do |task|
      visit(*task)
      return if @truncated
    end
    @bonus -= 1 if free
  end

  def deeper?(depth)
    depth < @request.depth + @bonus
  end

  def sorted(directory, names, depth)
    pairs = names.map { |raw| [raw, Names.lossy(raw)] }
    case BUG
    when "walk_raw_order" then return pairs.sort_by { |raw, _| raw }
    when "walk_utf16" then return pairs.sort_by { |raw, name| [Names.utf16(name), raw] }
    when "walk_unsorted_below" then return pairs if depth > 1
    when "walk_git_order"
      return pairs.sort_by { |raw, name| [name.b + (plain_directory?(directory + "/".b + raw) ? "/".b : "".b), raw] }
    end
    pairs = pairs.sort_by { |raw, name| [name.b, raw] }
    case BUG
    when "case_twins_once" then pairs.uniq { |_, name| name.downcase }
    when "lossy_twins_once" then pairs.uniq { |_, name| name }
    else pairs
    end
  end

  def plain_directory?(place)
    File.lstat(place).directory?
  rescue SystemCallError
    false
  end

  def list_of_hidden(directory, names)
    return [] if !names.include?(".hidden".b) || @request.hidden

    File.binread(directory + "/.hidden".b).split("\n")
  rescue SystemCallError
    []
  end

  # Whether a hidden entry goes on although hidden entries are off.
  def hidden_exception?(directory, raw, name, above, depth)
    place = directory + "/".b + raw
    case BUG
    when "hidden_dir_walked"
      plain_directory?(place)
    when "hidden_links_shown"
      File.symlink?(place)
    when "stat_failure_shows_hidden"
      begin
        File.lstat(place)
        false
      rescue SystemCallError
        true
      end
    else
      false
    end
  end

  def left_out?(entry)
    case BUG
    when "deepest_dirs_only"
      @request.recursive && entry.depth == @request.depth && @request.depth > 1 && entry.type != "dir"
    when "hard_links_once"
      return false unless entry.type == "file" && entry.stat.nlink > 1

      known = @visited[entry.stat.ino]
      @visited[entry.stat.ino] = true
      known
    when "other_takes_empty"
      entry.type == "file" && entry.size_bytes.zero? && !@request.kinds["other"]
    else
      false
    end
  end

  def enter?(entry)
    case BUG
    when "hidden_config_half" then !(entry.is_hidden && @request.hidden_configured)
    when "hidden_not_entered" then !entry.is_hidden
    when "node_modules" then entry.name != "node_modules"
    when "visited_by_name" then first?(entry.name)
    when "visited_by_lossy_path" then first?(entry.path)
    else true
    end
  end

  def misplace(entry, raw, above)
    inside = @request.shown != "." && !@request.shown.start_with?("/")
    case BUG
    when "name_bom_lost"
      entry.name = entry.name.delete_prefix("\uFEFF")
    when "name_html"
      entry.name = entry.name.gsub(/[&<>]/, "&" => "&amp;", "<" => "&lt;", ">" => "&gt;")
    when "name_shortened"
      entry.name = entry.name[0, 128]
    when "name_line_end"
      entry.name = entry.name.chomp("\n")
    when "path_backslash"
      entry.path = entry.path.tr("\\", "/")
    when "path_percent"
      unless raw.dup.force_encoding(Encoding::UTF_8).valid_encoding?
        entry.path = above + raw.gsub(/[^\x21-\x24\x26-\x7e]/n) { format("%%%02X", _1.ord) }.force_encoding(Encoding::UTF_8)
      end
    when "path_from_working_dir"
      entry.path = "#{@request.shown}/#{entry.path}" if @request.recursive && inside
    when "depth_from_working_dir"
      entry.depth += @request.shown.count("/") + 1 if inside
    end
  end

  def first?(key)
    known = @visited[key]
    @visited[key] = true
    !known
  end

  def unreadable(entry)
    raise Failure.new("ExecutionFailed", "directory cannot be read") if bug?("unreadable_aborts_deep") && entry.depth > 1

    entry.fail_with("read_dir_failed", "directory cannot be read")
    entry.depth += 1 if bug?("unreadable_depth")
  end

  def shown?(entry)
    return true if bug?("links_off_dangling") && entry.type == "symlink" && !File.exist?(entry.place)

    shown = @request.kinds[entry.type]
    @counted += 1 if !shown && entry.type == "other" && bug?("count_special")
    shown
  end

  # False if the limit was reached before: the entry is left out and the walk ends.
  def add(entry, depth, start)
    limit = @request.limit
    count = @entries.length + @counted
    case BUG
    when "stat_failure_uncounted"
      count = @entries.count(&:metadata?)
      count = -1 unless entry.metadata?
    when "links_uncounted"
      count = @entries.count { |other| other.type != "symlink" }
      count = -1 if entry.type == "symlink"
    when "limit_per_directory"
      count = @entries.count { |other| File.dirname(other.place) == File.dirname(entry.place) }
    when "sort_then_cut", "walk_all_then_cut"
      count = -1
    end
    if count >= limit
      @truncated = true
      @silent = true if bug?("limit_nested_silent") && depth > 1
      @silent = true if bug?("limit_default_silent") && @request.limit_given.nil?
      return false
    end
    @entries << entry
    true
  end

  def after
    case BUG
    when "sort_then_cut"
      @entries.sort_by! { |entry| [entry.path.b, entry.raw] }
      cut
    when "walk_all_then_cut"
      cut
    when "truncated_sticks"
      KEPT[:truncated] = true if @truncated
      @truncated = true if KEPT[:truncated]
    when "truncated_by_depth"
      @truncated = true if @by_depth
    end
    @truncated = false if @silent
  end

  def cut
    @truncated = true if @entries.length > @request.limit
    @entries = @entries.first(@request.limit)
  end

  def side_effects(entry, raw, place)
    case BUG
    when "utime_restored"
      if entry.type == "dir" && entry.depth < @request.depth
        File.utime(Time.at(entry.stat.atime.to_i), Time.at(entry.stat.mtime.to_i), place)
      end
    when "rename_lossy"
      if entry.type == "file" && !raw.dup.force_encoding("UTF-8").valid_encoding?
        File.rename(place, File.dirname(place) + "/".b + entry.name.b)
      end
    when "dangling_removed"
      File.unlink(place) if @request.recursive && entry.type == "symlink" && !File.exist?(place)
    when "link_target_opened"
      if @request.recursive && entry.type == "symlink" && File.directory?(place)
        entry.stat && Dir.children(place).length
      end
    when "reads_below_depth"
      drain(place) if @request.recursive && entry.type == "dir" && entry.depth == @request.depth
    end
  rescue SystemCallError
    nil
  end

  def drain(directory)
    read(directory).each do |raw|
      place = directory + "/".b + raw
      drain(place) if plain_directory?(place)
    end
  rescue SystemCallError
    nil
  end
end
