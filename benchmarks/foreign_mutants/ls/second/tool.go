package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const outside = "Access denied. Path must be within the project root."

var listed = map[string]bool{
	".git": true, ".hg": true, ".svn": true, "__pycache__": true, "node_modules": true, "target": true, "build": true,
	"dist": true, ".idea": true, ".vscode": true, ".DS_Store": true, "venv": true, ".venv": true,
}

// tool is one call.
type tool struct {
	givenRoot, givenCwd string
	root, cwd           string
	resolved            *string
	request             *request
}

// item is an entry of the listing.
type item struct {
	name     string
	kind     string // what the disk says: dir, file, link
	typ      string // what the answer says
	path     string
	dirFirst bool
	mode     fs.FileMode
	modified time.Time
	leads    *place // of a link, where it leads
	broken   error
	extra    object
}

func runTool(given *value, root, cwd string) string {
	started := time.Now()
	t := &tool{givenRoot: root, givenCwd: cwd}
	body, err := t.guarded(given)
	stats := object{}
	if elapsed := int(time.Since(started).Milliseconds()); elapsed > 0 || err != nil || !is("time_omitempty") {
		stats = append(stats, member{"time_ms", elapsed})
	}
	context := object{{"cwd", t.cwdShown()}}
	if shown, ok := paramsShown(given, t, err); ok {
		context = append(context, member{"params_input", shown})
	}
	if t.resolved != nil && !(is("resolved_missing_by_default") && err == nil && t.request != nil && !t.request.pathGiven) {
		context = append(context, member{"path_resolved", *t.resolved})
	}
	var envelope object
	if err != nil {
		envelope = t.errorBody(err, stats)
	} else {
		envelope = object{{"status", body.status}, {"data", body.data}, {"text", body.text}, {"stats", append(stats, body.stats...)}}
	}
	envelope = append(envelope, member{"context", context})
	var out strings.Builder
	writeJSON(&out, envelope)
	content := out.String()
	if is("content_cut_32k") && len(content) > 32768 {
		content = strings.ToValidUTF8(content[:32768], "")
	}
	return content
}

func (t *tool) errorBody(err *failure, stats object) object {
	var data any = object{}
	if is("error_data_list") {
		data = []any{}
	}
	text := err.message
	switch {
	case is("internal_text_empty") && err.code == "INTERNAL_ERROR":
		text = ""
	case is("missing_text_short") && err.code == "NOT_FOUND":
		text = "Path does not exist."
	}
	var shown any = object{{"code", err.code}, {"message", err.message}}
	if is("error_is_text") && t.request == nil {
		shown = err.message
	}
	envelope := object{{"status", "error"}, {"data", data}, {"text", text}, {"stats", stats}, {"error", shown}}
	if is("error_without_stats") {
		envelope = append(envelope[:3:3], envelope[4])
	}
	return envelope
}

type body struct {
	status string
	data   any
	text   any
	stats  object
}

// guarded runs the call; whatever goes wrong becomes an error of the envelope.
func (t *tool) guarded(given *value) (b *body, err *failure) {
	defer func() {
		if problem := recover(); problem != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", problem, debug.Stack())
			b, err = nil, &failure{"INTERNAL_ERROR", fmt.Sprintf("Failed to list directory - %v", problem)}
		}
	}()
	var problem error
	if t.root, problem = filepath.EvalSymlinks(t.givenRoot); problem != nil {
		return nil, internal(problem)
	}
	if t.cwd, problem = filepath.EvalSymlinks(t.givenCwd); problem != nil {
		return nil, internal(problem)
	}
	if is("working_dir_kept") {
		if first, ok := firstCwd[t.root]; ok {
			t.cwd = first
		}
		firstCwd[t.root] = t.cwd
	}
	request, err := parse(given)
	if err != nil {
		return nil, err
	}
	t.request = request
	return t.list()
}

var firstCwd = map[string]string{}

