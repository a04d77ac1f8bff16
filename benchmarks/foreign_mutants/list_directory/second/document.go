// The document: canonical JSON with the entries that fit into the budget.
package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

func length(text string) int64 {
	if bug("budget_in_runes") {
		return int64(utf8.RuneCountInString(text))
	}
	return int64(len(text))
}

func arrange(entries []entry, truncated bool) {
	slices.SortFunc(entries, func(a, b entry) int {
		order := 0
		switch {
		case bug("shown_by_name"):
			order = strings.Compare(a.name, b.name)
		case bug("shown_case_folded"):
			order = strings.Compare(strings.ToLower(a.path), strings.ToLower(b.path))
		case bug("shown_dirs_first") && (a.kind == "dir") != (b.kind == "dir"):
			order = 1
			if a.kind == "dir" {
				order = -1
			}
		case bug("shown_utf16"):
			order = utf16Less(a.path, b.path)
		case bug("shown_by_components"):
			order = slices.Compare(strings.Split(a.path, "/"), strings.Split(b.path, "/"))
		case bug("shown_failures_last") && (a.kind == "unknown") != (b.kind == "unknown"):
			order = -1
			if a.kind == "unknown" {
				order = 1
			}
		}
		if order != 0 {
			return order
		}
		if order = strings.Compare(a.path, b.path); order != 0 {
			return order
		}
		return strings.Compare(a.raw, b.raw)
	})
}

func fitted(wanted *listing, entries []entry, truncated bool, budget int64) (string, error) {
	if panicked != nil {
		err := panicked
		panicked = nil
		return "", err
	}
	if !bug("flat_unsorted") || wanted.recursive {
		arrange(entries, truncated)
	}
	texts := make([]string, len(entries))
	for at, item := range entries {
		texts[at] = spelled(item)
	}
	whole := document(wanted, texts, truncated, "max_entries")
	minimal := document(wanted, nil, true, "max_output_bytes")
	if bug("entries_alone_measured") && length(strings.Join(texts, ",")) <= budget {
		return whole, nil
	}
	if bug("empty_needs_longer") && length(minimal) > budget {
		return "", fail("ExecutionFailed", "output budget too small")
	}
	if length(whole) <= budget {
		return whole, nil
	}
	if bug("cut_from_the_front") {
		for len(texts) > 0 && length(document(wanted, texts, true, "max_output_bytes")) > budget {
			texts = texts[1:]
		}
		if length(document(wanted, texts, true, "max_output_bytes")) <= budget {
			return document(wanted, texts, true, "max_output_bytes"), nil
		}
	}
	if bug("cut_leaves_gaps") {
		var kept []string
		for at, text := range texts {
			if next := append(slices.Clone(kept), text); len(kept) < len(texts)-1 && at < len(texts) && length(document(wanted, next, true, "max_output_bytes")) <= budget {
				kept = next
			}
		}
		if length(document(wanted, kept, true, "max_output_bytes")) <= budget {
			return document(wanted, kept, true, "max_output_bytes"), nil
		}
	}
	size, count := length(minimal), 0
	for count+1 < len(texts) {
		more := length(texts[count])
		if !bug("digits_forgotten") {
			more += int64(len(strconv.Itoa(count+1)) - len(strconv.Itoa(count)))
		}
		if count > 0 && !bug("commas_forgotten") {
			more++
		}
		if size+more > budget {
			break
		}
		size, count = size+more, count+1
	}
	if bug("cut_one_too_many") && count > 1 {
		count--
	}
	if bug("cut_by_tens") && count > 10 {
		count = count / 10 * 10
	}
	if size > budget || len(texts) == 0 {
		if bug("too_small_cut_text") && budget > 0 {
			return whole[:min(int(budget), len(whole))], nil
		}
		if bug("too_small_sent_anyway") {
			return minimal, nil
		}
		if bug("too_small_as_empty") && len(texts) > 0 && length(document(wanted, nil, false, "")) <= budget {
			return document(wanted, nil, false, ""), nil
		}
		if bug("too_small_violation") {
			return "", fail("SandboxViolation", "output budget too small")
		}
		return "", fail("ExecutionFailed", "output budget too small")
	}
	if bug("budget_reason_word") {
		return document(wanted, texts[:count], true, "max_bytes"), nil
	}
	if bug("both_reasons") && truncated {
		return document(wanted, texts[:count], true, "max_entries,max_output_bytes"), nil
	}
	if bug("empty_cut_untold") && count == 0 {
		return document(wanted, nil, false, ""), nil
	}
	return document(wanted, texts[:count], true, "max_output_bytes"), nil
}

