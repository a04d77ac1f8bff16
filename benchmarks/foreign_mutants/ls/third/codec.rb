# JSON as this candidate reads and writes it: numbers keep the digits in which they were sent.
require 'json'

class Raw
  attr_reader :text

  def initialize(text)
    @text = text
  end

  def self.try_convert(text)
    new(text)
  end

  def to_f
    @text.to_f
  end
end

module Codec
  module_function

  def read(line)
    JSON.parse(line, max_nesting: false, decimal_class: Raw)
  end

  # ASCII only: everything else is escaped, so that no locale and no encoding can spoil it.
  def write(value)
    case value
    when nil then 'null'
    when true then 'true'
    when false then 'false'
    when Integer then value.to_s
    when Float then value.to_s
    when Raw then value.text
    when Hash then "{#{value.map { |k, v| "#{quoted(k.to_s)}:#{write(v)}" }.join(',')}}"
    when Array then "[#{value.map { |v| write(v) }.join(',')}]"
    else quoted(value.to_s)
    end
  end

  ESCAPES = { '"' => '\"', '\\' => '\\\\', "\n" => '\n', "\t" => '\t', "\r" => '\r' }.freeze

  def quoted(text)
    text = text.dup.force_encoding(Encoding::UTF_8).scrub("\u{FFFD}")
    out = text.gsub(/["\\\u0000-\u001f\u007f-\u{10ffff}]/) do |c|
      if c == '\\' && $inner && bug('json_backslash_raw') then '\\'
      elsif c == "\t" && $inner && bug('json_tab_raw') then "\t"
      elsif c.ord > 0xffff && $inner && bug('json_astral_cut') then format('\u%04x', c.ord & 0xffff)
      elsif c.ord > 0xffff
        high = c.ord - 0x10000
        format('\u%04x\u%04x', 0xd800 + (high >> 10), 0xdc00 + (high & 0x3ff))
      else ESCAPES[c] || format('\u%04x', c.ord)
      end
    end
    "\"#{out}\""
  end
end
