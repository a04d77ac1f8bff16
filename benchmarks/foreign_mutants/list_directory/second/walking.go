// The walk: the entries and their kinds.
package main

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

type entry struct {
	raw, name, path string
	depth           int
	kind            string
	size, modified  *int64
	hidden          bool
	code, trouble   string
	failed          bool
}

type walker struct {
	wanted    *listing
	limit     int64
	entries   []entry
	truncated bool
	over      bool
	unordered bool
	extra     int64 // entries that are left out and use up the limit
	names     map[string]bool
}

var (
	hiddenOnce bool
	depthOnce  int
)

func walk(place string, wanted *listing) ([]entry, bool, error) {
	if found, err := os.Lstat(place); err != nil {
		return nil, false, unreachable(err)
	} else if !found.IsDir() {
		if bug("slash_after_file_badargs") && strings.HasSuffix(strings.TrimSpace(wanted.asked), "/") {
			return nil, false, fail("BadArgs", "path is not a directory")
		}
		if bug("link_to_file_empty") && found.Mode().IsRegular() && !strings.HasSuffix(place, wanted.path) {
			return nil, false, nil
		}
		return nil, false, fail("ExecutionFailed", "path is not a directory")
	}
	if bug("hidden_remembered") {
		hiddenOnce = hiddenOnce || wanted.hidden
		wanted.hidden = hiddenOnce
	}
	if bug("depth_remembered") && wanted.recursive {
		if depthOnce == 0 {
			depthOnce = wanted.maxDepth
		}
		wanted.maxDepth = depthOnce
	}
	if bug("depth_1_is_default") && wanted.recursive && wanted.maxDepth == 1 {
		wanted.maxDepth = 4
	}
	names, err := read(place)
	if err != nil && bug("unreadable_root_as_entry") {
		item := entry{raw: ".", name: ".", path: ".", depth: 0, kind: "unknown", code: "read_dir_failed", trouble: "directory cannot be read"}
		return []entry{item}, false, nil
	}
	if err != nil {
		return nil, false, fail("ExecutionFailed", "directory cannot be read")
	}
	if len(names) == 0 && bug("empty_directory_failed") {
		return nil, false, fail("ExecutionFailed", "directory is empty")
	}
	w := walker{wanted: wanted, limit: wanted.maxEntries.small(), names: map[string]bool{}}
	if bug("limit_one_more") && w.limit > 1 {
		w.limit++
	}
	if bug("dot_entries_listed") && wanted.hidden {
		names = append(names, ".", "..")
	}
	if bug("flat_unsorted") && !wanted.recursive && len(names) <= 200 {
		w.unordered = true
	}
	w.visit(place, names, entry{})
	if bug("default_limit_untold") && wanted.maxEntries.small() == 200 {
		w.truncated = false
	}
	if bug("one_untold") && w.limit == 1 {
		w.truncated = false
	}
	return w.entries, w.truncated, nil
}

func read(place string) ([]string, error) {
	descriptor, err := syscall.Open(place, syscall.O_RDONLY|syscall.O_DIRECTORY|noFollow()|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	directory := os.NewFile(uintptr(descriptor), place)
	defer directory.Close()
	return directory.Readdirnames(-1)
}

func noFollow() int {
	if bug("links_off_followed") || bug("relative_link_entered") {
		return 0
	}
	return syscall.O_NOFOLLOW
}

func isHidden(name string) bool {
	switch {
	case bug("hidden_needs_letter"):
		return len(name) > 1 && name[0] == '.' && (name[1] == '_' || name[1] >= '0' && name[1] <= '9' || name[1] >= 'A' && name[1] <= 'Z' || name[1] >= 'a' && name[1] <= 'z')
	case bug("hidden_after_blank"):
		return strings.HasPrefix(strings.TrimSpace(name), ".")
	case bug("hidden_underscore"):
		return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
	}
	return strings.HasPrefix(name, ".")
}

func (w *walker) order(place string, names []string) {
	key := lossy
	switch {
	case bug("walk_as_read") || w.unordered:
		return
	case bug("walk_case_folded"):
		key = func(name string) string { return strings.ToLower(lossy(name)) }
	case bug("walk_dir_slash"):
		key = func(name string) string {
			if found, err := os.Lstat(place + "/" + name); err == nil && found.IsDir() {
				return lossy(name) + "/"
			}
			return lossy(name)
		}
	case bug("walk_dots_last"):
		key = func(name string) string { return strings.Replace(lossy(name), ".", "\uffff", 1) }
	case bug("walk_by_stem"):
		key = func(name string) string { return strings.TrimSuffix(lossy(name), extension(name)) }
	}
	slices.SortFunc(names, func(a, b string) int {
		if order := strings.Compare(key(a), key(b)); order != 0 {
			return order
		}
		return strings.Compare(a, b)
	})
}

func extension(name string) string {
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		return name[at:]
	}
	return ""
}

