# fnmatch globs, as Python's module of that name has them, plus the zero-level rule of `**/`.
module Fnm
  module_function

  def regexp(pattern)
    out = +''
    chars = pattern.chars
    i = 0
    while i < chars.size
      c = chars[i]
      i += 1
      case c
      when '*'
        out << (bug('fn_newline_star') ? '[^\n]*' : '.*')
      when '?'
        out << (bug('fn_question_optional') ? '.?' : '.')
      when '['
        close = i
        close += 1 if ['!'].include?(chars[close])
        close += 1 if chars[close] == ']' && !bug('fn_bracket_first')
        close += 1 while close < chars.size && chars[close] != ']'
        if close >= chars.size
          return /(?!)/ if bug('fn_unclosed_never')
          raise RegexpError, 'premature end of char-class' if bug('fn_unclosed_error')
          out << '\['
        else
          out << set(chars[i...close])
          i = close + 1
        end
      when '.'
        out << (bug('fn_dot_any') ? '.' : '\.')
      when '+', '(', ')', '|', '^', '$'
        out << (bug('fn_special_raw') ? c : Regexp.escape(c))
      else
        out << Regexp.escape(c)
      end
    end
    flags = Regexp::MULTILINE
    flags |= Regexp::IGNORECASE if bug('fn_casefold')
    return Regexp.new("^(?:#{out})$", flags) if bug('fn_line_anchor')
    return Regexp.new("\\A(?:#{out})", flags) if bug('fn_prefix_match')
    return Regexp.new("(?:#{out})\\z", flags) if bug('fn_suffix_match')
    Regexp.new("\\A(?:#{out})\\z", flags)
  end

  def set(chars)
    negated = chars[0] == '!'
    chars = chars.drop(1) if negated
    negated = false if bug('fn_no_negation')
    parts = []
    i = 0
    while i < chars.size
      if chars[i + 1] == '-' && i + 2 < chars.size && !bug('fn_no_range')
        low, high = chars[i], chars[i + 2]
        raise RegexpError, 'empty range in char class' if low > high && bug('fn_range_error')
        parts << format('\u{%x}-\u{%x}', low.ord, high.ord) if low <= high
        i += 3
      else
        parts << format('\u{%x}', chars[i].ord)
        i += 1
      end
    end
    return negated ? '.' : '(?!)' if parts.empty?
    "[#{'^' if negated}#{parts.join}]"
  end

  def one(pattern, text)
    if bug('fn_dotmatch')
      return false if text.start_with?('.') && !pattern.start_with?('.')
    end
    if bug('fn_escape')
      return File.fnmatch(pattern, text, File::FNM_DOTMATCH)
    end
    if bug('fn_extglob') && pattern.include?('{')
      return File.fnmatch(pattern, text, File::FNM_DOTMATCH | File::FNM_EXTGLOB | File::FNM_NOESCAPE)
    end
    if bug('fn_question_byte')
      return regexp(pattern.b).match?(text.b) if pattern.ascii_only? && !pattern.include?('[')
    end
    regexp(pattern).match?(text)
  end

  # Whether an entry with this name and this path from the root meets a pattern.
  def hit?(pattern, name, path, work_path)
    pattern = pattern.strip if bug('fn_strip')
    return false if bug('fn_comment') && pattern.start_with?('#')
    return true if bug('fn_empty_all') && pattern.empty?
    unless pattern.include?('/') || pattern.include?('\\')
      return one(pattern, bug('fn_name_is_path') ? path : name)
    end
    pattern = pattern.delete_prefix('/') if bug('fn_leading_slash')
    patterns = [pattern, pattern.tr('\\', '/')].uniq
    patterns.dup.each do |given|
      next unless given.start_with?('**/')
      rest = given.delete_prefix('**/')
      rest = given.sub(%r{\A[*/]+}, '') if bug('fn_starstar_lstrip')
      next if bug('fn_starstar_none')
      next if bug('fn_starstar_deep') && rest.include?('/')
      next if bug('fn_starstar_plain') && rest !~ /[*?\[]/
      patterns << rest
    end
    patterns += [patterns.last.split('/').last.to_s] if bug('fn_last_component')
    paths = [path, name]
    paths = [name] if bug('fn_target_only')
    paths = [work_path, name] if bug('fn_work_dir')
    paths = ["./#{path}", name] if bug('fn_dot_slash_path')
    patterns.any? { |each| paths.any? { |text| one(each, text) } } ||
      (bug('fn_slash_prefix') && patterns.any? { |each| path.start_with?(each) })
  end
end
