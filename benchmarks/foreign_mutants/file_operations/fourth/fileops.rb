# The tools move and copy.
require "fileutils"

O_PATH = 0x200000
O_DIRECTORY = 0x10000
RENAMEAT2 = 316
AT_FDCWD = -100
NOREPLACE = 1
EXCHANGE = 2

class FileJob
  attr_accessor :overwrite, :wants_overwrite
  attr_reader :final

  def initialize(tool, called, sandbox, from, to, source, destination)
    @tool, @called, @sandbox, @from, @to = tool, called, sandbox, from, to
    @source, @destination = source, destination
    @entered = false
    @open = []
  end

  def move? = @tool == "move"

  # The place of the result: in the destination, if that is a directory, under the source's own name.
  def find_final_place
    @final = @to
    if b?("move_parent_file_replaced") && move?
      parent = File.dirname(@to.entry)
      @final = @to = @sandbox.check_entry(parent) if !stat(@to.entry) && stat(parent)&.file?
    end
    if b?("copy_nearest_directory") && !move? && !stat(@to.entry) && !@to.slash
      parent = File.dirname(@to.entry)
      parent = File.dirname(parent) until stat(parent)
      @final = @to = @sandbox.check_entry(parent + "/" + File.basename(@to.entry)) if File.directory?(parent) && parent != File.dirname(@to.entry)
    end
    return unless File.directory?(@to.resolved)
    return if b?("move_link_directory_not_entered") && move? && @to.entry != @to.resolved
    return if b?("rename_never_enters") && @called == "rename"
    return if b?("move_replaces_directory") && move? && @wants_overwrite && replaceable_directory?
    return if b?("copy_directory_with_slash") && !move? && @to.slash && @to.resolved != @sandbox.working_dir
    fail_with("ExecutionFailed", "the source has no file name") if @from.entry == "/"
    name = File.basename(@from.entry)
    name = File.basename(@from.resolved) if b?("move_link_named_by_target") && move?
    name = "" if b?("move_name_after_last_slash") && move? && @source.end_with?("/")
    if b?("copy_keeps_subpath") && !move? && !@source.start_with?("/")
      deeper = File.dirname(@source).b
      name = deeper + "/" + name if deeper != "." && File.directory?(@to.resolved + "/" + deeper)
    end
    if name == ""
      @final = Place.new(@to.resolved, @to.resolved, true)
      return
    end
    @entered = true
    whole = @to.resolved + "/" + name
    if (b?("copy_final_patterns_unjudged") && !move?) || (b?("move_final_link_unjudged") && move?)
      entry = @sandbox.resolve(File.dirname(whole)) + "/" + File.basename(whole)
      @final = Place.new(entry, @sandbox.resolve(entry), false)
      if move?
        @sandbox.check_place(entry)
      else
        [entry, @final.resolved].each { |place| @sandbox.check_place(place, :inside) }
      end
      return
    end
    @final = @sandbox.check_entry(whole)
    if b?("move_enters_again") && move?
      @final = @sandbox.check_entry(@final.resolved + "/" + name) while File.directory?(@final.resolved) && @final.entry != @from.entry
    end
  end

  def replaceable_directory?
    dir = @to.resolved
    !@sandbox.root?(dir) && dir != @from.entry && !@from.entry.start_with?(dir + "/") && stat(@from.entry)
  end

  def stat(path)
    File.lstat(path)
  rescue SystemCallError
    nil
  end

  def final_exists? = !stat(@final.entry).nil?

  def run
    fail_with("ExecutionFailed", "the source contains the sandbox itself") if @sandbox.root?(@from.entry)
    move? ? move : copy
    shown = "#{printable(@from.entry)} to #{printable(@final.entry)}"
    move? ? "Moved #{shown}" : "Copied #{shown}"
  rescue SystemCallError, IOError => error
    fail_with("ExecutionFailed", "cannot #{@tool} #{printable(@source)}: #{printable(error.message)}")
  ensure
    @open.each { |io| io.close rescue nil }
    @open.clear
  end

  def error(message)
    fail_with("ExecutionFailed", "cannot #{@tool} #{printable(@source)}: #{message}")
  end

  # Opens a directory of an absolute path without links, part by part, so that no part can become a link.
  def open_directory(path, free)
    return path if free
    flags = O_PATH | O_DIRECTORY | File::NOFOLLOW
    io = File.for_fd(IO.sysopen("/", flags))
    path.split("/").reject(&:empty?).each do |part|
      following = File.for_fd(IO.sysopen("/proc/self/fd/#{io.fileno}/".b + part, flags))
      io.close
      io = following
    end
    @open << io
    "/proc/self/fd/#{io.fileno}".b
  end

  def at(path, free = false)
    open_directory(File.dirname(path), free) + "/" + File.basename(path)
  end

  def rename_flags(from, to, flags)
    syscall(RENAMEAT2, AT_FDCWD, +from, AT_FDCWD, +to, flags)
  end

  def rename_new(from, to)
    rename_flags(from, to, NOREPLACE)
  rescue Errno::EINVAL, Errno::ENOSYS
    raise if stat(from)&.directory? && @final.entry.start_with?(@from.entry + "/")
    raise Errno::EEXIST if stat(to)
    File.rename(from, to)
  end

  def place(from, to, replace)
    replace ? File.rename(from, to) : rename_new(from, to)
  end

  def check_kind_of_path(found)
    error("the source has a slash at its end and is no directory") if @from.slash && !found.directory?
    error("the destination has a slash at its end and is no directory") if @to.slash && !@entered && !File.directory?(@to.resolved)
  end

  # Whether an existing final name stops the call.
  def blocked?(found, old)
    return false if @overwrite || old.nil?
    if move?
      return false if b?("move_only_files_exist") && !(old.file? || old.directory? || old.symlink?)
      return false if b?("move_newer_wins") && old.file? && found.file? && old.mtime < found.mtime
      return false if b?("move_linked_directory_unlooked") && @entered && @to.entry != @to.resolved && !old.directory?
      return false if b?("move_directory_onto_empty") && old.directory? && found.directory?
      return false if b?("cross_exists_unlooked") && old.file? && found.file? && old.dev != found.dev
    else
      return false if b?("copy_empty_exists_not") && old.file? && old.size.zero?
      return false if b?("copy_unreadable_exists_not") && old.file? && !File.readable?(@final.entry)
      return false if b?("copy_same_content_ok") && old.file? && found.file? && same_content?
      return false if b?("copy_glob_exists") && old.file? && Dir.glob(@final.entry.dup.force_encoding("UTF-8")).empty?
    end
    true
  end

  def same_content?
    FileUtils.compare_file(@from.resolved, @final.entry)
  end

  # ------------------------------------------------------------------------------------------- move

  def move
    make_parents if b?("move_makes_parents_first")
    if b?("move_deletes_target_first") && @overwrite && stat(@final.entry)&.file? && @final.entry != @from.entry
      File.unlink(@final.entry)
    end
    if b?("move_missing_is_done") && stat(@from.entry).nil? && final_exists?
      return
    end
    s = at(@from.entry, b?("race_source"))
    found = File.lstat(s)
    check_kind_of_path(found)
    if b?("move_steps_aside")
      aside = File.dirname(@from.entry) + "/.moving-" + Process.pid.to_s
      error("the destination exists") if blocked?(found, stat(@final.entry)) || stat(@final.entry)&.directory?
      File.rename(@from.entry, aside)
      return File.rename(aside, @final.entry)
    end
    d = at(@final.entry, b?("race_destination"))
    old = stat(d)
    error("the destination exists") if blocked?(found, old)
    return move_onto_itself(s, d) if b?("move_spelling_compared") && @source != @destination && @overwrite && old && !old.directory? && @from.entry == @final.entry
    error("source and destination are the same") if @from.entry == @final.entry
    return unlink_identical(s) if b?("move_identical_follows") && @overwrite && old && identical?(@from.entry, @final.entry)
    error("the source is a link to the destination") if found.symlink? && @from.resolved == @final.entry
    move_entry(s, d, found, old)
  end

  def make_parents
    FileUtils_mkdir_p(File.dirname(@final.entry))
  end

  def move_onto_itself(s, d)
    File.rename(s, d)
    File.unlink(s) if stat(s)
  end

  def identical?(one, other)
    File.identical?(one, other)
  end

  def unlink_identical(s) = File.unlink(s)

  def move_entry(s, d, found, old)
    if old&.directory?
      if b?("move_clears_directory") && @overwrite && !found.directory? && !@from.entry.start_with?(@final.entry + "/")
        FileUtils.rm_rf(@final.entry)
        old = nil
      elsif b?("move_merges_directories") && @overwrite && found.directory? && !@final.entry.start_with?(@from.entry + "/") && !@from.entry.start_with?(@final.entry + "/")
        return merge(@from.entry, @final.entry)
      elsif b?("move_replaces_directory") && @wants_overwrite && replaceable_directory? && @overwrite
        FileUtils.rm_rf(@final.entry)
        old = nil
      elsif b?("move_directory_onto_empty") && found.directory? && !@overwrite
        return File.rename(s, d)
      else
        error("the destination is a directory that is in the way")
      end
    end
    error("a directory does not replace a file") if found.directory? && old
    if old && [old.dev, old.ino] == [found.dev, found.ino] && !b?("move_hard_link_kept")
      error("source and destination are the same") if found.nlink < 2
      return File.unlink(s) # two names of one file: rename would keep both
    end
    return if variant(s, d, found, old)
    begin
      place(s, d, !old.nil?)
    rescue Errno::EXDEV
      cross(s, d, found, old)
    rescue Errno::EINVAL
      raise unless b?("move_into_itself_copied") && found.directory?
      Tree.new(limit: 12).copy(@from.entry, @final.entry)
      FileUtils.rm_rf(@from.entry)
    end
    File.chmod(found.mode & 07777 & ~0022, d) if b?("move_drops_write_bits") && found.file?
  end

  # Wrong ways of moving within a file system; true if one was taken.
  def variant(s, d, found, old)
    parent = File.stat(File.dirname(@final.entry))
    return false if parent.dev != found.dev
    if b?("move_overwrites_by_copy") && old&.file? && found.file?
      temporary = copy_beside(s, d, found, false)
      File.rename(temporary, d)
      File.unlink(s)
      return true
    end
    if b?("move_directory_recreated") && found.directory? && !@final.entry.start_with?(@from.entry + "/")
      Dir.mkdir(d)
      Dir.children(s, encoding: "BINARY").each { |name| File.rename(s + "/" + name, d + "/" + name) }
      Dir.rmdir(s)
      return true
    end
    if b?("move_link_rewritten") && found.symlink?
      target = File.readlink(s).b
      if !target.start_with?("/") && File.dirname(@from.entry) != File.dirname(@final.entry)
        full = File.expand_path(target, File.dirname(@from.entry)).b
        File.unlink(d) if old
        File.symlink(relative(full, File.dirname(@final.entry)), d)
        File.unlink(s)
        return true
      end
    end
    if b?("move_backup_clobbers") && old&.file?
      backup = @final.entry + ".bak"
      File.rename(d, backup)
      File.rename(s, d)
      File.unlink(backup)
      return true
    end
    false
  end

  def relative(path, directory)
    one, other = path.split("/"), directory.split("/")
    while one.any? && one.first == other.first
      one.shift
      other.shift
    end
    ([".."] * other.size + one).join("/")
  end

  def merge(from, to)
    Dir.children(from, encoding: "BINARY").each do |name|
      one, other = from + "/" + name, to + "/" + name
      if stat(one).directory? && stat(other)&.directory?
        merge(one, other)
      else
        File.rename(one, other)
      end
    end
    Dir.rmdir(from)
  end

  # Moves to another file system by copying and deleting.
  def cross(s, d, found, old)
    return cross_tree(s, d, found) if found.directory?
    return cross_link(s, d, found, old) if found.symlink? && !b?("cross_link_followed")
    return cross_pipe(s, d, found, old) if found.pipe?
    error("only files, links and named pipes can be moved to another file system") unless found.file? || found.symlink?
    cross_faults(s, d, found, old) and return
    if old.nil?
      temporary = copy_beside(s, d, found, true)
      begin
        rename_new(temporary, d)
      rescue SystemCallError
        File.unlink(temporary)
        raise
      end
      begin
        File.unlink(s)
      rescue SystemCallError
        return if b?("cross_delete_ignored")
        File.unlink(d)
        raise
      end
    else
      return if b?("cross_delete_ignored") && cross_replace_ignoring(s, d, found)
      temporary = copy_beside(s, d, found, true)
      replace_and_delete(temporary, s, d)
    end
  end

  def cross_replace_ignoring(s, d, found)
    temporary = copy_beside(s, d, found, true)
    File.rename(temporary, d)
    File.unlink(s) rescue nil
    true
  end

  # The old file comes back if the source cannot be deleted.
  def replace_and_delete(temporary, s, d)
    begin
      rename_flags(temporary, d, EXCHANGE)
    rescue SystemCallError
      begin
        File.rename(temporary, d)
      rescue SystemCallError
        File.unlink(temporary)
        raise
      end
      File.unlink(s)
      return
    end
    begin
      File.unlink(s)
    rescue SystemCallError
      rename_flags(temporary, d, EXCHANGE)
      File.unlink(temporary)
      raise
    end
    File.unlink(temporary)
  end

  # Wrong ways of moving to another file system; true if one was taken.
  def cross_faults(s, d, found, old)
    case BUG
    when "cross_existing_not_replaced"
      raise Errno::EXDEV if old
    when "cross_into_directory_fails"
      raise Errno::EISDIR if @entered
    when "cross_empty_fails"
      error("nothing was copied") if found.size.zero?
    when "cross_hard_linked_refused"
      error("the source has other links") if found.nlink > 1
    when "cross_long_name_fails"
      raise Errno::ENAMETOOLONG if File.basename(d).bytesize > 255 - ".partial".bytesize
    when "cross_deletes_in_any_case"
      begin
        temporary = copy_beside(s, d, found, true)
        place(temporary, d, !old.nil?)
      ensure
        File.unlink(s)
      end
      return true
    when "cross_old_deleted_first"
      File.unlink(d) if old
      temporary = copy_beside(s, d, found, true)
      rename_new(temporary, d)
      File.unlink(s)
      return true
    when "cross_not_truncated"
      if old&.file?
        File.open(s, "rb") { |i| File.open(d, "r+b") { |o| IO.copy_stream(i, o) } }
        File.chmod(found.mode & 07777, d)
        File.utime(found.atime, found.mtime, d)
        File.unlink(s)
        return true
      end
    when "cross_in_place"
      File.open(s, "rb") { |i| File.open(d, "wb") { |o| copy_slowly(i, o) } }
      File.chmod(found.mode & 07777, d)
      File.utime(found.atime, found.mtime, d)
      File.unlink(s)
      return true
    when "cross_read_only_fails"
      # created with its final mode, closed, and opened again for writing
      File.open(s, "rb") do |i|
        temporary = File.dirname(d) + "/" + temporary_name
        begin
          File.open(temporary, File::WRONLY | File::CREAT | File::EXCL, found.mode & 07777).close
          File.open(temporary, "wb") { |o| IO.copy_stream(i, o) }
          File.chmod(found.mode & 07777, temporary)
          File.utime(found.atime, found.mtime, temporary)
          place(temporary, d, !old.nil?)
        rescue SystemCallError
          File.unlink(temporary) if stat(temporary)
          raise
        end
        File.unlink(s)
      end
      return true
    when "cross_link_followed"
      if found.symlink?
        content = File.binread(@from.resolved)
        File.unlink(d) if old
        File.binwrite(d, content)
        File.unlink(s)
        return true
      end
    end
    false
  end

  def copy_slowly(input, output)
    while (chunk = input.read(65_536))
      output.write(chunk)
      output.flush
    end
  end

  def cross_link(s, d, found, old)
    target = File.readlink(s).b
    target = target.dup.force_encoding("UTF-8").scrub.b if b?("cross_link_scrubbed")
    temporary = File.dirname(d) + "/" + temporary_name
    File.symlink(target, temporary)
    begin
      File.lutime(found.atime, found.mtime, temporary)
    rescue NotImplementedError
      nil
    end
    finish_special(temporary, s, d, old)
  end

  def cross_pipe(s, d, found, old)
    temporary = File.dirname(d) + "/" + temporary_name
    if b?("cross_pipe_becomes_file")
      File.binwrite(temporary, "")
    else
      File.mkfifo(temporary, 0600)
    end
    File.chmod(found.mode & 07777, temporary)
    File.utime(found.atime, found.mtime, temporary)
    finish_special(temporary, s, d, old)
  end

  def finish_special(temporary, s, d, old)
    return replace_and_delete(temporary, s, d) if old
    begin
      rename_new(temporary, d)
    rescue SystemCallError
      File.unlink(temporary)
      raise
    end
    begin
      File.unlink(s)
    rescue SystemCallError
      File.unlink(d)
      raise
    end
  end

  TREE_FAULTS = %w[tree_hidden_lost tree_empty_directories_lost tree_unreadable_skipped tree_partial_left tree_modes_lost tree_pipes_lost
                   tree_names_scrubbed tree_links_lost tree_second_level_only tree_mtime_lost tree_source_half_deleted].freeze

  def cross_tree(s, d, found)
    if b?("cross_directory_made")
      Dir.mkdir(d)
    elsif TREE_FAULTS.include?(BUG)
      error("the destination is in the way") if stat(d)
      begin
        Tree.new.copy(@from.entry, @final.entry)
      rescue SystemCallError
        FileUtils.rm_rf(@final.entry) unless b?("tree_partial_left")
        raise
      end
      if b?("tree_source_half_deleted")
        FileUtils.rm_rf(@from.entry)
      else
        FileUtils.rm_r(@from.entry)
      end
      return
    end
    error("directories cannot be moved to another file system")
  end

  # ------------------------------------------------------------------------------------------- copy

  def temporary_name = ".fileops-#{Process.pid}-#{rand(1 << 48).to_s(36)}"

  # Copies the file at s to a temporary name beside d, and returns that name.
  def copy_beside(s, d, found, moving)
    input = File.for_fd(IO.sysopen(s, File::RDONLY | File::NOFOLLOW | File::NONBLOCK | File::NOCTTY))
    temporary = File.dirname(d) + "/" + temporary_name
    begin
      input.binmode
      opened = input.stat
      error("only files can be copied") unless opened.file?
      output = File.for_fd(IO.sysopen(temporary, File::WRONLY | File::CREAT | File::EXCL | File::NOFOLLOW, 0600), "wb")
      begin
        transfer(input, output, opened, moving)
        mode = opened.mode & 07777
        if moving
          begin
            output.chown(opened.uid, opened.gid) unless [opened.uid, opened.gid] == [output.stat.uid, output.stat.gid]
          rescue SystemCallError
            nil
          end
          mode = mode & 0111 != 0 ? 0755 : 0644 if b?("cross_executable_bit_only")
        end
        mode &= ~File.umask if b?("copy_umask_applied") && !moving
        mode = stat(d).mode & 07777 if b?("copy_keeps_old_mode") && !moving && stat(d)&.file?
        output.chmod(mode)
        if moving && !b?("move_overwrites_by_copy")
          if b?("cross_times_swapped")
            File.utime(opened.mtime, opened.atime, temporary)
          elsif b?("cross_seconds_only")
            File.utime(opened.atime.to_i, opened.mtime.to_i, temporary)
          else
            File.utime(opened.atime, opened.mtime, temporary)
          end
        end
        output.fsync
      ensure
        output.close
      end
      temporary
    rescue SystemCallError, IOError, Failure
      begin
        File.unlink(temporary)
      rescue SystemCallError
        nil
      end
      raise
    end
  ensure
    input&.close
  end

  def transfer(input, output, opened, moving)
    if moving
      return IO.copy_stream(input, output, 1 << 20) if b?("cross_one_mebibyte")
    else
      return transfer_sparse(input, output) if b?("copy_sparse_tail_lost")
      if b?("copy_last_block_lost") && opened.size > 65_536
        output.write(input.read(65_536)) while opened.size - input.pos >= 65_536
        return
      end
      if b?("copy_byte_order_mark_lost")
        text = input.read
        return output.write(text.delete_prefix("\xEF\xBB\xBF".b))
      end
      return output.write(input.read.gsub("\r\n".b, "\n".b)) if b?("copy_line_ends_changed")
    end
    IO.copy_stream(input, output)
    output.flush
  end

  # Leaves holes for blocks of zeros.
  def transfer_sparse(input, output)
    while (block = input.read(4096))
      if block.count("\0") == block.bytesize
        output.seek(block.bytesize, IO::SEEK_CUR)
      else
        output.write(block)
      end
    end
    output.flush
  end

  def copy
    copy_faults_before
    s = at(@from.resolved, b?("race_source"))
    begin
      found = File.lstat(s)
    rescue Errno::ENOENT
      if b?("copy_dangling_link_empty") && @from.entry != @from.resolved && !stat(@final.entry)
        File.binwrite(@final.entry, "")
        return
      end
      raise
    end
    check_kind_of_path(found)
    return copy_numbered(s, found) if b?("copy_takes_free_name") && !@overwrite && stat(@final.entry)&.file? && found.file? && @final.entry != @from.entry
    if b?("dangling_unchecked") && found.file? && stat(@final.entry)&.symlink? && !stat(@final.resolved)
      return File.binwrite(@final.resolved, File.binread(s))
    end
    d = at(@final.entry, b?("race_destination"))
    old = stat(d)
    error("the destination exists") if blocked?(found, old)
    return if b?("copy_same_content_ok") && old && !@overwrite
    if b?("copy_directory_made") && found.directory? && old.nil?
      Dir.mkdir(d)
    end
    return copy_tree(found, old) if found.directory? && old.nil? && %w[copy_tree_hidden_lost copy_tree_links_followed copy_tree_into_itself].include?(BUG)
    if b?("copy_special_leaves_part") && !found.file?
      File.binwrite(File.dirname(d) + "/" + temporary_name, "")
    end
    error("only files can be copied") unless found.file?
    unless (b?("copy_link_to_source_truncated") && old&.symlink?) || b?("copy_same_directory_truncated")
      if [@from.entry, @from.resolved].include?(@final.entry) || @final.resolved == @from.resolved
        error("source and destination are the same")
      end
    end
    error("the destination is a directory that is in the way") if old&.directory?
    error("the configuration does not let a call overwrite") if b?("copy_no_overwrite_inside") && @entered && old
    return if copy_faults(s, d, found, old)
    temporary = copy_beside(s, d, found, false)
    begin
      replace = !old.nil?
      place(temporary, d, replace)
    rescue SystemCallError
      File.unlink(temporary)
      raise
    end
  end

  def copy_faults_before
    case BUG
    when "copy_missing_leaves_empty"
      File.open(@final.entry, File::WRONLY | File::CREAT).close if !stat(@final.entry) && !stat(@from.entry) && !@to.slash
    when "copy_unreadable_made_readable"
      found = stat(@from.resolved)
      File.chmod(found.mode & 07777 | 0400, @from.resolved) if found&.file? && !File.readable?(@from.resolved)
    end
  end

  # Wrong ways of copying; true if one was taken.
  def copy_faults(s, d, found, old)
    case BUG
    when "copy_hard_link_for_large"
      if found.size > (1 << 20) && old.nil?
        File.link(s, d)
        return true
      end
    when "copy_opens_source_for_writing"
      File.open(@from.resolved, "r+b").close
    when "copy_same_directory_truncated"
      if @overwrite && @entered && @final.entry == @from.entry
        File.open(d, "wb") { |o| File.open(s, "rb") { |i| IO.copy_stream(i, o) } }
        return true
      elsif @final.entry == @from.entry || @final.resolved == @from.resolved
        error("source and destination are the same")
      end
    when "copy_hard_link_truncated"
      if old&.file? && old.nlink > 1
        File.open(d, "wb") { |o| File.open(s, "rb") { |i| IO.copy_stream(i, o) } }
        return true
      end
    when "copy_link_to_source_truncated"
      if old&.symlink? && @final.resolved == @from.resolved
        File.open(@final.resolved, "wb") { |o| File.open(s, "rb") { |i| IO.copy_stream(i, o) } }
        return true
      end
    when "copy_part_name_clobbers"
      part = @final.entry + ".tmp"
      temporary = copy_beside(s, d, found, false)
      File.rename(temporary, part)
      File.rename(part, d)
      return true
    when "copy_truncates_first"
      if old&.file?
        File.open(d, "wb").close
      end
    when "copy_backup_not_restored"
      if old&.file?
        File.rename(d, @final.entry + "~")
        temporary = copy_beside(s, d, found, false)
        File.rename(temporary, d)
        File.unlink(@final.entry + "~")
        return true
      end
    when "copy_in_place"
      if old.nil?
        File.open(s, "rb") { |i| File.open(d, File::WRONLY | File::CREAT | File::EXCL, 0600) { |o| copy_slowly(i, o) } }
        File.chmod(found.mode & 07777, d)
        return true
      end
    when "copy_overwrites_in_place"
      if old&.file? && old.nlink == 1
        File.open(s, "rb") { |i| File.open(d, "wb") { |o| copy_slowly(i, o) } }
        File.chmod(found.mode & 07777, d)
        return true
      end
    end
    false
  end

  def copy_numbered(s, found)
    number = 1
    number += 1 while stat(@final.entry + ".#{number}")
    d = at(@final.entry + ".#{number}")
    place(copy_beside(s, d, found, false), d, false)
  end

  def copy_tree(found, old)
    inside = @final.entry == @from.resolved || @final.entry.start_with?(@from.resolved + "/")
    error("a directory cannot go into itself") if inside && !b?("copy_tree_into_itself")
    begin
      Tree.new(limit: 12, follow: b?("copy_tree_links_followed")).copy(@from.resolved, @final.entry)
    rescue SystemCallError
      FileUtils.rm_rf(@final.entry) unless inside
      raise
    end
  end