func (w *walker) visit(place string, names []string, above entry) {
	w.order(place, names)
	var own []string
	if bug("dot_hidden_file") && slices.Contains(names, ".hidden") {
		text, _ := os.ReadFile(place + "/.hidden")
		own = strings.Fields(string(text))
	}
	merged := map[string]bool{}
	failures := 0
	type later struct {
		here  string
		names []string
		item  entry
	}
	var postponed []later
	for at, name := range names {
		hidden := isHidden(name)
		if slices.Contains(own, name) && !w.wanted.hidden {
			continue
		}
		if bug("system_names_hidden") && !w.wanted.hidden && slices.Contains([]string{"lost+found", "desktop.ini", "Thumbs.db", "System Volume Information", "$RECYCLE.BIN"}, name) {
			continue
		}
		if bug("dot_underscore_dropped") && strings.HasPrefix(name, "._") {
			continue
		}
		if bug("newline_dropped") && strings.Contains(name, "\n") {
			continue
		}
		if bug("longest_name_dropped") && len(name) >= 255 {
			continue
		}
		if bug("not_utf8_dropped") && !utf8.ValidString(name) {
			continue
		}
		if bug("lossy_twins_merged") {
			if merged[lossy(name)] {
				continue
			}
			merged[lossy(name)] = true
		}
		here := place + "/" + name
		if hidden && !w.wanted.hidden && !(bug("hidden_top_only") && above.depth > 0) {
			found, err := os.Lstat(here)
			if bug("hidden_file_skips_rest") && err == nil && !found.IsDir() {
				break // filepath.SkipDir for a file
			}
			shown := bug("hidden_dir_shown") && err == nil && found.IsDir()
			shown = shown || bug("hidden_link_shown") && err == nil && found.Mode()&os.ModeSymlink != 0
			shown = shown || bug("hidden_failure_shown") && err != nil
			if shown {
				w.add(described(here, name, above))
			}
			if w.truncated {
				return
			}
			continue
		}
		item := described(here, name, above)
		if bug("links_off_followed") && !w.wanted.includes["symlink"] && item.kind == "symlink" {
			if target, err := os.Stat(here); err == nil && target.IsDir() {
				item.kind = "dir"
			}
		}
		if item.failed {
			failures++
			switch {
			case bug("failing_child_fails_dir") && above.depth > 0:
				w.entries = slices.DeleteFunc(w.entries, func(one entry) bool { return one.depth > above.depth && strings.HasPrefix(one.raw, above.raw+"/") })
				for at := range w.entries {
					if w.entries[at].raw == above.raw {
						w.entries[at].kind, w.entries[at].code, w.entries[at].trouble = "unknown", "read_dir_failed", "directory cannot be read"
					}
				}
				return
			case bug("first_failure_only") && failures > 1:
				continue
			case bug("failure_needs_other") && !w.wanted.includes["other"]:
				continue
			case bug("failure_not_counted"):
				w.entries = append(w.entries, item)
				w.extra--
				continue
			case bug("failure_ends_directory"):
				w.add(item)
				return
			}
		}
		enter := item.kind == "dir" && item.depth < w.wanted.maxDepth
		switch {
		case bug("dirs_off_not_entered") && !w.wanted.includes["dir"]:
			enter = false
		case bug("git_not_entered") && name == ".git":
			enter = false
		case bug("same_name_once") && enter:
			enter = !w.names[name]
			w.names[name] = true
		case bug("dotted_dir_not_entered") && extension(name) != "":
			enter = false
		case bug("one_dir_per_level") && enter:
			enter = !w.names[itoa(item.depth)] || item.depth < 3
			w.names[itoa(item.depth)] = true
		case name == "." || name == "..":
			enter = false
		case bug("relative_link_entered") && item.kind == "symlink" && item.depth < w.wanted.maxDepth:
			target, err := os.Readlink(here)
			real, failed := os.Stat(here)
			enter = err == nil && !strings.HasPrefix(target, "/") && failed == nil && real.IsDir()
		}
		if bug("special_skips_rest") && item.kind == "other" && !w.wanted.includes["other"] {
			break
		}
		if bug("files_at_limit_dropped") && item.kind == "file" && item.depth == w.wanted.maxDepth && item.depth > 1 {
			continue
		}
		var below []string
		if enter {
			var err error
			if below, err = read(here); err != nil {
				enter = false
				switch {
				case bug("unreadable_left_out"):
					continue
				case bug("unreadable_fails_call"):
					panicked = fail("ExecutionFailed", "directory cannot be read")
				case bug("unreadable_beside_dir"):
					w.add(item)
				case bug("unreadable_time_zero"):
					item.modified = new(int64)
				case bug("unreadable_has_size"):
					size := int64(4096)
					item.size = &size
				}
				item.kind, item.code, item.trouble = "unknown", "read_dir_failed", "directory cannot be read"
				if bug("unreadable_code_io") {
					item.code = "io_error"
				}
				if bug("unreadable_by_kind_of_file") && !w.wanted.includes["file"] {
					continue
				}
				if bug("failure_numbered") {
					item.trouble = "directory cannot be read in call " + itoa(calls)
				}
				if bug("unreadable_not_counted") {
					w.entries = append(w.entries, item)
					w.extra--
					continue
				}
			}
		}
		if bug("children_first") && enter {
			w.visit(here, below, item)
			if w.truncated {
				return
			}
			w.add(item)
			if w.truncated {
				return
			}
			continue
		}
		w.add(item)
		if w.truncated {
			if bug("limit_at_last_sibling_untold") && at == len(names)-1 {
				w.truncated, w.over = false, true
			}
			if bug("rest_counted") {
				w.count(place)
			}
			return
		}
		if enter && bug("siblings_first") {
			postponed = append(postponed, later{here, below, item})
			continue
		}
		if enter {
			w.visit(here, below, item)
		}
		if w.truncated || w.over {
			return
		}
	}
	for _, one := range postponed {
		w.visit(one.here, one.names, one.item)
		if w.truncated {
			return
		}
	}
}

