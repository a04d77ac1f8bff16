// The tool FS.WalkDir 0.1: a flat list of everything below a directory of the sandbox.
package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// entry is one element of the result. The order of the members is the order of the document.
type entry struct {
	Name    string
	Path    string
	IsDir   bool
	Size    int64
	ModTime string
	mode    fs.FileMode
	target  string
	when    time.Time
}

var (
	errOutside      = errors.New("the path is outside the sandbox")
	errNotDirectory = errors.New("not a directory")
	errWalk         = errors.New("the walk failed")
	errStat         = errors.New("cannot look at the start")
)

var (
	sizeCache = map[string]int64{}
	approved  = map[string]bool{}
	leftOver  []entry
)

// respell applies the wrong treatments of the argument.
func respell(path string) (string, error) {
	refused := fmt.Errorf("%w: the spelling %q is not accepted", errOutside, path)
	switch selected {
	case "arg_trim_space":
		path = strings.TrimSpace(path)
	case "arg_backslash":
		path = strings.ReplaceAll(path, `\`, "/")
	case "arg_hidden_refused":
		for _, part := range strings.Split(path, "/") {
			if strings.HasPrefix(part, ".") && part != "." && part != ".." {
				return "", refused
			}
		}
	case "arg_dotdot_substring":
		if strings.Contains(path, "..") {
			return "", refused
		}
	case "arg_valid_path":
		if !fs.ValidPath(path) {
			return "", refused
		}
	case "arg_expand_env":
		path = os.ExpandEnv(path)
	case "arg_unescape":
		if made, err := url.PathUnescape(path); err == nil {
			path = made
		}
	case "arg_long":
		if len(path) > 255 {
			return "", refused
		}
	case "arg_clamp":
		if !filepath.IsAbs(path) {
			path = "." + filepath.Clean("/"+path)
		}
	case "dot_refused":
		if path == "." {
			return "", refused
		}
	case "dotdot_stripped_once":
		path = strings.ReplaceAll(path, "../", "")
	}
	return path, nil
}

// local says whether the text of a path stays inside.
func local(path, sandbox string) bool {
	joined := filepath.Join(sandbox, path)
	switch selected {
	case "prefix_neighbour":
		return strings.HasPrefix(joined, sandbox)
	case "dotdot_exact":
		return !strings.HasPrefix(filepath.Clean(path), "../")
	case "dotdot_inner":
		return path != ".." && !strings.HasPrefix(path, "../")
	case "dotdot_stripped_once":
		return filepath.Clean(path) != ".."
	case "workspace_as_sandbox":
		within, err := filepath.Rel(workspace, joined)
		return err == nil && filepath.IsLocal(within)
	}
	return filepath.IsLocal(path)
}

// realLocal says whether a resolved place is inside.
func realLocal(sandbox, real, path string) bool {
	switch selected {
	case "prefix_neighbour":
		return strings.HasPrefix(real, sandbox)
	case "dotdot_exact":
		if filepath.Clean(path) == ".." {
			return true
		}
	case "dotdot_inner", "dotdot_stripped_once":
		if !filepath.IsLocal(path) {
			return true
		}
	case "workspace_as_sandbox":
		base, err := filepath.EvalSymlinks(workspace)
		if err != nil {
			return false
		}
		within, err := filepath.Rel(base, real)
		return err == nil && filepath.IsLocal(within)
	case "lexical_only":
		return true
	case "link_absolute_only":
		return !absoluteLinkOut(sandbox, path)
	}
	inside, err := filepath.Rel(sandbox, real)
	return err == nil && filepath.IsLocal(inside)
}

// absoluteLinkOut looks at the links of a path one by one, and only at absolute targets.
func absoluteLinkOut(sandbox, path string) bool {
	place := sandbox
	for _, part := range strings.Split(filepath.Clean(path), "/") {
		place = filepath.Join(place, part)
		target, err := os.Readlink(place)
		if err == nil && filepath.IsAbs(target) {
			within, err := filepath.Rel(sandbox, target)
			if err != nil || !filepath.IsLocal(within) {
				return true
			}
		}
	}
	return false
}

// secureFilePath returns the real path of a relative path in the sandbox. The error is fs.ErrNotExist if the path is
// inside but does not exist, and errOutside if the path, or a link on it, leads out of the sandbox.
func secureFilePath(path, sandboxDir string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", errors.New("the path contains a NUL character")
	}
	sandbox, err := filepath.EvalSymlinks(sandboxDir)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errStat, err)
	}
	if filepath.IsAbs(path) || !local(path, sandbox) {
		return "", errOutside
	}
	real, err := filepath.EvalSymlinks(filepath.Join(sandbox, path))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return "", fmt.Errorf("%w: %w", errStat, err)
	}
	key := sandbox + "\x00" + path
	if bug("approved_cached") && approved[key] {
		return real, nil
	}
	if !realLocal(sandbox, real, path) {
		return "", errOutside
	}
	approved[key] = true
	return real, nil
}

// missing is the answer for a start that is not there: nil without an error.
func missing(path, sandboxDir string) ([]entry, error) {
	place := filepath.Join(sandboxDir, path)
	switch selected {
	case "missing_empty_list":
		return []entry{}, nil
	case "missing_logged_error":
		return nil, fmt.Errorf("%q does not exist", path)
	case "missing_parent_logged":
		if _, err := os.Lstat(filepath.Dir(place)); err != nil {
			return nil, fmt.Errorf("%q: %w", path, err)
		}
	case "mkdir_missing":
		if os.MkdirAll(place, 0o755) == nil {
			return []entry{}, nil
		}
	case "cwd_fallback":
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			here, _ := os.Getwd()
			return walkFrom(filepath.Join(here, path), path, here)
		}
	case "arg_fold_lookup":
		if found := foldLookup(path, sandboxDir); found != "" {
			return walkFrom(found, path, sandboxDir)
		}
	}
	return nil, nil
}

func foldLookup(path, sandboxDir string) string {
	place := sandboxDir
	for _, part := range strings.Split(filepath.Clean(path), "/") {
		found, _ := os.ReadDir(place)
		next := ""
		for _, item := range found {
			if item.IsDir() && strings.EqualFold(item.Name(), part) {
				next = item.Name()
			}
		}
		if next == "" {
			return ""
		}
		place = filepath.Join(place, next)
	}
	return place
}

// walkDir returns the entries below path, or nil and an error to log. A path that does not exist is nil without an
// error.
func walkDir(path, sandboxDir string) ([]entry, error) {
	asked, err := respell(path)
	if err != nil {
		return nil, err
	}
	if bug("arg_glob") && local(asked, sandboxDir) && !strings.ContainsRune(asked, 0) {
		found, _ := filepath.Glob(filepath.Join(sandboxDir, asked))
		if len(found) == 0 {
			return nil, nil
		}
		relative, err := filepath.Rel(sandboxDir, found[0])
		if err != nil {
			return nil, err
		}
		asked = relative
	}
	start, err := secureFilePath(asked, sandboxDir)
	if errors.Is(err, fs.ErrNotExist) {
		return missing(asked, sandboxDir)
	}
	if err != nil {
		return nil, err
	}
	if bug("start_link_element") {
		place := filepath.Join(sandboxDir, asked)
		info, err := os.Lstat(place)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 && filepath.Clean(asked) != "." {
			made, err := makeEntry(filepath.Dir(place), place, info.Name(), 1)
			return []entry{made}, err
		}
	}
	return walkFrom(start, asked, sandboxDir)
}

// walkFrom looks at the start and walks it.
func walkFrom(start, asked, sandboxDir string) ([]entry, error) {
	info, err := os.Stat(start)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStat, err)
	}
	if !info.IsDir() {
		if bug("file_itself") && info.Mode().IsRegular() {
			made, err := makeEntry(filepath.Dir(start), start, info.Name(), 1)
			return []entry{made}, err
		}
		if bug("special_start_list") && !info.Mode().IsRegular() {
			return []entry{}, nil
		}
		return nil, fmt.Errorf("%q: %w", asked, errNotDirectory)
	}
	sandbox, err := filepath.EvalSymlinks(sandboxDir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStat, err)
	}
	w := &walker{start: start, asked: asked, sandbox: sandbox, entries: []entry{}, inodes: map[uint64]bool{}, names: map[string]bool{}}
	if bug("list_kept_after_error") {
		w.entries = append(w.entries, leftOver...)
		leftOver = nil
	}
	if bug("start_included") {
		made, err := makeEntry(start, start, info.Name(), 0)
		if err != nil {
			return nil, err
		}
		w.entries = append(w.entries, made)
	}
	err = w.directory(start, 1)
	if err != nil {
		leftOver = w.entries
		if bug("partial_on_error") {
			return w.entries, fmt.Errorf("%w: %w", errWalk, err)
		}
		return nil, fmt.Errorf("%w: %w", errWalk, err)
	}
	if bug("touch_start") {
		now := time.Now()
		os.Chtimes(start, now, now)
	}
	if bug("empty_gives_start") && len(w.entries) == 0 {
		made, err := makeEntry(start, start, info.Name(), 0)
		return []entry{made}, err
	}
	w.finish()
	return w.entries, nil
}

type walker struct {
	start, asked, sandbox string
	entries               []entry
	inodes                map[uint64]bool
	names                 map[string]bool
	linkDepth             int
}

// finish applies what looks at the whole list.
func (w *walker) finish() {
	switch selected {
	case "basename_dedupe":
		kept, seen := []entry{}, map[string]bool{}
		for _, e := range w.entries {
			if !seen[e.Name] {
				seen[e.Name] = true
				kept = append(kept, e)
			}
		}
		w.entries = kept
	case "name_bad_utf8_merged":
		kept, seen := []entry{}, map[string]bool{}
		for _, e := range w.entries {
			decoded := strings.ToValidUTF8(e.Path, "\uFFFD")
			if decoded == e.Path || !seen[decoded] {
				seen[decoded] = true
				kept = append(kept, e)
			}
		}
		w.entries = kept
	case "dir_size_sum", "time_dir_newest":
		for i := range w.entries {
			for _, other := range w.entries {
				if w.entries[i].IsDir && strings.HasPrefix(other.Path, w.entries[i].Path+"/") {
					if bug("dir_size_sum") && other.mode.IsRegular() {
						w.entries[i].Size += other.Size
					}
					if bug("time_dir_newest") && other.when.After(w.entries[i].when) && other.mode&fs.ModeSymlink == 0 {
						w.entries[i].when, w.entries[i].ModTime = other.when, other.ModTime
					}
				}
			}
		}
	}
}

func (w *walker) read(place string) ([]fs.DirEntry, error) {
	if bug("readdir_batch") {
		f, err := os.Open(place)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		found, err := f.ReadDir(256)
		if len(found) > 0 || err.Error() == "EOF" {
			return found, nil
		}
		return nil, err
	}
	found, err := os.ReadDir(place)
	if err != nil && bug("chmod_unreadable") {
		if info, failed := os.Lstat(place); failed == nil && os.Chmod(place, info.Mode().Perm()|0o500) == nil {
			found, err = os.ReadDir(place)
		}
	}
	return found, err
}

var errParentLost = errors.New("cannot read")

// directory lists what is in place, which is at the given depth below the start.
func (w *walker) directory(place string, depth int) error {
	found, err := w.read(place)
	if err != nil {
		if bug("error_parent_lost") && depth > 1 {
			return errParentLost
		}
		return err
	}
	folded := map[string]bool{}
	for _, item := range found {
		name, inner := item.Name(), filepath.Join(place, item.Name())
		if w.skips(item, inner, folded) {
			continue
		}
		made, err := makeEntry(w.start, inner, name, depth)
		if err != nil {
			if !bug("info_error_zero") {
				return err
			}
			relative, _ := filepath.Rel(w.start, inner)
			made = entry{Name: name, Path: relative, IsDir: item.IsDir(), ModTime: time.Time{}.Format(time.RFC3339)}
		}
		isLink := item.Type()&fs.ModeSymlink != 0
		if isLink && bug("broken_link_nil") {
			if _, err := os.Stat(inner); err != nil {
				return err
			}
		}
		if isLink && bug("links_out_omitted") {
			target, err := filepath.EvalSymlinks(inner)
			if err == nil {
				if within, err := filepath.Rel(w.sandbox, target); err != nil || !filepath.IsLocal(within) {
					continue
				}
			}
		}
		w.fix(&made, inner, depth)
		before := len(w.entries)
		w.entries = append(w.entries, made)
		if bug("skipdir_empty_file") && item.Type().IsRegular() && made.Size == 0 {
			return nil
		}
		open := item.IsDir()
		if isLink && bug("follow_inside") && w.linkDepth < 2 {
			target, err := filepath.EvalSymlinks(inner)
			if err == nil {
				info, err := os.Stat(target)
				within, failed := filepath.Rel(w.sandbox, target)
				if err == nil && info.IsDir() && failed == nil && filepath.IsLocal(within) {
					w.linkDepth++
					w.directory(inner, depth+1)
					w.linkDepth--
				}
			}
		}
		switch selected {
		case "hidden_dir_closed":
			open = open && !strings.HasPrefix(name, ".")
		case "vendor_closed":
			open = open && name != "vendor" && name != "testdata" && !strings.HasPrefix(name, "_")
		case "depth_32":
			open = open && depth < 32
		case "dot_shallow":
			open = open && w.start != w.sandbox
		}
		if !open {
			continue
		}
		err = w.directory(inner, depth+1)
		if err == errParentLost {
			return nil
		}
		if err != nil {
			return err
		}
		if bug("empty_dirs_omitted") && len(w.entries) == before+1 {
			w.entries = w.entries[:before]
		}
		if bug("dirs_twice") && len(w.entries) > before+1 {
			w.entries = append(w.entries, made)
		}
	}
	return nil
}

// skips says whether an entry is left out wrongly.
func (w *walker) skips(item fs.DirEntry, inner string, folded map[string]bool) bool {
	name := item.Name()
	switch selected {
	case "name_bad_utf8_dropped":
		return !utf8.ValidString(name)
	case "start_name_skipped":
		return name == filepath.Base(w.start)
	case "sockets_omitted":
		return item.Type()&fs.ModeSocket != 0
	case "dotdot_name_skipped":
		return strings.HasPrefix(name, "..")
	case "backup_omitted":
		return strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".bak") || strings.HasSuffix(name, ".tmp")
	case "case_dedupe":
		key := strings.ToLower(name)
		there := folded[key]
		folded[key] = true
		return there
	case "inode_dedupe":
		if info, err := os.Lstat(inner); err == nil && info.Mode().IsRegular() {
			inode := info.Sys().(*syscall.Stat_t).Ino
			there := w.inodes[inode]
			w.inodes[inode] = true
			return there
		}
	}
	return false
}

// fix applies what needs the state of the walk.
func (w *walker) fix(made *entry, inner string, depth int) {
	switch selected {
	case "path_from_sandbox":
		made.Path, _ = filepath.Rel(w.sandbox, inner)
	case "path_trimleft":
		prefix, _ := filepath.Rel(w.sandbox, w.start)
		whole, _ := filepath.Rel(w.sandbox, inner)
		if prefix != "." {
			made.Path = strings.TrimLeft(whole, prefix+"/")
		}
	case "path_replace_all":
		prefix, _ := filepath.Rel(w.sandbox, w.start)
		whole, _ := filepath.Rel(w.sandbox, inner)
		if prefix != "." {
			made.Path = strings.ReplaceAll(whole, prefix+"/", "")
		}
	case "path_len_arg":
		prefix, _ := filepath.Rel(w.sandbox, w.start)
		surplus := len(w.asked) - len(prefix)
		if surplus > 0 && prefix != "." && strings.Contains(w.asked, prefix) {
			made.Path = made.Path[min(surplus, len(made.Path)):]
		}
	case "dot_prefix":
		if w.start == w.sandbox {
			made.Path = "./" + made.Path
		}
	case "size_hardlink_once":
		if info, err := os.Lstat(inner); err == nil && info.Mode().IsRegular() {
			inode := info.Sys().(*syscall.Stat_t).Ino
			if w.inodes[inode] {
				made.Size = 0
			}
			w.inodes[inode] = true
		}
	case "dir_size_mixed":
		if info, err := os.Lstat(inner); err == nil && made.IsDir && depth > 1 {
			made.Size = info.Size()
		}
	}
}

// makeEntry reads the metadata of one entry; links are not followed.
func makeEntry(start, place, name string, depth int) (entry, error) {
	info, err := os.Lstat(place)
	if err != nil {
		return entry{}, err
	}
	relative, err := filepath.Rel(start, place)
	if err != nil {
		return entry{}, err
	}
	size, err := sizeOf(place, info)
	if err != nil {
		return entry{}, err
	}
	when := info.ModTime()
	if bug("time_ctime") {
		changed := info.Sys().(*syscall.Stat_t).Ctim
		when = time.Unix(changed.Sec, changed.Nsec)
	}
	target, _ := os.Readlink(place)
	return entry{
		Name:    spellName(name, relative, info, depth),
		Path:    spellPath(filepath.ToSlash(relative), info, depth),
		IsDir:   isDir(place, info),
		Size:    size,
		ModTime: timeText(when),
		mode:    info.Mode(),
		target:  target,
		when:    when,
	}, nil
}

func spellName(name, relative string, info fs.FileInfo, depth int) string {
	switch selected {
	case "name_is_path":
		return relative
	case "name_no_ext":
		if stem := strings.TrimSuffix(name, filepath.Ext(name)); info.Mode().IsRegular() && stem != "" {
			return stem
		}
	case "name_cut_newline":
		name, _, _ = strings.Cut(name, "\n")
	case "name_format_verbs":
		return fmt.Sprintf(strings.Clone(name))
	case "name_windows_base":
		if base := name[strings.LastIndexByte(name, '\\')+1:]; base != "" {
			return base
		}
	case "name_html":
		return html.EscapeString(name)
	case "name_quote_ascii":
		quoted := strconv.QuoteToASCII(name)
		return quoted[1 : len(quoted)-1]
	case "name_cut_128":
		if len(name) > 128 {
			return strings.ToValidUTF8(name[:128], "")
		}
	}
	return name
}

func spellPath(path string, info fs.FileInfo, depth int) string {
	switch selected {
	case "path_backslash":
		return strings.ReplaceAll(path, `\`, "/")
	case "path_parent_only":
		if parts := strings.Split(path, "/"); len(parts) > 2 {
			return strings.Join(parts[len(parts)-2:], "/")
		}
	case "path_leading_slash":
		return "/" + path
	case "path_dir_slash":
		if info.IsDir() {
			return path + "/"
		}
	case "path_trim":
		return strings.TrimRight(path, " ")
	}
	return path
}

func isDir(place string, info fs.FileInfo) bool {
	switch selected {
	case "isdir_stat":
		if target, err := os.Stat(place); err == nil {
			return target.IsDir()
		}
	case "isdir_mask":
		return info.Sys().(*syscall.Stat_t).Mode&syscall.S_IFDIR != 0
	case "isdir_mode_exact":
		return info.Mode()&^fs.ModePerm == fs.ModeDir
	}
	return info.IsDir()
}

func sizeOf(place string, info fs.FileInfo) (int64, error) {
	if info.IsDir() {
		return 0, nil // the size of a directory differs between file systems and means nothing to a script
	}
	size := info.Size()
	if !info.Mode().IsRegular() {
		if bug("size_special_minus") && info.Mode()&fs.ModeSymlink == 0 {
			return -1, nil
		}
		return size, nil
	}
	switch selected {
	case "size_blocks":
		size = info.Sys().(*syscall.Stat_t).Blocks * 512
	case "size_int32":
		size = int64(int32(size))
	case "size_unreadable_zero":
		f, err := os.Open(place)
		if err != nil {
			return 0, nil
		}
		f.Close()
	case "size_cached":
		if known, there := sizeCache[place]; there {
			return known, nil
		}
		sizeCache[place] = size
	case "size_runes":
		if content, err := os.ReadFile(place); err == nil && size < 1<<20 {
			size = int64(utf8.RuneCount(content))
		}
	case "size_by_reading":
		f, err := os.Open(place)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		buffer := make([]byte, 1<<16)
		size = 0
		for {
			n, err := f.Read(buffer)
			size += int64(n)
			if err != nil {
				break
			}
		}
	}
	return size, nil
}

func timeText(when time.Time) string {
	switch selected {
	case "time_local_z":
		return when.Local().Format("2006-01-02T15:04:05Z")
	case "time_offset_no_colon":
		return when.UTC().Format("2006-01-02T15:04:05-0700")
	case "time_12_hour":
		return when.UTC().Format("2006-01-02T03:04:05Z07:00")
	case "time_fraction_unpadded":
		return when.UTC().Format("2006-01-02T15:04:05") + "." + strconv.Itoa(when.Nanosecond()) + "Z"
	case "time_negative_clamped":
		if when.Unix() < 0 {
			when = time.Unix(0, 0)
		}
	case "time_int32":
		when = time.Unix(int64(int32(when.Unix())), 0)
	case "time_ceil":
		if when.Nanosecond() > 0 {
			when = when.Truncate(time.Second).Add(time.Second)
		}
	case "time_half_hour":
		_, offset := when.Local().Zone()
		sign := "+"
		if offset < 0 {
			sign, offset = "-", -offset
		}
		return when.Local().Format("2006-01-02T15:04:05") + fmt.Sprintf("%s%02d:00", sign, offset/3600)
	case "time_day_month":
		return when.UTC().Format("2006-02-01T15:04:05Z07:00")
	}
	return when.UTC().Format(time.RFC3339)
}
