# frozen_string_literal: true

require "json"
require "strscan"
require_relative "bug"

# A JSON reader that accepts lone surrogates (as text that is not valid UTF-8) and keeps 2.0 a Float, and the one
# spelling of strings that the tool writes.
module JsonText
  SHORT = { '"' => '\\"', "\\" => "\\\\", "\b" => "\\b", "\f" => "\\f", "\n" => "\\n", "\r" => "\\r", "\t" => "\\t" }.freeze
  UNESCAPE = { "b" => "\b", "f" => "\f", "n" => "\n", "r" => "\r", "t" => "\t" }.freeze

  module_function

  def parse(text)
    scanner = StringScanner.new(text)
    value = value(scanner)
    scanner.skip(/[ \t\r\n]*/)
    raise ArgumentError, "not JSON" unless scanner.eos?

    value
  end

  def value(scanner)
    scanner.skip(/[ \t\r\n]*/)
    case scanner.peek(1)
    when "{" then object(scanner)
    when "[" then array(scanner)
    when '"' then string(scanner)
    else
      if scanner.scan(/-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/)
        scanner[1] || scanner[2] ? scanner[0].to_f : scanner[0].to_i
      elsif scanner.scan(/true/) then true
      elsif scanner.scan(/false/) then false
      elsif scanner.scan(/null/) then nil
      else raise ArgumentError, "not JSON"
      end
    end
  end

  def object(scanner)
    scanner.skip(/\{[ \t\r\n]*/)
    members = {}
    return members if scanner.skip(/\}/)

    loop do
      scanner.skip(/[ \t\r\n]*/)
      name = string(scanner)
      scanner.skip(/[ \t\r\n]*:/) or raise ArgumentError, "not JSON"
      members[name] = value(scanner)
      scanner.skip(/[ \t\r\n]*/)
      next if scanner.skip(/,/)

      scanner.skip(/\}/) or raise ArgumentError, "not JSON"
      return members
    end
  end

  def array(scanner)
    scanner.skip(/\[[ \t\r\n]*/)
    items = []
    return items if scanner.skip(/\]/)

    loop do
      items << value(scanner)
      scanner.skip(/[ \t\r\n]*/)
      next if scanner.skip(/,/)

      scanner.skip(/\]/) or raise ArgumentError, "not JSON"
      return items
    end
  end

  def string(scanner)
    raw = scanner.scan(/"(?:[^"\\\u0000-\u001f]|\\["\\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/) or raise ArgumentError, "not JSON"
    raw[1..-2].b.gsub(/\\u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|\\u\h{4}|\\./n) do |escape|
      if escape.length == 12
        high = escape[2, 4].hex - 0xD800
        low = escape[8, 4].hex - 0xDC00
        utf8(0x10000 + (high << 10) + low)
      elsif escape.length == 6
        utf8(escape[2, 4].hex)
      else
        UNESCAPE.fetch(escape[1], escape[1]).b
      end
    end.force_encoding(Encoding::UTF_8)
  end

  def utf8(code)
    return [code].pack("U").b unless code.between?(0xD800, 0xDFFF)

    [0xE0 | (code >> 12), 0x80 | ((code >> 6) & 0x3F), 0x80 | (code & 0x3F)].pack("C*")
  end

  # The string in quotes. `place` says what it is: :path (the request), :name, :below (an entry's path), :word.
  def quoted(text, place = :word)
    return "\"#{text}\"" if place == :path && bug?("path_unescaped")
    return text.inspect if place == :name && bug?("inspect_quoting")

    escaped = text.gsub(/["\\\x00-\x1f]/) do |character|
      next character if bug?("raw_tab") && place == :name && character == "\t"
      next character if bug?("raw_controls") && place == :below && !SHORT.key?(character)

      SHORT.fetch(character) { format("\\u%04x", character.ord) }
    end
    escaped = escaped.gsub(/[\u{10000}-\u{10FFFF}]/) { format("\\u%x", _1.ord) } if bug?("astral_five_digits") && place == :name
    if bug?("lossy_surrogates") && place != :path
      escaped = escaped.gsub(/\u{F0000}([0-9a-f]{4})/) { "\\u#{Regexp.last_match(1)}" }
    end
    "\"#{escaped}\""
  end
end
