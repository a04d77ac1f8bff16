# The tool list_directory.

# The names of a directory, by getdents64: Dir ignores an error while it reads.
def children(directory)
  io = File.for_fd(IO.sysopen(directory, File::RDONLY | O_DIRECTORY))
  names = []
  loop do
    buffer = "x".b * 32_768 # syscall takes no text with a NUL
    length = syscall(217, io.fileno, buffer, buffer.bytesize)
    break if length <= 0
    at = 0
    while at < length
      size = buffer.byteslice(at + 16, 2).unpack1("S")
      name = buffer.byteslice(at + 19, size - 19).unpack1("Z*")
      names << name unless name == "." || name == ".."
      at += size
    end
  end
  names
ensure
  io&.close
end

Listing = Struct.new(:path, :max_depth, :max_entries, :hidden, :files, :dirs, :symlinks, :other)

def switch_value(values, name, default, kind)
  return default unless values.is_a?(Hash) && values.key?(name)
  value = values[name]
  fail_with(kind, "#{name} must be a boolean") unless value == true || value == false
  value
end

def limit_value(values, name, kind)
  return nil unless values.is_a?(Hash) && values.key?(name)
  value = values[name]
  fail_with(kind, "#{name} must be an integer from 1 on") unless value.is_a?(Integer) && value >= 1
  value
end

def normalized(path)
  fail_with("BadArgs", "path is required and must be a path") unless path.is_a?(String) && path.valid_encoding? && !path.include?("\0")
  path = path.sub(/\A[[:space:]]+/, "").sub(/[[:space:]]+\z/, "")
  fail_with("BadArgs", "path is required and must be a path") if path.empty?
  parts = path.split("/").reject { |part| part == "" || part == "." }
  return "/" + parts.join("/") if path.start_with?("/")
  parts.empty? ? "." : parts.join("/")
end

def listing_arguments(args, context, called)
  table = called == "ls" && b?("ls_own_table") ? "ls" : "list_directory"
  table = "fileops" if b?("list_limits_from_fileops")
  config = dig(context["config"], "tools", table)
  fail_with("ConfigInvalid", "tools.list_directory must be a table") unless config.nil? || config.is_a?(Hash)
  value = lambda do |name, default|
    switch_value(args, name, switch_value(config, "#{name}_default", default, "ConfigInvalid"), "BadArgs")
  end
  path = normalized(args["path"])
  recursive = switch_value(args, "recursive", called == "dir" && b?("dir_recursive") && !args.key?("max_depth"), "BadArgs")
  cap = limit_value(config, "max_depth", "ConfigInvalid") || 4
  asked = limit_value(args, "max_depth", "BadArgs")
  if !recursive
    fail_with("BadArgs", "max_depth must be 1 if recursive is false") unless asked.nil? || asked == 1
    depth = 1
  else
    fail_with("BadArgs", "max_depth must be at most #{cap}") if asked && asked > cap
    depth = asked || cap
    depth = asked || 4 if b?("list_depth_default_fixed")
  end
  most = limit_value(config, "max_entries", "ConfigInvalid") || 200
  entries = limit_value(args, "max_entries", "BadArgs")
  fail_with("BadArgs", "max_entries must be at most #{most}") if entries && entries > most
  call = Listing.new(path, depth, entries || most, value["include_hidden", false], value["include_files", !(called == "dir" && b?("dir_directories_only"))],
                     value["include_dirs", true], value["include_symlinks", true], value["include_other", b?("list_other_default_on")])
  unless call.files || call.dirs || call.symlinks
    fail_with("BadArgs", "one of include_files, include_dirs and include_symlinks must be true")
  end
  call
end

def list_call(args, context, policy, called)
  call = listing_arguments(args, context, called)
  policy.check_enabled
  policy.check_denylist
  sandbox = Sandbox.new(context, called)
  directory = b?("listdir_unchecked") && called == "listdir" ? sandbox.resolve(sandbox.absolute(call.path)) : sandbox.check_directory(call.path)
  policy.check_mode(args, false)
  if b?("listing_remembered")
    key = [directory, call.to_a]
    return STATE[:listings][key] ||= Walker.new(call, sandbox).list(directory, context, called)
  end
  Walker.new(call, sandbox).list(directory, context, called)
end

def mtime_ms(stat)
  exact = stat.mtime.to_r * 1000
  b?("list_mtime_truncated") ? exact.truncate : exact.floor
end

