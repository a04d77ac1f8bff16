# The tool LS 2.0.0: one directory of the project, with pages and filters, in the standard envelope.
class ListFilesTool
  # A refused or failed call.
  class Failure < StandardError
    attr_reader :code

    def initialize(code, message)
      super(message)
      @code = code
    end
  end

  # What leaves the tool without an envelope.
  class Escaped < StandardError; end

  Entry = Struct.new(:name, :path, :type, :directory, :kind, :target, :raw)
  Wanted = Struct.new(:path, :offset, :limit, :include_hidden, :ignore)

  LISTED = %w[.git .hg .svn __pycache__ node_modules target build dist .idea .vscode .DS_Store venv .venv].freeze
  OUTSIDE = 'Access denied. Path must be within the project root.'
  TYPES_MESSAGE = 'offset/limit/ignore must be valid types.'
  MAX_LINKS = 40

  @sticky = {}
  class << self
    attr_reader :sticky
  end

  def self.definition
    properties = {
      'path' => { 'type' => 'string',
                  'description' => 'Directory path to list (relative to project root or absolute within it).',
                  'default' => '.' },
      'offset' => { 'type' => 'integer', 'description' => 'Pagination start index (>=0).', 'default' => 0 },
      'limit' => { 'type' => 'integer', 'description' => 'Max items to return (1-200).', 'default' => 100 },
      'include_hidden' => { 'type' => 'boolean',
                            'description' => "Whether to include hidden files (starting with '.').",
                            'default' => false },
      'ignore' => { 'type' => 'array', 'description' => 'Optional list of glob patterns to ignore.',
                    'default' => nil }
    }
    properties['path'].delete('default') if bug('def_path_no_default')
    properties['limit']['type'] = 'number' if bug('def_limit_number')
    properties['limit']['default'] = 200 if bug('def_limit_default')
    properties['limit']['description'] = 'Max items to return (1-100).' if bug('def_limit_words')
    properties['ignore']['default'] = [] if bug('def_ignore_default')
    properties['ignore'].delete('description') if bug('def_ignore_undescribed')
    properties['recursive'] = { 'type' => 'boolean', 'default' => false } if bug('def_sixth')
    schema = { 'type' => 'object', 'properties' => properties, 'required' => bug('def_required') ? ['path'] : [] }
    description = 'List files and directories in a given path with pagination and filters.'
    description = 'List files in a given path.' if bug('def_tool_words')
    { 'name' => bug('def_class_name') ? 'ListFilesTool' : 'LS', 'aliases' => [], 'description' => description,
      'input_schema' => schema, 'is_side_effecting' => false, 'requires_approval' => false, 'risk_level' => 'Low' }
  end

  def initialize(root, working_dir)
    @spelt_root = bytes(root)
    @spelt_work = bytes(working_dir)
    @root = resolve(@spelt_root)
    @work = resolve(@spelt_work)
  end

  # The envelope of a call, of a failed one as well.
  def run(given)
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    @context = { 'cwd' => cwd, 'params_input' => given }
    @sent = given
    begin
      envelope = listing(parse(given))
      self.class.sticky.delete('error') unless bug('state_error_stays')
    rescue Failure => e
      envelope = failed(e.code, e.message)
    rescue SystemCallError, IOError, RegexpError, EncodingError, NoMethodError, TypeError, ArgumentError, RangeError => e
      envelope = failed('INTERNAL_ERROR', "Failed to list directory - #{plain(e)}")
    end
    finish(envelope, started)
  end

  def plain(error)
    return error.class.new.message if error.is_a?(SystemCallError)
    error.message.lines.first.to_s.strip
  end

  def finish(envelope, started)
    elapsed = ((Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) * 1000).round
    elapsed = -1 - elapsed if bug('env_time_negative')
    elapsed = "#{elapsed} ms" if bug('env_time_text') && envelope['status'] == 'partial'
    elapsed = nil if bug('env_time_null_error') && envelope['status'] == 'error'
    if envelope['stats']
      envelope['stats'] = { 'time_ms' => elapsed }.merge(envelope['stats'])
      envelope['stats'].delete('time_ms') if bug('env_time_missing_empty') && envelope['stats']['returned'] == 0
    end
    params_input(envelope)
    @context.delete('cwd') if bug('env_cwd_missing_error') && envelope['status'] == 'error'
    @context.delete('path_resolved') if bug('env_resolved_missing_default') && @sent.is_a?(Hash) && !@sent.key?('path')
    @context['cwd'] = @listed if bug('env_cwd_target') && @listed
    envelope['context'] = @context
    if bug('state_error_stays') && envelope['status'] != 'error' && self.class.sticky['error']
      envelope['error'] = self.class.sticky.delete('error')
    end
    envelope
  end

  def params_input(envelope)
    sent = @sent
    if sent.is_a?(Hash)
      sent = { 'path' => '.' }.merge(sent) if bug('env_params_path_filled')
      sent = sent.merge('limit' => @wanted.limit) if bug('env_params_limit_filled') && @wanted && !sent.key?('offset')
      sent = sent.reject { |_, v| v.nil? } if bug('env_params_compact')
      sent = sent.slice('path', 'offset', 'limit', 'include_hidden', 'ignore') if bug('env_params_known_only')
      sent = {} if bug('env_params_empty_on_error') && envelope['status'] == 'error' && @wanted.nil?
      sent = sent.merge('path' => @listed) if bug('env_params_resolved') && @listed && sent.key?('path')
      sent = sent.transform_values { |v| v.is_a?(Hash) ? v.to_s : v } if bug('env_params_inspect')
      if bug('env_params_uniq_ignore') && sent['ignore'].is_a?(Array)
        sent = sent.merge('ignore' => sent['ignore'].uniq)
      end
    end
    @context['params_input'] = sent
  end

  def failed(code, message)
    message = message[0, 79] + '…' if bug('err_text_cut') && message.size > 80
    text = message
    text = 'The directory could not be listed.' if bug('err_text_generic') && code == 'INTERNAL_ERROR'
    text = "#{message[0, 57]}..." if bug('err_text_short') && message.size > 60
    text = '' if bug('err_text_empty') && code == 'INVALID_PARAM' && @wanted.nil?
    status = 'error'
    status = 'failed' if bug('env_status_failed') && code == 'NOT_FOUND'
    error = { 'code' => code, 'message' => message }
    error.delete('message') if bug('env_message_missing') && code == 'INVALID_PARAM' && @wanted.nil?
    error['message'] = [message] if bug('env_message_list') && code == 'INTERNAL_ERROR'
    self.class.sticky['error'] = error
    envelope = { 'status' => status, 'data' => {}, 'text' => text, 'stats' => {}, 'error' => error }
    envelope['data'] = nil if bug('env_data_null_error')
    envelope.delete('data') if bug('env_data_gone_denied') && code == 'ACCESS_DENIED'
    envelope.delete('stats') if bug('env_stats_gone_params') && @wanted.nil?
    envelope['code'] = code if bug('env_code_top') && code == 'NOT_FOUND'
    envelope
  end

  def cwd
    relative = relative_to_root(@work)
    return '' if bug('env_cwd_empty') && relative == '.'
    return utf8(@work) if bug('env_cwd_absolute') && relative != '.'
    return File.basename(relative) if bug('env_cwd_basename')
    return "./#{relative}" if bug('env_cwd_dot') && relative != '.'
    return "#{relative}/" if bug('env_cwd_slash') && relative.include?('/')
    relative
  end

  # ---- parameters ----

  def parse(given)
    @wanted = nil
    given = {} if given.nil? && bug('arg_null_is_empty')
    given = given.first if given.is_a?(Array) && given.size == 1 && given.first.is_a?(Hash) && bug('arg_list_of_one')
    raise Failure.new('INVALID_PARAM', 'The parameters must be an object.') unless given.is_a?(Hash)
    if bug('arg_unknown_internal') && (given.keys - %w[path offset limit include_hidden ignore]).any?
      raise ArgumentError, "unknown keyword: :#{given.keys.last}"
    end
    path = parsed_path(given)
    offset = parsed_offset(given)
    limit = parsed_limit(given, offset)
    hidden = given.key?('include_hidden') ? given['include_hidden'] : false
    unless [true, false].include?(hidden)
      raise Escaped, "undefined method for #{hidden.class}" if bug('arg_hidden_escapes') && hidden.is_a?(Hash)
      raise TypeError, 'include_hidden is no boolean' if bug('arg_hidden_internal')
      raise Failure.new('ACCESS_DENIED', 'include_hidden is not allowed.') if bug('arg_hidden_denied') && hidden.is_a?(String)
      raise Failure.new('INVALID_PARAM', 'include_hidden must be true or false.')
    end
    @wanted = Wanted.new(path, offset, limit, hidden, parsed_ignore(given))
    if bug('state_hidden_stays')
      self.class.sticky['hidden'] = true if hidden
      @wanted.include_hidden = true if self.class.sticky['hidden'] && !given.key?('include_hidden')
    end
    @wanted
  end

  def parsed_path(given)
    path = given.key?('path') ? given['path'] : '.'
    path = given['path'] || '.' if bug('arg_path_false') && given['path'] == false
    path = path.to_s if bug('arg_path_number') && path.is_a?(Integer)
    path = File.join(path) if bug('arg_path_list') && path.is_a?(Array) && path.all?(String)
    path = '' if bug('text_default_path') && !given.key?('path')
    path = path.strip if bug('arg_path_strip') && path.is_a?(String)
    raise Failure.new('INVALID_PARAM', 'path must be a text.') unless path.is_a?(String) && path.valid_encoding?
    raise Failure.new('INVALID_PARAM', 'path must not hold a NUL.') if path.include?("\0")
    path.chomp!('/') if bug('env_params_path_chomp') && path.size > 1 && !path.frozen?
    path
  end

  def parsed_offset(given)
    offset = given.key?('offset') ? given['offset'] : 0
    offset = 0 if bug('arg_offset_false') && offset == false
    offset = offset.to_i if bug('arg_offset_text') && offset.is_a?(String) && offset =~ /\A\d+\z/
    offset = offset.to_f.floor if bug('arg_offset_fraction') && offset.is_a?(Raw) && offset.to_f.finite?
    offset = 0 if bug('arg_offset_empty_text') && offset == ''
    unless offset.is_a?(Integer)
      raise TypeError, "no implicit conversion of #{offset.class} into Integer" if bug('arg_offset_internal')
      raise Failure.new('INVALID_PARAM', TYPES_MESSAGE)
    end
    return offset if offset.negative? && bug('arg_offset_from_end')
    return 0 if offset == -1 && bug('arg_offset_minus_one')
    raise Failure.new('INVALID_PARAM', TYPES_MESSAGE) if offset.negative?
    raise Failure.new('INVALID_PARAM', TYPES_MESSAGE) if bug('arg_offset_32') && offset > 2**31 - 1
    offset
  end

  def parsed_limit(given, offset)
    limit = given.key?('limit') ? given['limit'] : 100
    limit = 50 if bug('arg_limit_default_offset') && !given.key?('limit') && offset.positive?
    limit = 200 if bug('arg_limit_default_hidden') && !given.key?('limit') && given['include_hidden'] == true
    limit = 1 if bug('arg_limit_true') && limit == true
    limit = limit.to_i if bug('arg_limit_text') && limit.is_a?(String) && limit =~ /\A\d+\z/
    limit = 200 if bug('arg_limit_huge_clamped') && limit.is_a?(Integer) && limit >= 2**63
    limit = 200 if bug('arg_limit_clamped_paging') && limit.is_a?(Integer) && limit > 200 && given.key?('offset')
    limit = 100 if bug('arg_limit_zero_default') && limit == 0
    limit = limit.abs if bug('arg_limit_negative_abs') && limit.is_a?(Integer)
    top = 200
    top = 199 if bug('arg_limit_200_refused')
    top = 201 if bug('arg_limit_201')
    top = 256 if bug('arg_limit_256')
    unless limit.is_a?(Integer) && limit.between?(1, top)
      raise ArgumentError, "comparison of #{limit.class} with 1 failed" if bug('arg_limit_internal') && !limit.is_a?(Integer)
      raise Failure.new('INVALID_PARAM', TYPES_MESSAGE)
    end
    limit
  end

  def parsed_ignore(given)
    ignore = given['ignore']
    ignore = Array(ignore) if bug('arg_ignore_text') && ignore.is_a?(String)
    ignore = Array(ignore).flatten if bug('arg_ignore_object') && ignore == {}
    ignore = nil if bug('arg_ignore_false') && ignore == false
    return [] if ignore.nil?
    raise Failure.new('INVALID_PARAM', TYPES_MESSAGE) unless ignore.is_a?(Array)
    raise Failure.new('INVALID_PARAM', TYPES_MESSAGE) if bug('arg_ignore_empty_refused') && ignore.empty?
    ignore = ignore.compact if bug('arg_ignore_nulls')
    ignore = ignore.flatten if bug('arg_ignore_nested')
    ignore = ignore.map { |i| i.is_a?(Integer) ? i.to_s : i } if bug('arg_ignore_numbers')
    ignore = ignore.take_while { |i| i.is_a?(String) } if bug('arg_ignore_first_checked') && ignore.first.is_a?(String)
    raise Failure.new('INVALID_PARAM', TYPES_MESSAGE) unless ignore.all?(String)
    raise Failure.new('INVALID_PARAM', TYPES_MESSAGE) if bug('arg_ignore_blank_refused') && ignore.include?('')
    ignore.each { |i| i.tr!('\\', '/') } if bug('env_params_ignore_slashed')
    if bug('state_ignore_grows')
      (self.class.sticky['ignore'] ||= []).concat(ignore)
      return self.class.sticky['ignore']
    end
    ignore = ignore.first(10) if bug('fn_ten_patterns')
    ignore
  end

  # ---- paths, as bytes ----

  def bytes(text)
    text.dup.force_encoding(Encoding::BINARY)
  end

  def utf8(text)
    text.dup.force_encoding(Encoding::UTF_8).scrub("\u{FFFD}")
  end

  # Follow every link of an absolute path; what does not exist is kept as it is written.
  def resolve(path)
    waiting = path.split('/')
    real = +''.b
    links = 0
    until waiting.empty?
      part = waiting.shift
      next if part.empty? || part == '.'
      if part == '..'
        real = real[0...(real.rindex('/') || 0)]
        next
      end
      step = real + '/' + part
      begin
        link = File.lstat(step).symlink?
      rescue Errno::ENOENT, Errno::ENOTDIR
        link = false
      end
      if link
        links += 1
        raise Errno::ELOOP if links > MAX_LINKS
        to = bytes(File.readlink(step))
        real = +''.b if to.start_with?('/')
        waiting = to.split('/') + waiting
      else
        real = step
      end
    end
    real.empty? ? '/'.b : real
  rescue Errno::EACCES, Errno::ENAMETOOLONG, Errno::ELOOP
    raise unless @root && !inside?(real)
    raise Failure.new('ACCESS_DENIED', OUTSIDE)
  end

  def inside?(real)
    return real.start_with?(@root) if bug('sec_prefix')
    real == @root || real.start_with?(@root == '/' ? '/' : @root + '/')
  end

  def relative_to_root(real)
    return '.' if real == @root
    return utf8(real.delete_prefix(@root).delete_prefix('/')) if inside?(real)
    parts = real.split('/')
    root = @root.split('/')
    while parts.any? && parts.first == root.first
      parts.shift
      root.shift
    end
    utf8(([*['..'] * root.size] + parts).join('/'))
  end

  def joined(path)
    path = bytes(path)
    if path.start_with?('/')
      return @root + path if bug('sec_chroot') && !(path + '/').start_with?(@spelt_root + '/')
      raise Failure.new('ACCESS_DENIED', OUTSIDE) if bug('sec_root_itself') && path.chomp('/') == @spelt_root
      raise Failure.new('ACCESS_DENIED', OUTSIDE) if bug('sec_abs_below_work') && @work != @root && !path.start_with?(@work)
      return path
    end
    raise Failure.new('ACCESS_DENIED', OUTSIDE) if bug('sec_two_dots') && path.include?('..')
    return File.expand_path(path, @work) if bug('sec_tilde') && path.start_with?('~')
    path = path.gsub(/%([0-9a-fA-F]{2})/n) { $1.hex.chr } if bug('sec_percent')
    path = path.gsub(/\$(\w+)/n) { bytes(ENV[$1].to_s) } if bug('sec_env')
    path = path.tr('\\', '/') if bug('sec_backslash')
    return @root + '/' + path if bug('sec_root_start')
    return @root + '/' + path if bug('sec_root_default') && path == '.'
    if bug('sec_root_fallback') && !File.exist?(@work + '/' + path) && File.exist?(@root + '/' + path)
      return @root + '/' + path
    end
    if bug('sec_root_first') && path != '.' && !path.start_with?('..') && File.directory?(@root + '/' + path)
      return @root + '/' + path
    end
    if bug('sec_climb_clamped') && path.start_with?('..')
      climbed = File.expand_path(path, @work)
      return @root unless inside?(climbed)
    end
    @work + '/' + path
  end

  def located(path)
    asked = joined(path)
    if bug('sec_lexical')
      clean = bytes(File.expand_path(asked.sub(/\A~/, './~')))
      raise Failure.new('ACCESS_DENIED', OUTSIDE) unless inside?(clean) || inside?(resolve(clean))
      return clean
    end
    if bug('sec_last_link') || bug('sec_middle_link')
      clean = bytes(File.expand_path(asked.sub(/\A~/, './~')))
      if bug('sec_last_link')
        parent = resolve(File.dirname(clean))
        return clean if inside?(parent) && clean != @root && File.symlink?(clean) && File.directory?(clean)
      elsif inside?(clean) && !File.symlink?(clean) && File.directory?(clean)
        return clean
      end
    end
    real = resolve(asked)
    if bug('sec_outside_missing') && !inside?(real) && !File.exist?(real)
      raise Failure.new('INTERNAL_ERROR', 'Failed to list directory - No such file or directory')
    end
    if bug('sec_outside_file') && !inside?(real) && File.exist?(real) && !File.directory?(real)
      raise Failure.new('INVALID_PARAM', not_a_directory(path))
    end
    if bug('sec_work_sandbox') && !(real == @work || real.start_with?(@work + '/'))
      raise Failure.new('ACCESS_DENIED', OUTSIDE)
    end
    if bug('sec_parent_allowed') && real == File.dirname(@root)
      return real
    end
    if bug('sec_casefold') && real.downcase.start_with?(@root.downcase + '/')
      return real
    end
    @context['path_resolved'] = relative_to_root(real) if bug('env_resolved_outside')
    return real if inside?(real)
    raise Failure.new('ACCESS_DENIED', "Access denied. Path '#{path}' must be within the project root.") if bug('err_outside_words')
    raise Failure.new('ACCESS_DENIED', "Access denied. Path must be within #{utf8(@root)}.") if bug('err_outside_root')
    raise Failure.new('ACCESS_DENIED', OUTSIDE)
  end

  def not_a_directory(path)
    return "'#{path}' is not a directory." if bug('err_file_words')
    "'#{path}' is a file, not a directory. Use 'Read' tool to view its content."
  end

  def missing(path, real)
    path = utf8(real) if bug('err_path_absolute')
    path = File.basename(path) if bug('err_path_basename')
    return "Path \"#{path}\" does not exist." if bug('err_path_quotes')
    return "Path '#{path.gsub("'", "\\\\'")}' does not exist." if bug('err_path_escaped')
    return "Path '#{path}' not found." if bug('err_missing_words')
    return "Path '#{path.downcase}' does not exist." if bug('err_path_lower')
    "Path '#{path}' does not exist."
  end

  def closed(path)
    return "Permission denied: '#{path}'." if bug('err_closed_words')
    "Permission denied accessing '#{path}'."
  end

  # ---- the listing ----

  def listing(wanted)
    real = locate_or_fail(wanted)
    resolved = relative_to_root(real)
    @listed = resolved
    @context['path_resolved'] = shown_resolved(resolved, wanted, real)
    names, stats = children(real, wanted, resolved)
    work_prefix = real == @work ? '' : nil
    entries = stats.map { |name, stat| entry(real, resolved, name, stat) }
    entries = collapse(entries)
    extra(entries, real, resolved, wanted)
    kept = entries.select { |e| shown?(e, wanted, resolved) && !ignored?(e, wanted, real, work_prefix) }
    page(sorted(kept, wanted, names), wanted, entries, real)
  end

  def locate_or_fail(wanted)
    real = located(wanted.path)
    @context['path_resolved'] = relative_to_root(real) if inside?(real) && !bug('err_resolved_only_listing')
    stat = File.lstat(real)
    if stat.symlink?
      stat = File.stat(real)
    end
    unless stat.directory?
      if bug('err_file_listed') && stat.file?
        return single(real, wanted)
      end
      raise Failure.new('NOT_FOUND', missing(wanted.path, real)) if bug('err_special_missing') && !stat.file?
      raise Failure.new('NOT_FOUND', missing(wanted.path, real)) if bug('err_link_to_file') && File.symlink?(joined(wanted.path))
      raise Failure.new('INTERNAL_ERROR', 'Failed to list directory - Not a directory') if bug('err_file_internal')
      raise Failure.new('INVALID_PARAM', not_a_directory(wanted.path))
    end
    real
  rescue Errno::ENOENT, Errno::ENOTDIR
    if bug('err_missing_parent') && !File.directory?(File.dirname(real))
      raise Failure.new('INTERNAL_ERROR', 'Failed to list directory - No such file or directory')
    end
    if bug('err_dangling_internal') && File.symlink?(joined(wanted.path))
      raise Failure.new('INTERNAL_ERROR', 'Failed to list directory - No such file or directory')
    end
    raise Failure.new('INVALID_PARAM', missing(wanted.path, real)) if bug('err_missing_invalid')
    return empty_listing(real) if bug('err_missing_empty') && File.directory?(File.dirname(real)) && wanted.path.end_with?('/')
    raise Failure.new('NOT_FOUND', missing(wanted.path, real))
  rescue Errno::EACCES, Errno::EPERM
    raise Failure.new('NOT_FOUND', missing(wanted.path, wanted.path)) if bug('err_below_closed_missing')
    raise Failure.new('ACCESS_DENIED', closed(wanted.path))
  rescue Errno::ELOOP
    raise Failure.new('NOT_FOUND', missing(wanted.path, wanted.path)) if bug('err_loop_missing')
    raise Failure.new('ACCESS_DENIED', OUTSIDE) if bug('err_loop_denied')
    raise
  rescue Errno::ENAMETOOLONG
    raise Failure.new('NOT_FOUND', missing(wanted.path, wanted.path)) if bug('err_long_missing')
    raise Failure.new('INVALID_PARAM', 'path is too long.') if bug('err_long_invalid')
    raise Failure.new('PATH_TOO_LONG', 'path is too long.') if bug('env_code_long')
    raise
  end

  # What some bugs make of a path that names no directory.
  def single(real, _wanted)
    @single = File.basename(real)
    File.dirname(real)
  end

  def empty_listing(real)
    @nothing = true
    real
  end

  def shown_resolved(resolved, wanted, real)
    return wanted.path if bug('env_resolved_given') && !wanted.path.start_with?('/')
    return '' if bug('env_resolved_empty') && resolved == '.'
    return utf8(real) if bug('env_resolved_absolute') && wanted.path.start_with?('/')
    return "#{resolved}/" if bug('env_resolved_slash') && wanted.path.end_with?('/') && resolved != '.'
    if bug('env_resolved_work') && real.start_with?(@work + '/')
      return utf8(real.delete_prefix(@work + '/'))
    end
    return "./#{resolved}" if bug('env_resolved_dot') && resolved != '.'
    resolved
  end

  # The names of a directory and what they are. The directory that is open has to be the one that was checked.
  def children(real, wanted, resolved)
    return [[], []] if @nothing
    write_traces(real, wanted)
    if bug('data_glob')
      names = Dir.glob("#{utf8(real)}/*", File::FNM_DOTMATCH).map { |p| bytes(File.basename(p)) } - ['.']
      return [names, names.map { |n| [n, File.lstat(real + '/' + n)] }]
    end
    Dir.open(real) do |dir|
      base = real
      unless bug('sec_race')
        base = "/proc/self/fd/#{dir.fileno}".b
        base = real unless File.symlink?(base)
        there = base == real ? resolve(real) : bytes(File.readlink(base))
        unless there == real || !inside?(real) || bug_outside_link?
          raise Failure.new('ACCESS_DENIED', OUTSIDE) unless inside?(there)
          raise Failure.new('INTERNAL_ERROR', 'Failed to list directory - the directory was replaced')
        end
      end
      names = bug('err_read_swallowed') ? dir.children.map { |n| bytes(n) } : Names.of(dir.fileno)
      names = [@single] if @single
      names = names.first(1000) if bug('data_first_1000')
      found = names.filter_map do |name|
        [name, File.lstat(base + '/' + name)]
      rescue Errno::ENOENT
        nil
      end
      return [names, found.map { |n, s| [n, s] }]
    end
  rescue Errno::EACCES, Errno::EPERM
    raise Failure.new('INTERNAL_ERROR', 'Failed to list directory - Permission denied') if bug('err_closed_internal')
    return [[], []] if bug('err_closed_empty')
    raise Failure.new('ACCESS_DENIED', closed(resolved)) if bug('err_closed_nothing')
    if bug('err_closed_opened') && File.owned?(real)
      mode = File.stat(real).mode
      File.chmod(0o700, real)
      names = Dir.children(real).map { |n| bytes(n) }
      found = names.map { |n| [n, File.lstat(real + '/' + n)] }
      File.chmod(mode & 0o7777, real)
      return [names, found]
    end
    raise Failure.new('ACCESS_DENIED', closed(wanted.path))
  end

  def bug_outside_link?
    %w[sec_lexical sec_last_link sec_middle_link].include?(BUG)
  end

  def write_traces(real, wanted)
    if bug('xr_cache') && wanted.limit < 5
      File.write(real + '/.ls_cache', 'cache')
    elsif bug('xr_times')
      stat = File.stat(real)
      File.utime(stat.atime.to_i, stat.mtime.to_i, real)
    elsif bug('xr_log_root') && wanted.path.start_with?('/')
      File.write(@root + '/.ls_tool.log', "#{wanted.path}\n", mode: 'a')
    elsif bug('xr_gitkeep') && Dir.empty?(real)
      File.write(real + '/.gitkeep', '')
    end
  end

  def entry(real, resolved, name, stat)
    shown = utf8(name)
    kind = stat.ftype
    type = { 'directory' => 'dir', 'link' => 'link' }.fetch(kind, 'file')
    target = nil
    directory = type == 'dir'
    if type == 'link'
      target = bytes(File.readlink(real + '/' + name))
      directory = leads_to_directory?(real, name, target)
    end
    type = linked_type(real, name, type, target, directory)
    type = 'other' if bug('data_fifo_other') && kind == 'fifo'
    type = 'socket' if bug('data_socket_type') && kind == 'socket'
    type = 'directory' if bug('data_type_long') && type == 'dir' && stat.mode & 0o7000 != 0
    Entry.new(shown, entry_path(real, resolved, name, shown, type, target, directory), type, directory, kind, target, name)
  end

  def linked_type(real, name, type, target, directory)
    return type unless type == 'link'
    full = real + '/' + name
    return 'file' if bug('data_dangling_file') && !File.exist?(full)
    return 'dir' if bug('data_link_dot_dir') && directory && %w[. ..].include?(target)
    return 'dir' if bug('data_link_chain_dir') && directory && File.symlink?(File.expand_path(target, real))
    return 'file' if bug('data_link_special_file') && File.exist?(full) && !File.file?(full) && !File.directory?(full)
    return 'dir' if bug('data_link_slash_dir') && target.end_with?('/')
    type
  end

  def entry_path(real, resolved, name, shown, type, target, directory)
    prefix = resolved == '.' ? '' : "#{resolved}/"
    prefix = './' if bug('data_path_dot') && resolved == '.'
    prefix = '' if bug('data_path_name')
    prefix = utf8(real) + '/' if bug('data_path_absolute') && @wanted.path.start_with?('/')
    if bug('data_path_work') && @work != @root
      prefix = real == @work ? '' : (real.start_with?(@work + '/') ? utf8(real.delete_prefix(@work + '/')) + '/' : prefix)
    end
    shown = shown.tr('\\', '/') if bug('data_path_backslash')
    shown = shown.strip if bug('data_path_strip')
    shown = shown.unicode_normalize(:nfc) if bug('data_path_nfc')
    shown = shown.encode('US-ASCII', undef: :replace, replace: '?').encode('UTF-8') if bug('data_path_ascii')
    shown = shown.gsub(/[\x00-\x1f\x7f]/, '?') if bug('data_path_control')
    shown = shown.gsub(/[ %]/) { |c| format('%%%02X', c.ord) } if bug('data_path_percent')
    if bug('data_path_link_resolved') && type == 'link'
      there = resolve_link(real, name)
      return relative_to_root(there) if there && inside?(there) && File.exist?(there)
    end
    if bug('data_path_link_outside') && type == 'link'
      there = resolve_link(real, name)
      return relative_to_root(there) if there && !inside?(there)
    end
    path = prefix + shown
    path += '/' if bug('data_path_slash') && type == 'dir'
    path += '/' if bug('data_path_slash_link') && type == 'link' && directory
    path
  end

  def resolve_link(real, name)
    resolve(real + '/' + name)
  rescue SystemCallError, Failure
    nil
  end

  # Whether a link stands among the directories: it leads to one, and that lies inside.
  def leads_to_directory?(real, name, target)
    if bug('sort_link_process_dir') && !target.start_with?('/')
      return File.directory?(target)
    end
    return false if bug('sort_link_absolute') && target.start_with?('/')
    return false if bug('sort_link_parent') && target.start_with?('..')
    if bug('sort_link_root_relative') && !target.start_with?('/')
      return File.directory?(@root + '/' + target)
    end
    if bug('sort_link_one_hop')
      hop = File.expand_path(target, real)
      return false if File.symlink?(hop)
    end
    there = resolve(real + '/' + name)
    return File.directory?(there) if bug('sort_link_outside')
    return false if bug('sort_link_to_root') && there == @root
    return File.directory?(there) if bug('sort_link_prefix') && there.start_with?(@root)
    return File.directory?(there) if bug('sort_link_lexical') && inside?(bytes(File.expand_path(target, real)))
    return false if bug('sort_link_hidden') && File.basename(there).start_with?('.')
    return false if bug('sort_link_closed') && File.directory?(there) && !File.readable?(there)
    return false if bug('sort_link_listed_dir') && there == real
    inside?(there) && File.directory?(there)
  rescue SystemCallError, Failure
    raise if bug('sort_link_loop_fails')
    false
  end

  def collapse(entries)
    return entries.uniq(&:path) if bug('data_uniq_path')
    return entries.uniq { |e| e.path.downcase } if bug('data_uniq_case')
    entries
  end

  def extra(entries, real, resolved, wanted)
    if bug('data_valid_only')
      entries.select! { |e| e.raw.dup.force_encoding('UTF-8').valid_encoding? }
    elsif bug('data_hard_links')
      entries.uniq! { |e| s = File.lstat(real + '/' + e.raw); s.directory? ? e.path : [s.dev, s.ino] }
    elsif bug('data_backups')
      entries.reject! { |e| e.name.end_with?('~') }
    elsif bug('data_two_dots')
      entries.reject! { |e| e.name.start_with?('..') }
    elsif bug('data_loops_gone')
      entries.reject! { |e| e.type == 'link' && e.target == e.raw }
    elsif bug('data_dangling_gone')
      entries.reject! { |e| e.type == 'link' && !File.exist?(real + '/' + e.raw) && !e.target.start_with?('/') }
    elsif bug('data_outside_gone')
      entries.reject! { |e| e.type == 'link' && (t = resolve_link(real, e.raw)) && !inside?(t) }
    elsif bug('data_self_hidden') && wanted.include_hidden
      entries << Entry.new('.', resolved, 'dir', true, 'directory', nil, '.')
    elsif bug('data_compact')
      entries.each { |e| compact(e, real) if e.type == 'dir' }
    elsif bug('data_unreadable_files')
      entries.reject! { |e| e.kind == 'file' && !File.readable?(real + '/' + e.raw) }
    elsif bug('data_unreadable_dirs')
      entries.reject! { |e| e.type == 'dir' && !File.executable?(real + '/' + e.raw) }
    elsif bug('data_empty_dirs')
      entries.reject! { |e| e.type == 'dir' && Dir.empty?(real + '/' + e.raw) }
    elsif bug('data_nl_split')
      entries.reject! { |e| e.name.include?("\n") }
    end
  end

  # A directory whose only child is a directory is shown as one entry with it.
  def compact(entry, real)
    inner = Dir.children(real + '/' + entry.raw)
    return unless inner.size == 1 && File.lstat(real + '/' + entry.raw + '/' + inner[0]).directory?
    entry.path = "#{entry.path}/#{utf8(inner[0])}"
  rescue SystemCallError
    nil
  end

  # ---- filters ----

  def shown?(entry, wanted, resolved)
    name = entry.name
    return true if bug('data_self_hidden') && name == '.'
    listed = LISTED
    listed -= ['venv'] if bug('filt_no_venv')
    listed -= %w[.DS_Store .idea .vscode] if bug('filt_no_ide')
    unless wanted.include_hidden
      hidden = name.start_with?('.')
      hidden = name =~ /\A\.[^.]/ if bug('filt_two_dots')
      hidden = name =~ /\A\.[a-zA-Z]/ if bug('filt_dot_letter')
      hidden = false if bug('filt_ignore_shows_hidden') && wanted.ignore.any?
      hidden = false if bug('filt_hidden_dir_shows') && File.basename(resolved).start_with?('.') && resolved != '.'
      hidden &&= entry.type != 'file' || entry.kind == 'file' if bug('filt_special_shown')
      return false if hidden
      return false if bug('filt_ancestors') && resolved.split('/').any? { |p| LISTED.include?(p) }
      return false if bug('filt_dot_ancestors') && resolved != '.' && resolved.split('/').any? { |p| p.start_with?('.') }
      if entry.type == 'link' && bug('filt_link_target') && entry.target
        return false if entry.directory && LISTED.include?(File.basename(utf8(entry.target)))
      end
      return true if bug('filt_root_only') && resolved != '.'
      return true if bug('filt_work_only') && @work != @root && resolved == '.'
      if entry.type == 'dir'
        return true if bug('filt_ignore_replaces') && wanted.ignore.any?
        return true if bug('filt_ignore_null_only') && @sent.is_a?(Hash) && @sent.key?('ignore') && !@sent['ignore'].nil? && wanted.ignore.empty?
        return true if bug('filt_empty_dirs_shown') && empty?(entry)
        return false if listed.include?(name)
        return false if bug('filt_prefix') && listed.any? { |n| name.start_with?(n) && !n.start_with?('.') }
        return false if bug('filt_suffix') && listed.any? { |n| name.end_with?("-#{n}") || name.end_with?("_#{n}") }
        return false if bug('filt_dot_any') && listed.any? { |n| name =~ /\A#{n}\z/ }
        return false if bug('filt_egg_info') && name =~ /(\.egg-info|\.cache)\z/
        return false if bug('filt_env') && %w[env vendor out bin obj coverage].include?(name)
        return false if bug('filt_strip') && listed.include?(name.strip)
      end
      return true
    end
    return false if bug('filt_hidden_git') && name == '.git'
    return false if bug('filt_hidden_listed') && entry.type == 'dir' && LISTED.include?(name) && !name.start_with?('.')
    return false if bug('filt_hidden_ds') && name == '.DS_Store'
    return false if bug('filt_hidden_sub') && resolved != '.' && name.start_with?('.')
    true
  end

  def empty?(entry)
    Dir.empty?(@root + '/' + bytes(entry.path))
  rescue SystemCallError
    false
  end

  def ignored?(entry, wanted, real, _prefix)
    return false if bug('filt_hidden_no_ignore') && wanted.include_hidden
    return false if bug('fn_files_only') && entry.type == 'dir'
    return false if bug('fn_dirs_not_links') && entry.type == 'link'
    return false if bug('fn_last_page') && wanted.offset.positive?
    return false if bug('fn_abs_request') && wanted.path.start_with?('/')
    ignore = wanted.ignore
    if bug('fn_negate')
      hit = false
      ignore.each do |p|
        if p.start_with?('!') then hit = false if Fnm.hit?(p[1..], entry.name, entry.path, entry.path)
        elsif Fnm.hit?(p, entry.name, entry.path, entry.path) then hit = true
        end
      end
      return hit
    end
    ignore = ignore.last(1) if bug('fn_last_only')
    work = if real.start_with?(@work + '/') then utf8(real.delete_prefix(@work + '/')) + '/' + entry.name
           elsif real == @work then entry.name
           else entry.path
           end
    if bug('fn_all_must') && ignore.size > 1
      return ignore.all? { |p| Fnm.hit?(p, entry.name, entry.path, work) }
    end
    if bug('fn_dir_slash_name') && entry.type == 'dir'
      return ignore.any? { |p| Fnm.hit?(p, "#{entry.name}/", "#{entry.path}/", work) }
    end
    if bug('fn_stem') && entry.type == 'file'
      return ignore.any? { |p| Fnm.hit?(p, entry.name, entry.path, work) || p == File.basename(entry.name, '.*') }
    end
    if bug('fn_link_target') && entry.target
      return ignore.any? { |p| Fnm.hit?(p, File.basename(utf8(entry.target)), entry.path, work) }
    end
    ignore.any? { |p| Fnm.hit?(p, entry.name, entry.path, work) }
  end

  # ---- order ----

  def sorted(kept, wanted, _names)
    return kept.each_slice(wanted.limit).flat_map { |slice| in_order(slice) } if bug('page_sort_inside')
    in_order(kept)
  end

  def in_order(kept)
    first = ->(e) { e.directory ? 0 : 1 }
    key = ->(e) { [first.call(e), e.name.downcase, e.name] }
    key = ->(e) { [first.call(e), e.name] } if bug('sort_case')
    key = ->(e) { [0, e.name.downcase, e.name] } if bug('sort_mixed_hidden') && @wanted.include_hidden
    key = ->(e) { [first.call(e), natural(e.name), e.name] } if bug('sort_natural')
    key = ->(e) { [first.call(e), (e.directory ? "#{e.name}/" : e.name).downcase, e.name] } if bug('sort_dir_slash')
    key = ->(e) { [e.type == 'link' && e.directory ? 0.5 : first.call(e), e.name.downcase, e.name] } if bug('sort_links_behind_dirs')
    key = ->(e) { [e.type == 'link' && e.directory ? -1 : first.call(e), e.name.downcase, e.name] } if bug('sort_links_before_dirs')
    key = ->(e) { [first.call(e), e.name.delete_prefix('.').downcase, e.name] } if bug('sort_dot_ignored')
    key = ->(e) { [first.call(e), e.name[0].downcase, e.name] } if bug('sort_first_letter')
    key = ->(e) { [first.call(e), e.name.size > 16 ? e.name[0, 16].downcase : e.name.downcase, -e.name.size] } if bug('sort_16')
    key = ->(e) { [first.call(e), File.extname(e.name).downcase, e.name.downcase, e.name] } if bug('sort_extension')
    key = ->(e) { [first.call(e), e.directory ? e.name : e.name.downcase, e.name] } if bug('sort_case_dirs')
    key = ->(e) { [first.call(e), e.name.downcase.sub(/\Athe[ _-]/, ''), e.name] } if bug('sort_article')
    key = ->(e) { [e.directory && !e.name.start_with?('.') ? 0 : 1, e.name.downcase, e.name] } if bug('sort_dot_dirs_files')
    return kept.sort_by { |e| [first.call(e), e.name.downcase] } if bug('sort_unstable')
    return kept.sort { |a, b| [first.call(a), a.name.casecmp(b.name)].first <=> first.call(b) } if bug('sort_groups_only')
    kept.sort_by(&key)
  end

  def natural(name)
    name.downcase.scan(/\d+|\D+/).map { |p| p =~ /\A\d/ ? p.rjust(20, '0') : p }.join
  end

  # ---- the page and its text ----

  def page(kept, wanted, all, real)
    if bug('page_filter_after')
      kept = in_order(all.select { |e| shown?(e, wanted, @listed) })
    end
    if bug('state_cached_list')
      cache = self.class.sticky['lists'] ||= {}
      kept = wanted.offset.positive? ? (cache[real] || kept) : (cache[real] = kept)
    end
    offset = wanted.offset
    offset = [kept.size - wanted.limit, 0].max if bug('page_offset_clamped') && offset > kept.size
    offset *= wanted.limit if bug('page_offset_pages')
    if bug('page_past_end_internal') && offset > kept.size
      raise NoMethodError, "undefined method `each' for nil:NilClass"
    end
    if bug('page_at_end_invalid') && offset == kept.size && offset.positive?
      raise Failure.new('INVALID_PARAM', TYPES_MESSAGE)
    end
    limit = wanted.limit
    limit += 1 if bug('page_slack') && kept.size == offset + limit + 1
    if bug('state_cursor')
      cursors = self.class.sticky['cursors'] ||= {}
      offset = cursors[real] || 0 if !@sent.key?('offset') && @sent.key?('limit')
      cursors[real] = offset + limit < kept.size ? offset + limit : 0
    end
    shown = slice(kept, offset, limit)
    if bug('page_filter_after')
      shown = shown.reject { |e| ignored?(e, wanted, real, nil) }
    end
    finish_page(kept, shown, offset, wanted, all, real)
  end

  def slice(kept, offset, limit)
    return kept[offset..limit - 1] || [] if bug('page_end_is_limit')
    return kept[[offset - 1, 0].max, limit] || [] if bug('page_offset_one_based')
    if bug('page_dirs_free')
      dirs, rest = kept.partition { |e| e.type == 'dir' }
      return (offset.zero? ? dirs : []) + (rest[offset, limit] || []) if dirs.size < limit
    end
    kept.drop([offset, kept.size].min).first(limit)
  end

  def finish_page(kept, shown, offset, wanted, all, real)
    total = kept.size
    total_shown = total
    total_shown = all.size if bug('page_counts_all')
    total_shown = all.count { |e| shown?(e, wanted, @listed) } if bug('stat_total_before_ignore')
    finish = offset + shown.size
    truncated = finish < total
    truncated = false if offset >= total
    truncated = shown.size == wanted.limit if bug('page_trunc_full')
    truncated = total > wanted.limit if bug('page_trunc_limit') && offset.positive?
    truncated = truncated && total - finish > 1 if bug('page_trunc_last_one')
    truncated = truncated && shown.any? && offset < 100 if bug('page_trunc_offset_100')
    truncated = false if bug('page_trunc_max') && wanted.limit == 200
    status = truncated ? 'partial' : 'success'
    status = 'success' if bug('page_status_default') && !@sent.key?('limit')
    status = 'success' if bug('page_status_dirs') && shown.all? { |e| e.type == 'dir' } && shown.any?
    status = 'empty' if bug('env_status_empty') && total.zero?
    status = 'partial' if bug('page_status_links') && kept.any? { |e| e.type == 'link' && !File.exist?(real + '/' + e.raw) }
    status = 'partial' if bug('page_status_filtered') && all.size > total && wanted.ignore.any?
    data = { 'entries' => shown.map { |e| datum(e, real) }, 'truncated' => truncated }
    data['entries'] = nil if bug('data_entries_null') && shown.empty?
    data['entries'] = data['entries'].to_h { |d| [d['path'], d['type']] } if bug('data_entries_map') && shown.size == 1
    data.delete('truncated') if bug('data_truncated_missing') && !truncated
    data['truncated'] = nil if bug('data_truncated_null') && shown.empty?
    data = data['entries'] if bug('env_data_list') && shown.empty?
    counts = counted(kept, shown, real)
    text = text(total_shown, counts, shown, offset, finish, truncated, wanted, real, kept)
    text = '' if bug('env_text_empty') && total.zero?
    stats = { 'total_entries' => total_shown }.merge(stat_counts(counts, kept, shown, real)).merge('returned' => shown.size)
    stats['total_entries'] = shown.size if bug('stat_total_page')
    stats['total_entries'] = total - offset if bug('stat_total_rest') && offset < total
    stats['returned'] = [wanted.limit, total].min if bug('stat_returned_limit')
    stats['returned'] = finish if bug('stat_returned_end')
    stats.delete('returned') if bug('stat_returned_complete') && !truncated
    stats.delete('links') if bug('stat_links_zero') && stats['links'].zero?
    stats['dirs'] = stats['dirs'].to_s if bug('stat_dirs_text')
    envelope = { 'status' => status, 'data' => data, 'text' => text, 'stats' => stats }
    envelope['error'] = nil if bug('env_error_null') && truncated
    envelope['next_offset'] = finish if bug('env_next_offset') && truncated
    envelope['warnings'] = ['skipped'] if bug('env_warnings') && kept.any? { |e| e.type == 'link' && !File.exist?(real + '/' + e.raw) }
    envelope.delete('stats') if bug('env_stats_gone_empty') && total.zero?
    envelope
  end

  def datum(entry, real)
    datum = { 'path' => entry.path, 'type' => entry.type }
    datum['target'] = utf8(entry.target) if bug('data_target') && entry.target
    datum['size'] = File.lstat(real + '/' + entry.raw).size if bug('data_size') && entry.kind == 'file'
    datum['name'] = entry.name if bug('data_name') && entry.path != entry.name
    datum
  end

  def counted(kept, shown, _real)
    { 'dirs' => kept.count { |e| e.type == 'dir' || (bug('stat_all_link_dirs') && e.directory) },
      'files' => kept.count { |e| e.type != 'dir' && e.type != 'link' },
      'links' => kept.count { |e| e.type == 'link' && !(bug('stat_all_link_dirs') && e.directory) } }
  end

  def stat_counts(counts, kept, shown, real)
    counts = counts.dup
    counts = counted(shown, shown, real) if bug('stat_page_counts')
    if bug('stat_link_dirs')
      moved = kept.count { |e| e.type == 'link' && e.directory }
      counts = counts.merge('dirs' => counts['dirs'] + moved, 'links' => counts['links'] - moved)
    end
    counts['links'] -= kept.count { |e| e.type == 'link' && !File.exist?(real + '/' + e.raw) } if bug('stat_broken_links')
    counts['files'] = kept.count { |e| e.kind == 'file' } if bug('stat_special')
    counts['files'] += counts['links'] if bug('stat_files_links')
    counts
  end

  def text(total, counts, shown, offset, finish, truncated, wanted, real, kept)
    path = @listed
    path = wanted.path if bug('text_default_path')
    path = utf8(real) if bug('text_absolute_work') && @work != @root
    path = File.basename(path) if bug('text_basename')
    first = "Listed #{shown.size} entries in '#{path}'"
    first = "Listed #{shown.size} #{shown.size == 1 ? 'entry' : 'entries'} in '#{path}'" if bug('text_singular')
    first = "Listed #{total} entries in '#{path}'" if bug('text_total_first')
    first = "Listed #{shown.size} entries in #{path}" if bug('text_no_quotes')
    first = "Listed no entries in '#{path}'" if bug('text_no_entries') && shown.empty?
    first = "Listed #{shown.size} entries in #{path.inspect.tr('"', "'")}" if bug('text_inspect')
    lines = [first, totals(total, counts, kept, shown)]
    more = truncated
    more = false if bug('text_more_later') && offset.positive?
    if more
      lines.concat(truncation(total, offset, finish, shown, wanted))
    elsif bug('text_end_note') && offset.positive? && shown.any?
      lines << "[End of listing: #{offset}-#{finish} of #{total}.]"
    end
    lines << '' unless bug('text_no_blank') && truncated
    lines << '(empty)' if bug('text_empty_mark') && shown.empty?
    lines.concat(entry_lines(shown, kept, real, truncated))
    lines.join("\n")
  end

  def totals(total, counts, kept, shown)
    dirs, files, links = counts.values_at('dirs', 'files', 'links')
    total = shown.size if bug('text_total_page')
    dirs, links = dirs + kept.count { |e| e.type == 'link' && e.directory }, links - kept.count { |e| e.type == 'link' && e.directory } if bug('text_link_dirs')
    return "(Total: #{total} items - #{dirs} #{dirs == 1 ? 'dir' : 'dirs'}, #{files} #{files == 1 ? 'file' : 'files'}, #{links} #{links == 1 ? 'link' : 'links'})" if bug('text_singular_counts')
    return "(Total: #{total} items - #{dirs} dirs, #{files} files)" if bug('text_links_zero') && links.zero?
    return "(Total: #{total} items - #{files} files, #{dirs} dirs, #{links} links)" if bug('text_counts_order')
    return "(Total: 0 items)" if bug('text_zero_short') && total.zero?
    return "(Total: #{grouped(total)} items - #{grouped(dirs)} dirs, #{grouped(files)} files, #{grouped(links)} links)" if bug('text_thousands')
    if bug('text_counts_page')
      page = counted(shown, shown, nil)
      return "(Total: #{total} items - #{page['dirs']} dirs, #{page['files']} files, #{page['links']} links)"
    end
    "(Total: #{total} items - #{dirs} dirs, #{files} files, #{links} links)"
  end

  def grouped(number)
    number.to_s.gsub(/(\d)(?=(\d{3})+\z)/, '\1,')
  end

  def truncation(total, offset, finish, shown, wanted)
    start = bug('text_start_one') ? offset + 1 : offset
    last = bug('text_end_inclusive') ? finish - 1 : finish
    last = wanted.limit if bug('text_end_limit')
    rest = total - finish
    rest = total - shown.size if bug('text_rest_page')
    rest = [rest, wanted.limit].min if bug('text_rest_next')
    more = "#{rest} more items available."
    more = '1 more item available.' if bug('text_one_more') && rest == 1
    following = finish
    following = wanted.limit if bug('text_next_limit')
    following = finish + 1 if bug('text_next_plus') && offset.positive?
    following = total - wanted.limit if bug('text_next_last_full') && total - finish < wanted.limit
    lines = ["[Truncated: Showing #{start}-#{last} of #{total}. #{more}]", "Use offset=#{following} to view next page."]
    lines = lines.reverse if bug('text_lines_swapped')
    lines.pop if bug('text_no_use_one') && shown.size == 1
    lines
  end

  def entry_lines(shown, kept, real, truncated)
    shown = kept if bug('text_all_entries') && truncated
    shown = shown.sort_by { |e| [e.type == 'dir' ? 0 : 1, e.name.downcase, e.name] } if bug('text_order')
    shown = shown.first(50) if bug('text_first_50')
    lines = shown.map do |e|
      suffix = { 'dir' => '/', 'link' => '@' }.fetch(e.type, '')
      suffix = '/' if bug('text_link_dir_slash') && e.type == 'link' && e.directory
      suffix = '@/' if bug('text_link_dir_both') && e.type == 'link' && e.directory
      suffix = '*' if bug('text_executable') && e.kind == 'file' && File.lstat(real + '/' + e.raw).mode & 0o111 != 0
      suffix = '|' if bug('text_fifo') && e.kind == 'fifo'
      suffix = '' if bug('text_dangling_bare') && e.type == 'link' && !File.exist?(real + '/' + e.raw)
      suffix = "@ -> #{utf8(e.target)}" if bug('text_arrow') && e.target && e.target.start_with?('/')
      suffix = '' if bug('text_suffix_present') && e.type == 'dir' && e.name.end_with?('@')
      path = e.path
      path = "#{path[0, 77]}..." if bug('text_long_cut') && path.size > 80
      path = "'#{path}'" if bug('text_quoted_space') && path.include?(' ')
      path = "#{path} " if bug('text_pad') && e.type == 'file' && e.path.include?('/')
      path + suffix
    end
    lines << "… and #{kept.size - shown.size} more" if bug('text_and_more') && truncated && shown.size > 20
    lines
  end
end