func document(wanted *listing, texts []string, truncated bool, reason string) string {
	why := "null"
	if truncated {
		why = quoted(reason)
	} else if bug("reason_empty_text") {
		why = `""`
	}
	limit := wanted.maxEntries.String()
	returned := itoa(len(texts))
	if bug("returned_byte") {
		returned = itoa(len(texts) & 255)
	}
	list := "[" + strings.Join(texts, ",") + "]"
	switch {
	case bug("no_entries_null") && len(texts) == 0:
		list = "null"
	case bug("limit_shown_as_returned") && !truncated:
		limit = returned
	case bug("limit_shown_builtin") && wanted.maxEntries.small() > 200:
		limit = "200"
	case bug("limit_shown_float") && len(limit) > 15:
		near, _ := wanted.maxEntries.Float64()
		limit = strconv.FormatFloat(near, 'f', 0, 64)
	case bug("entries_spaced"):
		list = "[" + strings.Join(texts, ", ") + "]"
	}
	flag := fmt.Sprintf(`"truncated":%t,`, truncated)
	if bug("false_flag_left_out") && !truncated {
		flag = ""
	}
	text := fmt.Sprintf(`{"path":%s,"entries":%s,"returned":%s,"max_entries":%s,%s"truncated_reason":%s}`,
		quoted(wanted.shown), list, returned, limit, flag, why)
	switch {
	case bug("final_newline"):
		text += "\n"
	case bug("byte_order_mark"):
		text = "\ufeff" + text
	case bug("null_reason_left_out") && !truncated:
		text = strings.Replace(text, `,"truncated_reason":null}`, "}", 1)
	case bug("count_before_entries"):
		text = fmt.Sprintf(`{"path":%s,"returned":%s,"entries":%s,"max_entries":%s,%s"truncated_reason":%s}`,
			quoted(wanted.shown), returned, list, limit, flag, why)
	}
	return text
}

func spelled(item entry) string {
	size := number(item.size)
	if bug("size_with_exponent") && item.size != nil {
		size = strconv.FormatFloat(float64(*item.size), 'g', -1, 64)
	}
	code, trouble := orNull(item.code), orNull(item.trouble)
	if bug("code_empty_text") && item.code == "" {
		code = `""`
	}
	if bug("error_empty_text") && item.trouble == "" && item.kind != "unknown" {
		trouble = `""`
	}
	if bug("code_as_error") && item.code != "" && item.code != "read_dir_failed" {
		code = quoted(item.trouble)
	}
	shownPath := item.path
	switch {
	case bug("path_of_dir_slash") && item.kind == "dir":
		shownPath += "/"
	case bug("path_with_dot"):
		shownPath = "./" + shownPath
	case bug("path_blank_before_slash"):
		shownPath = strings.ReplaceAll(shownPath, " /", "/")
	}
	if bug("keys_alphabetical") {
		return fmt.Sprintf(`{"depth":%d,"error":%s,"error_code":%s,"is_hidden":%t,"modified_epoch_ms":%s,"name":%s,"path":%s,"size_bytes":%s,"type":%s}`,
			item.depth, trouble, code, item.hidden, number(item.modified), quoted(item.name), quoted(shownPath), size, quoted(item.kind))
	}
	if bug("null_size_left_out") && item.size == nil {
		return fmt.Sprintf(`{"name":%s,"path":%s,"depth":%d,"type":%s,"modified_epoch_ms":%s,"is_hidden":%t,"error_code":%s,"error":%s}`,
			quoted(item.name), quoted(shownPath), item.depth, quoted(item.kind), number(item.modified), item.hidden, code, trouble)
	}
	return fmt.Sprintf(`{"name":%s,"path":%s,"depth":%d,"type":%s,"size_bytes":%s,"modified_epoch_ms":%s,`+
		`"is_hidden":%t,"error_code":%s,"error":%s}`,
		quoted(item.name), quoted(shownPath), item.depth, quoted(item.kind), size, number(item.modified),
		item.hidden, code, trouble)
}

func number(value *int64) string {
	if value == nil {
		return "null"
	}
	return strconv.FormatInt(*value, 10)
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return quoted(text)
}

func quoted(text string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	if bug("short_escapes_missing") {
		delete(short, '\b')
		delete(short, '\f')
	}
	if bug("escape_raw") {
		delete(short, '\t')
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, character := range text {
		switch escape, known := short[character]; {
		case known:
			out.WriteString(escape)
		case character < 0x20 && bug("upper_case_hex"):
			fmt.Fprintf(&out, `\u%04X`, character)
		case bug("escape_raw") && (character == 0x1b || character == '\t'):
			out.WriteRune(character)
		case character < 0x20:
			fmt.Fprintf(&out, `\u%04x`, character)
		case bug("html_escaped") && (character == '<' || character == '>' || character == '&'):
			fmt.Fprintf(&out, `\u%04x`, character)
		case bug("line_separators_escaped") && (character == 0x2028 || character == 0x2029):
			fmt.Fprintf(&out, `\u%04x`, character)
		case bug("delete_escaped") && character == 0x7f:
			out.WriteString(`\u007f`)
		case bug("astral_truncated") && character > 0xffff:
			out.WriteRune(character & 0xffff)
		default:
			out.WriteRune(character)
		}
	}
	out.WriteByte('"')
	return out.String()
}