func internal(err error) *failure {
	var number syscall.Errno
	if errors.As(err, &number) {
		return &failure{"INTERNAL_ERROR", "Failed to list directory - " + number.Error()}
	}
	return &failure{"INTERNAL_ERROR", "Failed to list directory - " + err.Error()}
}

func (t *tool) cwdShown() string {
	if is("cwd_through_link") && t.givenRoot != t.root {
		rel, _ := filepath.Rel(t.root, t.givenCwd)
		return toText(rel)
	}
	if is("cwd_is_target") && t.resolved != nil {
		return *t.resolved
	}
	rel := toText(t.rel(t.cwd))
	if is("cwd_dot_slash") && rel != "." {
		return "./" + rel
	}
	return rel
}

func (t *tool) rel(p string) string {
	rel, err := filepath.Rel(t.root, p)
	if err != nil {
		return p
	}
	return rel
}

func within(root, p string) bool {
	if is("inside_any_case") && len(p) >= len(root) && strings.EqualFold(p[:len(root)], root) {
		return len(p) == len(root) || p[len(root)] == '/'
	}
	return root == "/" || p == root || strings.HasPrefix(p, root+"/")
}

// place is where a path leads.
type place struct {
	at       string
	info     fs.FileInfo // nil if nothing is there
	links    int
	missing  int
	notDir   bool
	lastLink bool
	firstHop string
}

type walkError struct {
	at  string
	err error
}

func (w *walkError) Error() string { return w.err.Error() }
func (w *walkError) Unwrap() error { return w.err }

// walk follows a path on the disk, and goes on by its text where nothing is.
func walk(start, p string) (*place, error) {
	at := start
	if strings.HasPrefix(p, "/") {
		at = "/"
	}
	found := &place{}
	todo := strings.Split(p, "/")
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = path.Dir(at)
			if found.missing > 0 {
				found.missing--
			}
			continue
		}
		next := path.Join(at, name)
		if found.missing > 0 {
			found.missing++
			at = next
			continue
		}
		info, err := os.Lstat(next)
		if err != nil {
			if !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.ENOTDIR) {
				return nil, &walkError{next, err}
			}
			found.notDir = errors.Is(err, syscall.ENOTDIR)
			found.missing = 1
			at = next
			continue
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		found.links++
		found.lastLink = strings.Trim(strings.Join(todo, ""), "./") == ""
		if found.links > 40 {
			return nil, &walkError{next, syscall.ELOOP}
		}
		target, err := os.Readlink(next)
		if err != nil {
			return nil, &walkError{next, err}
		}
		if strings.HasPrefix(target, "/") {
			at = "/"
		}
		if found.firstHop == "" {
			found.firstHop = path.Join(at, target, path.Join(todo...))
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	found.at = at
	if found.missing == 0 {
		info, err := os.Lstat(at)
		if err != nil {
			return nil, &walkError{at, err}
		}
		found.info = info
	}
	return found, nil
}

func (t *tool) told() string {
	p := t.request.path
	if is("message_last_component") {
		p = path.Base(p)
	}
	if is("message_path_escaped") {
		q := strconv.QuoteToASCII(p)
		p = q[1 : len(q)-1]
	}
	return p
}

func (t *tool) missing() *failure {
	return &failure{"NOT_FOUND", fmt.Sprintf("Path '%s' does not exist.", t.told())}
}

func (t *tool) denied() *failure {
	message := fmt.Sprintf("Permission denied accessing '%s'.", t.told())
	if is("closed_message_words") {
		message = "permission denied: " + t.told()
	}
	if is("permission_own_code") {
		return &failure{"PERMISSION_DENIED", message}
	}
	return &failure{"ACCESS_DENIED", message}
}

func refused() *failure {
	if is("outside_message_words") {
		return &failure{"ACCESS_DENIED", "Access denied. Path must be within project root."}
	}
	return &failure{"ACCESS_DENIED", outside}
}

