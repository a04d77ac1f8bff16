# frozen_string_literal: true

require_relative "bug"
require_relative "entry"
require_relative "json_text"

# The document: sorted, spelled and within the budget.
class Document
  REASONS = { entries: "max_entries", bytes: "max_output_bytes" }.freeze

  def initialize(request, walk)
    @request = request
    @walk = walk
    @entries = sorted(walk.entries)
    @texts = @entries.map(&:to_json_text)
  end

  # The longest document within the budget; entries go from the end of the sorted list (FR-LD-OUT-07).
  def within(budget)
    budget -= 2**64 if bug?("budget_wraps") && budget >= 2**63
    budget += 1 if bug?("budget_plus_one")
    whole = text(@texts, @walk.truncated ? REASONS[:entries] : nil)
    return whole if bug?("cut_not_after_limit") && @walk.truncated

    fits = size(whole, @entries.length) <= budget
    fits = false if bug?("budget_strict") && size(whole, 0) == budget
    return whole if fits

    shortest = size(text([], REASONS[:bytes]), 0)
    if shortest > budget || @texts.empty?
      raise Failure.new(bug?("too_small_kind") ? "BadArgs" : "ExecutionFailed", "output budget too small")
    end

    kept = cut(budget, shortest)
    raise Failure.new("ExecutionFailed", "output budget too small") if kept.empty? && bug?("cut_zero_fails")
    return whole.byteslice(0, budget).scrub("") if kept.empty? && bug?("sliced_document")
    return text([], nil) if kept.empty? && bug?("cut_no_flag")

    @was_cut = true
    reason = REASONS[:bytes]
    reason = REASONS[:entries] if bug?("reason_not_overridden") && @walk.truncated
    text(kept, reason)
  end

  def cut?
    @was_cut || @walk.truncated
  end

  private

  # The entries that stay, at least one fewer than there are.
  def cut(budget, bytes)
    return halved(budget) if bug?("cut_halves")

    bytes = size(text([], nil), 0) if bug?("budget_reason_forgotten")
    kept = []
    @texts.each_with_index do |entry, index|
      break if kept.length + 1 >= @texts.length

      digits = (kept.length + 1).to_s.length - kept.length.to_s.length
      digits = 0 if bug?("budget_digits_forgotten")
      digits -= 1 if bug?("budget_commas_forgotten") && !kept.empty?
      more = size_of_entry(entry, @entries[index]) + (kept.empty? ? 0 : 1) + digits
      if bytes + more > budget || (bug?("cut_one_more") && bytes + more == budget)
        next if bug?("cut_greedy")

        break
      end
      bytes += more
      kept << entry
    end
    kept
  end

  def halved(budget)
    kept = @texts
    until kept.empty?
      kept = kept.first(kept.length / 2)
      break if text(kept, REASONS[:bytes]).bytesize <= budget
    end
    kept
  end

  def size(text, entries)
    return text.length if bug?("budget_characters")
    return text.bytesize - @entries.first(entries).sum { |entry| escapes(entry) } if bug?("budget_before_escapes")

    text.bytesize
  end

  def size_of_entry(text, entry)
    return text.length if bug?("budget_characters")
    return text.bytesize - escapes(entry) if bug?("budget_before_escapes")

    text.bytesize
  end

  def escapes(entry)
    [entry.name, entry.path].sum { |word| JsonText.quoted(word).bytesize - word.bytesize - 2 }
  end

  def sorted(entries)
    by_path = ->(entry) { [entry.path.b, entry.raw] }
    case BUG
    when "no_final_sort"
      return entries
    when "output_natural"
      return entries.sort do |a, b|
        natural(a.path) <=> natural(b.path) || a.path.b <=> b.path.b
      end
    when "output_dot_ignored"
      return entries.sort_by { |entry| [entry.path.gsub(%r{(\A|/)\.}, "\\1").b, *by_path.call(entry)] }
    when "output_utf16"
      return entries.sort_by { |entry| [Names.utf16(entry.path), entry.raw] }
    when "output_raw"
      return entries.sort_by(&:raw)
    when "output_batches"
      return entries.each_slice(128).flat_map { |slice| slice.sort_by(&by_path) }
    when "selection_sort"
      return selected(entries)
    end
    entries.sort_by(&by_path)
  end

  # Digits as numbers, all else as text; each part is tagged so that it can be compared.
  def natural(path)
    path.b.scan(/\d+|\D+/n).map { |part| part.match?(/\A\d/n) ? [0, part.to_i, ""] : [1, 0, part] }
  end

  def selected(entries)
    left = entries.dup
    found = []
    until left.empty?
      least = 0
      left.each_index { |index| least = index if ([left[index].path.b, left[index].raw] <=> [left[least].path.b, left[least].raw]).negative? }
      found << left.delete_at(least)
    end
    found
  end

  def text(entries, reason)
    returned = entries.length
    returned = @texts.length if bug?("returned_stale")
    returned -= @entries.first(entries.length).count { |entry| entry.type == "unknown" } if bug?("returned_known")
    limit = @request.limit
    limit = @request.cap if bug?("max_entries_cap")
    limit = 200 if bug?("max_entries_builtin") && @request.limit_given.nil?
    body = "[#{entries.join(',')}]"
    body = "null" if bug?("entries_null") && entries.empty?
    reason_text = reason.nil? ? "null" : "\"#{reason}\""
    reason_text = '""' if bug?("reason_empty_text") && reason.nil? && entries.empty?
    tail = ["\"truncated\":#{!reason.nil?}", "\"truncated_reason\":#{reason_text}"]
    tail.reverse! if bug?("keys_cut_order") && reason
    tail.pop if bug?("compact_document") && reason.nil?
    document = "{\"path\":#{JsonText.quoted(@request.shown, :path)},\"entries\":#{body},\"returned\":#{returned}," \
               "\"max_entries\":#{limit},#{tail.join(',')}}"
    document += "\n" if bug?("final_newline") && entries.empty?
    document
  end
end