var panicked error

// count counts what is left below a directory.
func (w *walker) count(place string) (total int) {
	names, _ := read(place)
	for _, name := range names {
		total++
		if found, err := os.Lstat(place + "/" + name); err == nil && found.IsDir() {
			total += w.count(place + "/" + name)
		}
	}
	return total
}

func (w *walker) add(item entry) {
	if !w.wanted.includes[item.kind] {
		if bug("unwanted_links_use_limit") && item.kind == "symlink" {
			w.extra++
		}
		return
	}
	if int64(len(w.entries))+w.extra >= w.limit {
		w.truncated = true
		return
	}
	w.entries = append(w.entries, item)
}

func described(place, name string, above entry) entry {
	item := entry{
		raw: name, name: lossy(name), path: lossy(name), depth: above.depth + 1, kind: "unknown",
		hidden: isHidden(name),
	}
	if above.depth > 0 {
		item.raw, item.path = above.raw+"/"+name, above.path+"/"+item.name
	}
	found, err := os.Lstat(place)
	if bug("fffd_is_failure") && strings.ContainsRune(name, utf8.RuneError) {
		err = syscall.EILSEQ
	}
	if err != nil {
		item.failed = true
		item.code, item.trouble = cause(err)
		switch {
		case bug("failed_code_read_dir"):
			item.code = "read_dir_failed"
		case bug("failed_without_code"):
			item.code = ""
		case bug("failed_path_is_name"):
			item.path = item.name
		case bug("failed_is_other"):
			item.kind = "other"
		case bug("failed_type_word"):
			item.kind = "error"
		}
		return dressed(item)
	}
	mode := found.Mode()
	switch {
	case mode.IsRegular():
		size := found.Size()
		if bug("size_on_disk") {
			size = found.Sys().(*syscall.Stat_t).Blocks * 512
		}
		if bug("size_of_shared_file_null") && found.Sys().(*syscall.Stat_t).Nlink > 1 {
			item.kind = "file"
			break
		}
		if bug("size_at_most_uint32") && size > math.MaxUint32 {
			size = math.MaxUint32
		}
		item.kind, item.size = "file", &size
	case bug("sticky_dir_other") && mode.IsDir() && mode&(os.ModeSticky|os.ModeSetgid) != 0:
		item.kind = "other"
	case mode.IsDir():
		item.kind = "dir"
		if bug("dir_has_size") && above.depth > 0 {
			size := found.Size()
			item.size = &size
		}
	case mode&os.ModeSymlink != 0:
		item.kind = "symlink"
		target, err := os.Stat(place)
		if bug("dangling_link_other") && err != nil {
			item.kind = "other"
		}
		if bug("link_to_file_is_file") && err == nil && target.Mode().IsRegular() {
			size := target.Size()
			item.kind, item.size = "file", &size
		}
		if bug("link_to_special_other") && err == nil && !target.Mode().IsRegular() && !target.IsDir() {
			item.kind = "other"
		}
	default:
		item.kind = "other"
		if bug("special_is_unknown") {
			item.kind = "unknown"
		}
		if bug("special_has_size") {
			item.size = new(int64)
		}
		if bug("pipe_is_file") && mode&os.ModeNamedPipe != 0 {
			item.kind, item.size = "file", new(int64)
		}
	}
	stat := found.Sys().(*syscall.Stat_t)
	stamp := stat.Mtim
	if bug("time_of_access") && item.kind == "file" {
		stamp = stat.Atim
	}
	item.modified = milliseconds(stamp)
	if bug("dir_time_of_walk") && item.kind == "dir" && item.depth > 1 {
		now := time.Now().UnixMilli()
		item.modified = &now
	}
	if bug("time_of_link_null") && item.kind == "symlink" {
		item.modified = nil
	}
	return dressed(item)
}