// of makes the envelope's error of one of the system.
func (t *tool) of(err error) *failure {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return t.denied()
	case errors.Is(err, syscall.ELOOP) && is("loop_denied"):
		return t.denied()
	case errors.Is(err, syscall.ENAMETOOLONG) && is("long_name_invalid"):
		return invalid()
	}
	return internal(err)
}

func (t *tool) locate() (*place, *failure) {
	p := t.request.path
	start := t.cwd
	absolute := strings.HasPrefix(p, "/")
	switch {
	case p == "" && is("empty_path_root"), strings.HasPrefix(p, "./") && is("dot_slash_root"):
		start = t.root
	case is("dotdot_clamped") && !absolute:
		start, p = t.root, path.Join("/", t.rel(t.cwd), p)[1:]
	case is("absolute_chroot") && absolute && !within(t.root, path.Clean(p)) && !within(t.givenRoot, path.Clean(p)):
		start, p = t.root, strings.TrimLeft(p, "/")
	case is("dotdot_refused") && strings.Contains("/"+p+"/", "/../"):
		return nil, refused()
	case is("absolute_uncleaned") && absolute && path.Clean(p) != strings.TrimSuffix(p, "/"):
		return nil, refused()
	}
	found, err := walk(start, p)
	if err != nil {
		var w *walkError
		if errors.As(err, &w) && !within(t.root, w.at) {
			return nil, refused()
		}
		if is("parent_closed_internal") && errors.Is(err, fs.ErrPermission) {
			return nil, internal(err)
		}
		return nil, t.of(err)
	}
	border := t.root
	if is("sandbox_is_working_dir") {
		border = t.cwd
	}
	where := found.at
	if is("link_first_hop") && found.links > 0 {
		where = found.firstHop
	}
	switch {
	case !within(border, where):
		if found.info == nil && is("outside_missing_internal") {
			return nil, internal(syscall.ENOENT)
		}
		return nil, refused()
	case is("links_refused") && found.links > 0:
		return nil, refused()
	case is("absolute_root_refused") && absolute && found.at == t.root:
		return nil, refused()
	}
	if is("listed_ancestor_denied") {
		for _, part := range strings.Split(path.Dir(t.rel(found.at)), "/") {
			if listed[part] {
				return nil, refused()
			}
		}
	}
	shown := toText(t.rel(found.at))
	switch {
	case is("resolved_not_cleaned") && strings.Contains(strings.TrimPrefix("/"+p+"/", "/./"), "/.") && !absolute && p != ".":
		shown = strings.TrimPrefix(toText(t.rel(t.cwd))+"/"+p, "./")
	case is("resolved_link_entries_target") && found.links > 0 && !absolute:
		shown = path.Join(toText(t.rel(t.cwd)), p)
	case is("resolved_absolute_if_missing") && found.info == nil:
		shown = toText(found.at)
	}
	t.resolved = &shown
	return found, nil
}

