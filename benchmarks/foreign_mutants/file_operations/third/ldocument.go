// The document: canonical JSON with the entries that fit into the budget.
package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fitted returns the longest document within the budget in bytes; entries are removed from the end of the sorted list
// (FR-LD-OUT-07).
func fitted(wanted *listing, entries []entry, truncated bool, budget int64) (string, error) {
	if bug("list_walk_order") {
		goto sorted
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if order := listOrderBugs(a, b); order != 0 {
			return order
		}
		if order := strings.Compare(a.path, b.path); order != 0 {
			return order
		}
		return strings.Compare(a.raw, b.raw)
	})
sorted:
	texts := make([]string, len(entries))
	for at, item := range entries {
		texts[at] = spelled(item)
	}
	whole := document(wanted, texts, truncated, "max_entries")
	if int64(len(whole)) <= budget {
		return whole, nil
	}
	size, count := int64(len(document(wanted, nil, true, "max_output_bytes"))), 0
	for count+1 < len(texts) {
		more := int64(len(texts[count]) + len(strconv.Itoa(count+1)) - len(strconv.Itoa(count)))
		if count > 0 {
			more++ // the comma
		}
		if size+more > budget {
			break
		}
		size, count = size+more, count+1
	}
	if size > budget || len(texts) == 0 {
		return "", fail("ExecutionFailed", "output budget too small")
	}
	return document(wanted, texts[:count], true, "max_output_bytes"), nil
}

func document(wanted *listing, texts []string, truncated bool, reason string) string {
	why := "null"
	if truncated {
		why = quoted(reason)
	}
	return fmt.Sprintf(`{"path":%s,"entries":[%s],"returned":%d,"max_entries":%s,"truncated":%t,"truncated_reason":%s}`,
		quoted(wanted.path), strings.Join(texts, ","), len(texts), wanted.maxEntries, truncated, why)
}

func spelled(item entry) string {
	return fmt.Sprintf(`{"name":%s,"path":%s,"depth":%d,"type":%s,"size_bytes":%s,"modified_epoch_ms":%s,`+
		`"is_hidden":%t,"error_code":%s,"error":%s}`,
		quoted(item.name), quoted(item.path), item.depth, quoted(item.kind), number(item.size), number(item.modified),
		item.hidden, orNull(item.code), orNull(item.trouble))
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

// quoted escapes only what JSON requires; encoding/json would also escape <, >, & and U+2028.
func quoted(text string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var out strings.Builder
	out.WriteByte('"')
	for _, character := range text {
		switch escape, known := short[character]; {
		case known:
			out.WriteString(escape)
		case character < 0x20:
			fmt.Fprintf(&out, `\u%04x`, character)
		default:
			out.WriteRune(character)
		}
	}
	out.WriteByte('"')
	return out.String()
}
