# frozen_string_literal: true

require_relative "bug"

# The locale's encoding, before anything changes it.
LOCALE = Encoding.find("locale")

# Conversion of names, and what is told about one entry.
module Names
  module_function

  # One U+FFFD for each maximal part that is not UTF-8.
  def lossy(raw)
    text = raw.dup.force_encoding(Encoding::UTF_8)
    case BUG
    when "locale_conversion"
      return raw.bytes.map { |byte| byte < 128 ? byte.chr : "\uFFFD" }.join if LOCALE == Encoding::US_ASCII
    when "name_controls_removed"
      text = text.scrub("\uFFFD").gsub(/[\x00-\x1f\x7f]/, "")
    when "name_nfc"
      text = text.scrub("\uFFFD").unicode_normalize(:nfc)
    when "lossy_latin1"
      text = raw.dup.force_encoding(Encoding::ISO_8859_1).encode(Encoding::UTF_8) unless text.valid_encoding?
    when "lossy_overlong"
      text = raw.gsub("\xC0\x80".b, "\0".b).force_encoding(Encoding::UTF_8)
    when "lossy_surrogates"
      text = raw.gsub(/\xED[\xA0-\xBF][\x80-\xBF]/n) do |three|
        code = 0xD000 | ((three.getbyte(1) & 0x3F) << 6) | (three.getbyte(2) & 0x3F)
        "\u{F0000}".b + format("%04x", code).b
      end.force_encoding(Encoding::UTF_8)
    end
    text.scrub("\uFFFD")
  end

  def hidden?(raw, name)
    return name.match?(/^\./) if bug?("hidden_any_line")
    return raw.match?(/\A\.(?!\.)/n) if bug?("hidden_two_dots")
    return true if bug?("hidden_backup") && raw.end_with?("~".b)

    raw.start_with?(".".b)
  end

  def utf16(text)
    text.encode(Encoding::UTF_16BE).b
  end
end

# One entry of the document.
class Entry
  MEMBERS = %i[name path depth type size_bytes modified_epoch_ms is_hidden error_code error].freeze
  GONE = ["metadata_unavailable", "metadata is not available"].freeze
  DENIED = ["permission_denied", "permission denied"].freeze
  CAUSES = { Errno::EACCES => DENIED, Errno::EPERM => DENIED, Errno::EIO => ["io_error", "input/output error"],
             Errno::ENOENT => GONE, Errno::ENOTDIR => GONE, Errno::ELOOP => GONE, Errno::ENAMETOOLONG => GONE }.freeze

  attr_accessor(*MEMBERS, :raw, :stat, :place)

  def initialize(place, name, path, depth, hidden)
    @place = place
    @name = name
    @path = path
    @depth = depth
    @is_hidden = hidden
    @type = "unknown"
  end

  # Look at the entry itself, not at what it points to.
  def look(walk)
    place = bug?("lossy_stat") ? File.join(File.dirname(@place), @name).b : @place
    @stat = File.lstat(place)
    @stat = walk.previous = stat_for(walk, place)
    tell
  rescue SystemCallError => e
    if bug?("stat_stale") && walk.previous
      @stat = walk.previous
      return tell
    end
    raise Failure.new("ExecutionFailed", "metadata cannot be read") if bug?("stat_failure_aborts") && @depth > 1

    fail_with(*CAUSES.fetch(e.class, ["unknown", "metadata cannot be read"]))
    @error_code = e.class.name.split("::").last if bug?("stat_failure_code")
    @error = nil if bug?("stat_failure_no_text")
    @size_bytes = 0 if bug?("stat_failure_zero")
    @modified_epoch_ms = 0 if bug?("stat_failure_epoch")
    @is_hidden = false if bug?("stat_failure_hidden")
  end

  def fail_with(code, text)
    @type = "unknown"
    @size_bytes = nil
    @error_code = code
    @error = text
    if bug?("error_translated") && [ENV["LC_ALL"], ENV["LANG"]].compact.any? { |word| word.start_with?("de") }
      @error = code == "permission_denied" ? "Zugriff verweigert" : "Verzeichnis oder Metadaten nicht lesbar"
    end
    return unless bug?("error_numbered")

    KEPT[:errors] = (KEPT[:errors] || 0) + 1
    @error = "#{text} (error #{KEPT[:errors]})"
  end

  def metadata?
    !@stat.nil?
  end

  def to_json_text
    members = MEMBERS
    members = members[0..6] + %i[error error_code] if bug?("keys_unknown_order") && @type == "unknown"
    text = members.map do |member|
      "\"#{member}\":#{spelled(member, public_send(member))}"
    end
    "{#{text.join(',')}}"
  end

  private

  def spelled(member, value)
    case value
    when nil then "null"
    when String then JsonText.quoted(value, { name: :name, path: :below }.fetch(member, :word))
    else value.to_s
    end
  end

  def stat_for(walk, place)
    return @stat unless @stat.symlink?

    if bug?("link_entered_if_off") && !walk.request.kinds["symlink"]
      return File.stat(place) rescue @stat
    end
    if bug?("link_inside_entered") && walk.request.recursive
      target = File.realpath(place).b rescue nil
      return File.stat(place) if target && target.start_with?(walk.root + "/".b) && File.directory?(target)
    end
    @stat
  end

  def tell
    @type = if @stat.file? then "file"
            elsif @stat.directory? then "dir"
            elsif @stat.symlink? then "symlink"
            else "other"
            end
    @size_bytes = @stat.size if @stat.file?
    @modified_epoch_ms = milliseconds(@stat.mtime)
    mistell unless BUG.empty?
  end

  def milliseconds(time)
    time.to_i * 1000 + time.nsec / 1_000_000 # to_i rounds down, also before 1970
  end

  def mistell
    case BUG
    when "socket_is_file"
      @type = "file" if @stat.socket?
    when "dangling_unknown"
      fail_with(*GONE) if @stat.symlink? && !File.exist?(@place)
    when "setuid_other"
      if @stat.file? && (@stat.mode & 0o7000).positive?
        @type = "other"
        @size_bytes = nil
      end
    when "size_empty_null"
      @size_bytes = nil if @stat.zero?
    when "size_32_bits"
      @size_bytes %= 2**32 if @size_bytes
    when "size_blocks"
      @size_bytes = [@size_bytes, @stat.blocks * 512].min if @size_bytes && @stat.blocks
    when "size_double"
      @size_bytes = @size_bytes.to_f.to_i if @size_bytes
    when "size_cached"
      @size_bytes = (KEPT[@place] ||= @size_bytes) if @size_bytes
    when "time_seconds"
      @modified_epoch_ms = @stat.mtime.to_i * 1000 if @stat.directory?
    when "time_before_1970"
      @modified_epoch_ms = @stat.mtime.to_i * 1000 - @stat.mtime.nsec / 1_000_000 if @stat.mtime.to_i.negative?
    when "time_ctime_dirs"
      @modified_epoch_ms = milliseconds(@stat.ctime) if @stat.directory?
    when "time_link_target"
      @modified_epoch_ms = (milliseconds(File.mtime(@place)) rescue @modified_epoch_ms) if @stat.symlink?
    when "time_zone"
      @modified_epoch_ms += @stat.mtime.utc_offset * 1000
    when "time_float"
      @modified_epoch_ms = (@stat.mtime.to_f * 1000).floor
    when "code_none"
      @error_code = "unknown" if @type == "other"
    when "error_on_links"
      @error = "target does not exist" if @stat.symlink? && !File.exist?(@place)
    end
  end
end