func (t *tool) list() (*body, *failure) {
	found, err := t.locate()
	if err != nil {
		return nil, err
	}
	if found.info == nil || strings.ToValidUTF8(t.request.path, "") != t.request.path {
		switch {
		case is("below_file_internal") && found.notDir:
			return nil, internal(syscall.ENOTDIR)
		case is("missing_parent_internal") && found.missing > 1:
			return nil, internal(syscall.ENOENT)
		case is("missing_created") && found.missing > 0 && !found.notDir:
			if os.MkdirAll(found.at, 0o755) == nil {
				break
			}
			return nil, t.missing()
		case is("missing_lists_parent") && !found.notDir && found.missing > 0:
			for ; found.missing > 0; found.missing-- {
				found.at = path.Dir(found.at)
			}
		default:
			return nil, t.missing()
		}
	} else if !found.info.IsDir() {
		code, word := "INVALID_PARAM", "'%s' is a file, not a directory. Use 'Read' tool to view its content."
		switch {
		case is("file_own_code"):
			code = "NOT_A_DIRECTORY"
		case is("file_slash_internal") && strings.HasSuffix(t.request.path, "/"):
			return nil, internal(syscall.ENOTDIR)
		case is("link_to_file_not_found") && found.links > 0 && found.lastLink:
			return nil, t.missing()
		case is("fifo_opened") && found.info.Mode()&fs.ModeNamedPipe != 0:
			fd, _ := syscall.Open(found.at, syscall.O_RDONLY, 0)
			syscall.Close(fd)
		}
		return nil, &failure{code, fmt.Sprintf(word, t.told())}
	}
	entries, err := t.read(found.at)
	if err != nil {
		return nil, err
	}
	items := make([]*item, 0, len(entries))
	for _, entry := range entries {
		one, err := t.item(found.at, entry.Name(), entry.Type())
		if err != nil {
			return nil, err
		}
		items = append(items, one)
	}
	if is("dot_entries") && t.request.hidden {
		for _, name := range []string{".", ".."} {
			items = append(items, &item{name: name, kind: "dir", typ: "dir", path: strings.TrimPrefix(toText(t.rel(found.at))+"/"+name, "./"), dirFirst: true, mode: fs.ModeDir})
		}
	}
	if t.request.recursive {
		items = t.below(items, 0)
	}
	items = t.lost(found.at, items)
	kept, dropped := t.filter(found.at, items)
	t.sort(kept)
	if is("pages_from_first_call") {
		if t.request.offset > 0 && pages != nil {
			kept = pages
		} else if t.request.offset == 0 {
			pages = kept
		}
	}
	return t.page(found.at, kept, dropped)
}

var pages []*item

func (t *tool) below(items []*item, depth int) []*item {
	var all []*item
	for _, one := range items {
		all = append(all, one)
		if one.kind != "dir" || depth > 20 || listed[one.name] {
			continue
		}
		directory := path.Join(t.root, one.path)
		entries, err := os.ReadDir(directory)
		if err != nil {
			continue
		}
		var next []*item
		for _, entry := range entries {
			if sub, err := t.item(directory, entry.Name(), entry.Type()); err == nil {
				next = append(next, sub)
			}
		}
		all = append(all, t.below(next, depth+1)...)
	}
	return all
}

// read opens the directory without following links, checks where it lies, and reads it.
func (t *tool) read(target string) ([]fs.DirEntry, *failure) {
	fd, err := syscall.Open(target, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		if is("closed_empty") && errors.Is(err, fs.ErrPermission) {
			return nil, nil
		}
		return nil, t.of(err)
	}
	file := os.NewFile(uintptr(fd), target)
	defer file.Close()
	where, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err == nil && !within(t.root, where) && !is("link_first_hop") && !is("parent_not_checked_again") {
		return nil, refused()
	}
	if is("access_tested") {
		if probe, err := os.CreateTemp(target, ".ls-access-*"); err == nil {
			probe.Close()
			os.Remove(probe.Name())
		}
	}
	entries, err := file.ReadDir(-1)
	if err != nil && !is("read_error_swallowed") {
		return nil, t.of(err)
	}
	return entries, nil
}