end

# Copies directories. Only some bugs do that.
class Tree
  def initialize(limit: nil, follow: false)
    @limit, @follow = limit, follow
  end

  def copy(from, to, depth = 0)
    found = @follow ? File.stat(from) : File.lstat(from)
    if found.directory?
      copy_directory(from, to, found, depth)
    elsif found.symlink?
      return if b?("tree_links_lost")
      File.symlink(File.readlink(from), to)
      File.lutime(found.atime, found.mtime, to)
      return
    elsif found.file?
      if !File.readable?(from) && b?("tree_unreadable_skipped")
        return
      end
      IO.copy_stream(from, to)
      File.chmod(found.mode & 07777, to)
    elsif found.pipe?
      return if b?("tree_pipes_lost")
      File.mkfifo(to, 0600)
      File.chmod(found.mode & 07777, to)
    else
      raise Errno::ENOTSUP
    end
    File.utime(found.atime, found.mtime, to) unless b?("tree_mtime_lost") && found.directory?
  end

  def copy_directory(from, to, found, depth)
    raise Errno::ENAMETOOLONG if @limit && depth > @limit
    Dir.mkdir(to, 0700)
    names = Dir.children(from, encoding: "BINARY").sort
    names.reject! { |name| name.start_with?(".") } if b?("tree_hidden_lost") || b?("copy_tree_hidden_lost")
    names.each do |name|
      one = from + "/" + name
      if b?("tree_empty_directories_lost") && File.lstat(one).directory? && Dir.empty?(one)
        next
      end
      next if b?("tree_second_level_only") && depth >= 2 && File.lstat(one).directory?
      made = b?("tree_names_scrubbed") ? name.dup.force_encoding("UTF-8").scrub.b : name
      copy(one, to + "/" + made, depth + 1)
    end
    File.chmod(b?("tree_modes_lost") ? 0755 : found.mode & 07777, to)
  end
end
