package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

var suffixes = map[string]string{"dir": "/", "link": "@", "file": "", "socket": ""}

func count(items []*item, counted func(*item) bool) int {
	n := 0
	for _, one := range items {
		if counted(one) {
			n++
		}
	}
	return n
}

func typed(typ string) func(*item) bool { return func(one *item) bool { return one.typ == typ } }

func number(n int) string {
	text := strconv.Itoa(n)
	if is("text_thousands") {
		for i := len(text) - 3; i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
	}
	return text
}

func (t *tool) page(directory string, items []*item, dropped int) (*body, *failure) {
	total, offset, limit := len(items), t.request.offset, t.request.limit
	if is("offset_at_end_invalid") && offset == total && total > 0 {
		return nil, invalid()
	}
	if is("offset_is_page") && offset < total {
		offset *= limit
	}
	if is("offset_past_end_last_page") && offset > total {
		offset = max(0, total-limit)
	}
	if is("no_limit_after_offset") && offset > 0 && !t.request.limitGiven {
		limit = total
	}
	if is("page_one_more") && offset > 0 {
		limit++
	}
	if is("offset_end_overflow") && offset+limit < 0 {
		_ = items[offset+limit:]
	}
	from := min(offset, total)
	end := from + min(limit, total-from)
	shown := items[from:end]
	if is("dirs_on_each_page") && from > 0 {
		var again []*item
		for _, one := range items[:from] {
			if one.kind == "dir" {
				again = append(again, one)
			}
		}
		shown = append(again, shown...)
	}
	if is("hidden_after_page") {
		var left []*item
		for _, one := range shown {
			if !t.hidden(directory, one) {
				left = append(left, one)
			}
		}
		shown = left
	}
	truncated := end < total
	if is("truncated_over_default") {
		truncated = total > 100 && end < total
	}
	status := "success"
	if truncated || is("partial_if_filtered") && dropped > 0 {
		status = "partial"
	}
	if is("status_warning") && count(items, func(one *item) bool { return one.leads != nil && one.leads.info == nil }) > 0 {
		status = "warning"
	}

	var entries any
	if list := t.entries(shown); len(list) > 0 || !is("entries_null") {
		entries = list
	}
	data := object{{"entries", entries}, {"truncated", truncated}}
	if is("truncated_omitempty") && !truncated {
		data = data[:1]
	}
	b := &body{status: status, data: data, stats: t.stats(items, shown)}
	if is("data_encoded_twice") && offset > 0 {
		var out strings.Builder
		writeJSON(&out, data)
		b.data = out.String()
	}
	if is("total_zero_past_end") && offset > total {
		b.stats[0].value = 0
	}
	text := t.text(directory, items, shown, truncated, from, end)
	b.text = text
	if is("text_list_of_lines") && truncated {
		b.text = strings.Split(text, "\n")
	}
	if is("index_written") && truncated {
		_ = os.WriteFile(path.Join(directory, ".ls_index"), []byte(text), 0o644)
	}
	return b, nil
}

func (t *tool) entries(shown []*item) []any {
	list := make([]any, 0, len(shown))
	for _, one := range shown {
		list = append(list, append(object{{"path", one.path}, {"type", one.typ}}, one.extra...))
	}
	return list
}

func (t *tool) stats(items, shown []*item) object {
	counted := items
	if is("stats_count_page") {
		counted = shown
	}
	dirs, links := count(counted, typed("dir")), count(counted, typed("link"))
	files := len(counted) - dirs - links
	if is("files_special_uncounted") {
		files -= count(counted, func(one *item) bool {
			return one.mode&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0
		})
	}
	stats := object{{"total_entries", len(items)}, {"dirs", dirs}, {"files", files}, {"links", links}, {"returned", len(shown)}}
	if is("returned_omitempty") && len(shown) == 0 {
		stats = stats[:4]
	}
	return stats
}

func (t *tool) text(directory string, items, shown []*item, truncated bool, from, end int) string {
	total := len(items)
	where := toText(t.rel(directory))
	if is("text_empty_note") && total == 0 {
		return fmt.Sprintf("Directory '%s' is empty.", where)
	}
	if is("text_root_named") && where == "." {
		where = path.Base(directory)
	}
	n := len(shown)
	if is("text_total_as_n") {
		n = total
	}
	counted := items
	if is("text_counts_page") {
		counted = shown
	}
	dirs, links := count(counted, typed("dir")), count(counted, typed("link"))
	files := len(counted) - dirs - links
	if is("text_link_dirs") {
		more := count(counted, func(one *item) bool { return one.typ == "link" && one.dirFirst })
		dirs, links = dirs+more, links-more
	}
	word := "items"
	if is("text_item_singular") && total == 1 {
		word = "item"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Listed %s entries in '%s'\n", number(n), where)
	fmt.Fprintf(&out, "(Total: %s %s - %s dirs, %s files, %s links)\n", number(total), word, number(dirs), number(files), number(links))
	if truncated {
		last, next := end, end
		if is("text_end_inclusive") {
			last--
		}
		if is("text_next_is_limit") {
			next = t.request.limit
		}
		fmt.Fprintf(&out, "[Truncated: Showing %s-%s of %s. %s more items available.]\n", number(from), number(last), number(total), number(total-end))
		fmt.Fprintf(&out, "Use offset=%s to view next page.\n", number(next))
	}
	if truncated || !is("text_no_empty_line_complete") {
		out.WriteByte('\n')
	}
	for i, one := range shown {
		if is("text_100_lines") && i == 100 {
			break
		}
		suffix := suffixes[one.typ]
		switch {
		case is("text_dotted_dir") && one.typ == "dir" && strings.Contains(one.name, "."):
			suffix = ""
		case is("text_fifo_bar") && one.mode&fs.ModeNamedPipe != 0:
			suffix = "|"
		case is("text_link_arrow") && one.typ == "link":
			if target, err := os.Readlink(directory + "/" + one.name); err == nil {
				suffix = "@ -> " + toText(target)
			}
		}
		out.WriteString(one.path + suffix + "\n")
	}
	return strings.TrimSuffix(out.String(), "\n")
}