func (t *tool) item(directory, name string, mode fs.FileMode) (*item, *failure) {
	at := directory + "/" + name
	one := &item{name: name, kind: "file", path: toText(t.rel(at)), mode: mode}
	if is("entry_path_last_two") {
		one.path = toText(path.Join(path.Base(t.rel(directory)), name))
	}
	switch {
	case mode&fs.ModeSymlink != 0:
		one.kind = "link"
	case mode.IsDir():
		one.kind, one.dirFirst = "dir", true
	}
	one.typ = one.kind
	if is("type_socket_own") && mode&fs.ModeSocket != 0 {
		one.typ = "socket"
	}
	if is("not_utf8_dir_file") && one.kind == "dir" && toText(name) != name {
		one.typ, one.dirFirst = "file", false
	}
	if is("entry_hidden_member") && strings.HasPrefix(name, ".") {
		one.extra = object{{"hidden", true}}
	}
	if is("sticky_dir_file") || is("tie_newest_first") {
		if info, err := os.Lstat(at); err == nil {
			one.modified = info.ModTime()
			if is("sticky_dir_file") && info.Mode()&^fs.ModePerm != fs.ModeDir && info.IsDir() {
				one.typ, one.dirFirst = "file", false
			}
		}
	}
	if one.kind != "link" {
		return one, nil
	}
	if is("link_path_absolute") {
		one.path = toText(at)
	}
	one.leads, one.broken = walk(directory, name)
	if one.broken != nil {
		if is("link_closed_fails") && errors.Is(one.broken, fs.ErrPermission) {
			return nil, t.denied()
		}
		return one, nil
	}
	leads := one.leads
	isInside := within(t.root, leads.at)
	isDir := leads.info != nil && leads.info.IsDir()
	one.dirFirst = isDir && isInside
	switch {
	case is("link_absolute_target"):
		if target, err := os.Readlink(at); err == nil && strings.HasPrefix(target, "/") {
			one.dirFirst = false
		}
	case is("link_to_root") && leads.at == t.root:
		one.dirFirst = false
	case is("link_closed_dir") && one.dirFirst:
		if fd, err := syscall.Open(leads.at, syscall.O_RDONLY|syscall.O_DIRECTORY, 0); err != nil {
			one.dirFirst = false
		} else {
			syscall.Close(fd)
		}
	case is("link_file_among_dirs") && isInside && leads.info != nil:
		one.dirFirst = true
	case is("link_sibling_prefix") && isDir && strings.HasPrefix(leads.at, t.root):
		one.dirFirst = true
	case is("link_file_followed") && isInside && leads.info != nil && !isDir:
		one.typ = "file"
	case is("link_out_file") && !isInside:
		one.typ = "file"
	case is("link_out_path_resolved") && !isInside:
		one.path = toText(t.rel(leads.at))
	}
	return one, nil
}

// lost takes away what a listing should have.
func (t *tool) lost(directory string, items []*item) []*item {
	var kept []*item
	inodes := map[uint64]bool{}
	names := map[string]bool{}
	for _, one := range items {
		at := directory + "/" + one.name
		switch {
		case is("hardlinks_once"):
			if info, err := os.Lstat(at); err == nil {
				inode := info.Sys().(*syscall.Stat_t).Ino
				if inodes[inode] {
					continue
				}
				inodes[inode] = true
			}
		case is("long_names_cut") && len(one.name) > 128:
			one.path = one.path[:len(one.path)-len(toText(one.name))] + strings.ToValidUTF8(one.name[:128], "") + "…"
		case is("case_twins_once"):
			if key := strings.ToLower(one.name); names[key] {
				continue
			} else {
				names[key] = true
			}
		case is("backup_names_lost") && strings.HasSuffix(one.name, "~"):
			continue
		case is("empty_dir_lost") && one.kind == "dir":
			if below, err := os.ReadDir(at); err == nil && len(below) == 0 {
				continue
			}
		case is("large_file_lost") && one.kind == "file":
			if info, err := os.Lstat(at); err == nil && int32(info.Size()) < 0 {
				continue
			}
		case is("link_out_lost") && one.leads != nil && !within(t.root, one.leads.at):
			continue
		case is("closed_dir_lost") && one.kind == "dir":
			if fd, err := syscall.Open(at, syscall.O_RDONLY|syscall.O_DIRECTORY, 0); err != nil {
				continue
			} else {
				syscall.Close(fd)
			}
		}
		kept = append(kept, one)
	}
	return kept
}