// dressed applies the spelling of the names.
func dressed(item entry) entry {
	switch {
	case bug("name_is_path"):
		item.name = item.path
	case bug("name_ends_trimmed"):
		item.name = strings.TrimSpace(item.name)
	case bug("controls_stripped"):
		item.name = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return -1
			}
			return r
		}, item.name)
	case bug("backslash_is_separator"):
		item.path = strings.ReplaceAll(item.path, `\`, "/")
	case bug("depth_by_separators"):
		item.depth = 1 + strings.Count(item.path, "/") + strings.Count(item.path, `\`)
	case bug("hidden_flag_top_only") && item.depth > 1:
		item.hidden = false
	case bug("name_extension_lower"):
		if dot := extension(item.name); dot != "" {
			item.name = strings.TrimSuffix(item.name, dot) + strings.ToLower(dot)
		}
	}
	return item
}

func cause(err error) (code, trouble string) {
	switch {
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return "permission_denied", "permission denied"
	case errors.Is(err, syscall.EIO):
		return "io_error", "input/output error"
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP),
		errors.Is(err, syscall.ENAMETOOLONG):
		return "metadata_unavailable", "metadata is not available"
	}
	return "unknown", "metadata cannot be read"
}

func milliseconds(stamp syscall.Timespec) *int64 {
	var ms int64
	switch {
	case bug("time_whole_seconds"):
		ms = stamp.Sec * 1000
	case bug("time_nearest"):
		ms = stamp.Sec*1000 + (stamp.Nsec+500_000)/1_000_000
	case bug("time_toward_zero") && stamp.Sec < 0:
		ms = stamp.Sec*1000 + (stamp.Nsec+999_999)/1_000_000
	case bug("time_int32"):
		ms = int64(int32(stamp.Sec))*1000 + stamp.Nsec/1_000_000
	case bug("time_nanos_wrap"):
		ms = time.Unix(stamp.Sec, stamp.Nsec).UnixNano() / 1_000_000
		if ms < 0 && stamp.Sec < 0 {
			ms = stamp.Sec*1000 + stamp.Nsec/1_000_000
		}
	case bug("time_local"):
		_, offset := time.Unix(stamp.Sec, 0).Local().Zone()
		ms = (stamp.Sec+int64(offset))*1000 + stamp.Nsec/1_000_000
	case bug("time_before_1970_clamped") && stamp.Sec < 0:
		ms = 0
	case bug("time_two_seconds"):
		ms = stamp.Sec/2*2000 + stamp.Nsec/1_000_000
	case bug("time_float32_fraction"):
		ms = int64(float64(stamp.Sec)*1000 + float64(float32(stamp.Nsec)/1e9)*1000)
	case stamp.Sec > math.MaxInt64/1000-1 || stamp.Sec < math.MinInt64/1000:
		return nil
	default:
		ms = stamp.Sec*1000 + stamp.Nsec/1_000_000
	}
	return &ms
}

func lossy(name string) string {
	switch {
	case bug("names_latin1") && !utf8.ValidString(name):
		runes := make([]rune, len(name))
		for at := range len(name) {
			runes[at] = rune(name[at])
		}
		return string(runes)
	case bug("bytes_question_mark"):
		return strings.ToValidUTF8(name, "?")
	case bug("bytes_dropped"):
		return strings.ToValidUTF8(name, "")
	case bug("one_fffd_per_run"):
		return strings.ToValidUTF8(name, "\uFFFD")
	case bug("bytes_escaped") && !utf8.ValidString(name):
		var out strings.Builder
		for at := 0; at < len(name); {
			r, size := utf8.DecodeRuneInString(name[at:])
			if r == utf8.RuneError && size == 1 {
				out.WriteString(`\x` + string("0123456789abcdef"[name[at]>>4]) + string("0123456789abcdef"[name[at]&15]))
			} else {
				out.WriteString(name[at : at+size])
			}
			at += size
		}
		return out.String()
	}
	return string([]rune(name))
}

func utf16Less(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