class Walker
  Entry = Struct.new(:path, :depth, :type, :size, :modified, :code, :text)

  def initialize(call, sandbox)
    @call, @sandbox = call, sandbox
    @entries = []
    @cut = false
  end

  def list(directory, context, called)
    begin
      found = File.lstat(directory)
      fail_with("ExecutionFailed", "path is not a directory: #{@call.path}") unless found.directory?
      all = names(directory)
    rescue Errno::ENOTDIR
      fail_with("ExecutionFailed", "path is not a directory: #{@call.path}")
    rescue SystemCallError => error
      fail_with("ExecutionFailed", "cannot list #{@call.path}: #{printable(error.message)}")
    end
    @sandbox.check_directory(@call.path) unless b?("listdir_unchecked") # again: a part of the path can have become a link
    visit(directory, all, "", 1)
    sort
    document(context)
  end

  def sort
    at = {}
    @entries.each_with_index { |entry, index| at[entry] = index }
    numbered = @entries.each_with_index.to_a
    key = case BUG
          when "list_sorted_by_components" then ->(e) { [e.path.split("/")] }
          when "list_sorted_without_case" then ->(e) { [e.path.downcase.b, e.path.b] }
          when "list_sorted_utf16" then ->(e) { [e.path.encode("UTF-16BE").b] }
          when "list_sorted_numbers" then ->(e) { [e.path.scan(/\d+|\D+/).map { |part| part.match?(/\A\d/) ? [0, part.to_i, part] : [1, 0, part] }] }
          when "list_sorted_directories_first" then ->(e) { [e.type == "dir" ? 0 : 1, e.path.b] }
          when "list_sorted_by_name" then ->(e) { [e.path.split("/").last.b, e.path.b] }
          else ->(e) { [e.path.b] }
          end
    @entries = numbered.sort { |(one, i), (other, j)| c = key[one] <=> key[other]; c.nil? || c.zero? ? i <=> j : c }.map(&:first)
  end

  # The names of a directory in the order of their texts, those of one text in the order of their bytes.
  def names(directory)
    all = children(directory)
    raise Errno::ENOTDIR unless File.lstat(directory).directory?
    all.map { |name| [name, printable(name)] }.sort_by { |name, text| [text.b, name.b] }
  end

  def visit(directory, all, prefix, depth)
    all.each do |name, text|
      next if text.start_with?(".") && !@call.hidden
      visit_entry(directory + "/" + name.b, prefix + text, depth)
      return if @cut
    end
  end

  def visit_entry(place, path, depth)
    entry = Entry.new(path, depth, "unknown", nil, nil, nil, nil)
    begin
      found = File.lstat(place)
      entry.type = if found.file? then "file"
                   elsif found.directory? then "dir"
                   elsif found.symlink? then "symlink"
                   else "other"
                   end
      entry.size = found.size if found.file? || (b?("list_link_size") && found.symlink?)
      entry.modified = mtime_ms(found)
      followed = b?("list_links_descended") && found.symlink? && File.directory?(place)
    rescue SystemCallError
      entry.code, entry.text = "metadata_unavailable", "cannot read the metadata"
    end
    return add(entry) if (entry.type != "dir" && !followed) || depth >= @call.max_depth
    if full? && @call.dirs
      @cut = true
      return
    end
    begin
      all = followed ? Dir.children(place, encoding: "BINARY").map { |n| [n, printable(n)] } : names(place)
    rescue SystemCallError
      entry.type = "unknown"
      entry.code, entry.text = "read_dir_failed", "cannot read the directory"
      return add(entry)
    end
    add(entry)
    visit(place, all, path + "/", depth + 1)
  end

  def full? = @entries.size >= @call.max_entries

  def included?(type)
    case type
    when "file" then @call.files
    when "dir" then @call.dirs
    when "symlink" then @call.symlinks
    when "other" then @call.other
    else true
    end
  end

  def add(entry)
    return unless included?(entry.type)
    if full?
      @cut = true
    else
      @entries << entry
    end
  end

  def document(context)
    first = context["max_output_bytes"] || 102_400
    second = context["available_capacity_bytes"] || 65_536
    budget = b?("list_capacity_ignored") ? first : [first, second].min
    texts = @entries.map do |e|
      name = e.path.split("/").last
      JSON.generate({"name" => name, "path" => e.path, "depth" => e.depth, "type" => e.type, "size_bytes" => e.size,
                     "modified_epoch_ms" => e.modified, "is_hidden" => name.start_with?("."), "error_code" => e.code, "error" => e.text})
    end
    complete = frame(texts, @cut ? "max_entries" : nil)
    return complete if complete.bytesize <= budget
    around = frame([], "max_output_bytes").bytesize - 1
    within = texts.sum { |text| text.bytesize + 1 }
    (texts.size - 1).downto(0) do |kept|
      within -= texts[kept].bytesize + 1
      length = around + kept.to_s.size + [within - 1, 0].max
      return frame(texts[0, kept], "max_output_bytes") if length <= budget
    end
    fail_with("ExecutionFailed", "output budget too small: not even an empty listing fits into #{budget} bytes")
  end

  def frame(texts, reason)
    %({"path":#{JSON.generate(@call.path)},"entries":[#{texts.join(",")}],"returned":#{texts.size},"max_entries":#{@call.max_entries},) +
      %("truncated":#{!reason.nil?},"truncated_reason":#{JSON.generate(reason)}})
  end
end