func (t *tool) hidden(directory string, one *item) bool {
	name := one.name
	if t.request.hidden {
		return name == ".git" && is("git_never_shown")
	}
	if strings.HasPrefix(name, ".") {
		switch {
		case is("hidden_shown_in_hidden_dir") && strings.HasPrefix(path.Base(directory), ".") && one.kind == "file":
			return false
		case is("hidden_first_page_only") && t.request.offset > 0 && one.kind == "file":
			return false
		}
		return true
	}
	if one.kind != "dir" {
		return false
	}
	switch {
	case is("listed_typo") && name == "node_modules":
		return false
	case is("listed_if_not_empty") && listed[name]:
		below, err := os.ReadDir(directory + "/" + name)
		return err != nil || len(below) > 0
	case is("listed_suffix"):
		for suffix := range listed {
			if strings.HasSuffix(name, suffix) {
				return true
			}
		}
	}
	return listed[name]
}

func (t *tool) ignored(directory string, one *item) bool {
	if is("ignore_skips_links") && one.kind == "link" {
		return false
	}
	name, full := toText(one.name), toText(t.rel(directory+"/"+one.name))
	result := false
	for _, pattern := range t.request.ignore {
		if is("hash_comment") && strings.HasPrefix(pattern, "#") {
			continue
		}
		meaning := true
		if is("bang_negates") && strings.HasPrefix(pattern, "!") {
			meaning, pattern = false, pattern[1:]
		}
		met, err := t.meets(name, full, pattern)
		if err != nil {
			break
		}
		if met {
			result = meaning
		}
	}
	return result
}

func (t *tool) meets(name, full, pattern string) (bool, error) {
	if !strings.ContainsAny(pattern, `/\`) {
		if is("plain_pattern_path") {
			return fnmatch(full, pattern)
		}
		return fnmatch(name, pattern)
	}
	for _, spelling := range []string{pattern, strings.ReplaceAll(pattern, `\`, "/")} {
		if is("leading_slash_anchors") {
			spelling = strings.TrimPrefix(spelling, "/")
		}
		if is("pattern_cleaned") {
			spelling = path.Clean(spelling)
		}
		variants := []string{spelling}
		if rest, ok := strings.CutPrefix(spelling, "**/"); ok {
			switch {
			case is("zero_single_component") && strings.Contains(rest, "/"):
			case is("zero_without_wildcards") && strings.ContainsAny(rest, "*?["):
			default:
				variants = append(variants, rest)
			}
		}
		for _, variant := range variants {
			for _, text := range []string{full, name} {
				if is("starstar_one_level") && strings.HasSuffix(variant, "/**") && strings.Count(text, "/") != strings.Count(variant, "/") {
					continue
				}
				met, err := fnmatch(text, variant)
				if met || err != nil {
					return met, err
				}
			}
		}
	}
	return false, nil
}

func (t *tool) filter(directory string, items []*item) (kept []*item, dropped int) {
	for _, one := range items {
		if (t.hidden(directory, one) && !is("hidden_after_page")) || t.ignored(directory, one) {
			dropped++
			continue
		}
		kept = append(kept, one)
	}
	return kept, dropped
}

func (t *tool) sort(items []*item) {
	rank := func(one *item) int {
		switch {
		case is("sort_by_type") && one.kind == "link":
			return 2
		case one.dirFirst:
			return 0
		}
		return 1
	}
	key := func(one *item) string {
		k := strings.ToLower(toText(one.name))
		switch {
		case is("sort_eight_letters") && len(k) > 8:
			k = k[:8]
		case is("sort_files_by_case") && !one.dirFirst:
			k = one.name
		}
		return k
	}
	sort.SliceStable(items, func(i, j int) bool {
		a, b := items[i], items[j]
		if rank(a) != rank(b) {
			return rank(a) < rank(b)
		}
		if is("sort_extension") && !a.dirFirst {
			if x, y := path.Ext(a.name), path.Ext(b.name); x != y {
				return x < y
			}
		}
		if x, y := key(a), key(b); x != y {
			return x < y
		}
		if is("tie_newest_first") && !a.modified.Equal(b.modified) {
			return a.modified.After(b.modified)
		}
		if is("sort_eight_letters") {
			return a.name > b.name
		}
		return a.name < b.name
	})
}
