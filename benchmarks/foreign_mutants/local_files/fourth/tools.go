package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

type request struct {
	tool, asked, wd string
	dir             string // the directory as the system is asked for it
	shown           string // the same in the paths of the entries
	find            bool
	recursive       bool
	text            string // the glob
	glob            *globber
	list            []*entry
	seen            map[uint64]bool
	visits, links   int
	stack           []uint64
	dangling        []string
	pathSet         bool
}

var errStop = errors.New("stop")

// State that only some switches use.
var (
	firstAsked   string
	prefixes     = map[string]string{}
	handles      = map[string]*os.File{}
	listings     = map[string]int{}
	globs        = map[string]*globber{}
	kept         []string
	wasRecursive bool
	missing      = map[string]bool{}
	remembered   = map[string]string{}
)

func join(dir, name string) string {
	if dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}

func readNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

func plain(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

// fail makes the error of a call; it names the path that was asked for.
func (r *request) fail(kind, text string) error {
	name := r.asked
	if r.pathSet {
		switch bug {
		case "msg_find_base":
			if r.find {
				name = filepath.Base(name)
			}
		case "msg_resolved":
			if to, err := os.Readlink(r.dir); err == nil {
				if !filepath.IsAbs(to) {
					to = filepath.Join(filepath.Dir(r.dir), to)
				}
				name = to
			}
		case "msg_ascii":
			name = strings.Trim(strconv.QuoteToASCII(name), `"`)
		case "msg_prev":
			if firstAsked == "" {
				firstAsked = name
			}
			name = firstAsked
		}
	}
	message := name + ": " + text
	if is("msg_notdir_nopath") && strings.Contains(text, "not a directory") {
		message = text
	}
	if rs := []rune(message); is("msg_cut") && len(rs) > 60 {
		message = string(rs[:60])
	}
	if is("error_log") && r.pathSet {
		r.logError(message)
	}
	return &failure{kind, message}
}

func (r *request) logError(message string) {
	at := filepath.Dir(r.dir)
	for {
		if i, err := os.Stat(at); err == nil && i.IsDir() || at == "/" {
			break
		}
		at = filepath.Dir(at)
	}
	if !r.harmless() {
		return
	}
	if f, err := os.OpenFile(at+"/localfiles.log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err == nil {
		fmt.Fprintln(f, message)
		f.Close()
	}
}

func call(params object) (string, error) {
	context, _ := params["context"].(object)
	r := &request{seen: map[uint64]bool{}}
	r.tool, _ = params["tool"].(string)
	r.wd, _ = context["working_dir"].(string)
	if r.tool != "listDirectory" && r.tool != "findFiles" {
		return "", &failure{"UnknownTool", "there is no tool " + r.tool}
	}
	r.find = r.tool == "findFiles"
	arguments, ok := params["arguments"].(object)
	if !ok {
		return "", &failure{"BadArgs", "the arguments must be an object"}
	}
	if err := r.path(arguments); err != nil {
		return "", err
	}
	if !r.find {
		return r.listDirectory()
	}
	if err := r.search(arguments); err != nil {
		return "", err
	}
	return r.findFiles()
}

// path reads the argument path.
func (r *request) path(arguments object) error {
	value, given := arguments["path"]
	if list, ok := value.([]any); ok && len(list) == 1 && is("err_array_path") {
		value = list[0]
	}
	if given && value == nil && is("err_null_path") {
		value = r.wd
	}
	asked, ok := value.(string)
	if !ok {
		text, _ := json.Marshal(value)
		r.asked = string(text)
		return r.fail("BadArgs", "path is required and must be a text")
	}
	r.asked = asked
	if i := strings.IndexByte(asked, 0); i >= 0 {
		if !is("err_nul_cut") {
			return r.fail("BadArgs", "the path contains a NUL character")
		}
		asked = asked[:i]
	}
	if asked == "" {
		return r.fail("BadArgs", "the path is empty")
	}
	switch bug {
	case "path_trim":
		asked = strings.TrimRight(asked, " ")
	case "path_pct_request":
		if p, err := url.PathUnescape(asked); err == nil {
			asked = p
		}
	}
	if !filepath.IsAbs(asked) {
		asked = r.wd + "/" + asked
	}
	r.dir = filepath.Clean(asked)
	r.shown = r.dir
	r.pathSet = true
	switch bug {
	case "trailing_slash_error":
		if strings.HasSuffix(asked, "/") && r.dir != "/" {
			return r.fail("ExecutionFailed", "invalid path")
		}
	case "dotdot_refused":
		if strings.Contains(asked, "..") {
			return r.fail("ExecutionFailed", "path traversal")
		}
	case "link_request_target":
		if to, err := os.Readlink(r.dir); err == nil && !filepath.IsAbs(to) {
			r.shown = to
		}
	case "dotdot_path":
		if strings.Contains(asked, "/..") {
			r.shown = filepath.Clean(strings.ReplaceAll(asked+"/", "/../", "/"))
		}
	case "path_cached_prefix":
		base := filepath.Base(r.dir)
		if old, ok := prefixes[base]; ok {
			r.shown = old
		} else {
			prefixes[base] = r.dir
		}
	}
	return nil
}

// search reads the other arguments of findFiles.
func (r *request) search(arguments object) error {
	var ok bool
	if r.recursive, ok = arguments["recursive"].(bool); !ok {
		return r.fail("BadArgs", "recursive is required and must be true or false")
	}
	if is("sticky_recursive") {
		wasRecursive = wasRecursive || r.recursive
		r.recursive = wasRecursive
	}
	value, given := arguments["glob"]
	switch {
	case !given && is("glob_missing_all"):
		value = "**/*"
	case given && value == nil && is("glob_null_empty"):
		value = ".^nothing^."
	case is("glob_number_text"):
		if n, ok := value.(json.Number); ok {
			value = n.String()
		}
	case is("glob_array"):
		if list, ok := value.([]any); ok {
			var parts []string
			for _, x := range list {
				parts = append(parts, fmt.Sprint(x))
			}
			value = "{" + strings.Join(parts, ",") + "}"
		}
	}
	if r.text, ok = value.(string); !ok {
		return r.fail("BadArgs", "glob is required and must be a text")
	}
	if r.text == "" {
		return r.fail("BadArgs", "the glob is empty")
	}
	var err error
	if r.glob, err = compile(r.text); err != nil {
		if is("glob_lazy") {
			if names, rerr := readNames(r.dir); rerr == nil && len(names) == 0 {
				r.glob = &globber{}
				return nil
			}
		}
		if is("glob_nonrec_swallow") && !r.recursive {
			r.glob = &globber{}
			return nil
		}
		return r.fail("BadArgs", fmt.Sprintf("%v: %s", err, r.text))
	}
	if is("glob_cached") {
		if old, ok := globs[r.dir]; ok {
			r.glob = old
		}
		globs[r.dir] = r.glob
	}
	return nil
}

// begin requires that the path is a directory. To open a FIFO would wait for its writer.
func (r *request) begin() (empty bool, err error) {
	if is("neg_cache") && missing[r.dir] {
		return false, r.fail("ExecutionFailed", "no such file or directory")
	}
	info, err := os.Stat(r.dir)
	if err != nil {
		if os.IsNotExist(err) {
			missing[r.dir] = true
		}
		if !r.find {
			switch {
			case is("err_enotdir_parent") && errors.Is(err, syscall.ENOTDIR),
				is("err_loop_empty") && errors.Is(err, syscall.ELOOP),
				is("err_toolong_empty") && errors.Is(err, syscall.ENAMETOOLONG),
				is("err_parent_denied_empty") && errors.Is(err, syscall.EACCES):
				return true, nil
			case is("err_dangling_empty") && os.IsNotExist(err):
				if _, lerr := os.Lstat(r.dir); lerr == nil {
					return true, nil
				}
			case is("mkdir_missing") && r.harmless() && os.IsNotExist(err):
				if os.MkdirAll(r.dir, 0o755) == nil {
					return false, nil
				}
			case is("err_case_fallback") && os.IsNotExist(err):
				if names, rerr := readNames(filepath.Dir(r.dir)); rerr == nil {
					sort.Strings(names)
					for _, n := range names {
						p := join(filepath.Dir(r.dir), n)
						if i, serr := os.Stat(p); serr == nil && i.IsDir() && strings.EqualFold(n, filepath.Base(r.dir)) {
							r.dir, r.shown = p, p
							return false, nil
						}
					}
				}
			case is("err_missing_parent") && os.IsNotExist(err):
				at := r.dir
				for at != "/" {
					at = filepath.Dir(at)
					if i, serr := os.Stat(at); serr == nil && i.IsDir() {
						r.dir, r.shown = at, at
						return false, nil
					}
				}
			}
		}
		return false, r.fail("ExecutionFailed", plain(err))
	}
	if !info.IsDir() {
		if !r.find && is("err_file_self") && info.Mode().IsRegular() {
			e, berr := r.build(r.dir, r.shown, filepath.Base(r.dir), []string{filepath.Base(r.dir)})
			if berr == nil {
				r.list = append(r.list, e)
				return true, nil
			}
		}
		if !r.find && is("err_special_empty") && !info.Mode().IsRegular() {
			return true, nil
		}
		return false, r.fail("ExecutionFailed", "not a directory")
	}
	if is("link_request_error") && !r.find {
		if i, lerr := os.Lstat(r.dir); lerr == nil && !i.IsDir() {
			return false, r.fail("ExecutionFailed", "not a directory")
		}
	}
	return false, nil
}

func (r *request) listDirectory() (string, error) {
	empty, err := r.begin()
	if err != nil {
		return "", err
	}
	if empty {
		return r.output()
	}
	key := ""
	if is("list_cached") {
		if i, err := os.Stat(r.dir); err == nil {
			key = fmt.Sprint(r.dir, "\x00", i.ModTime().Unix())
			if old, ok := remembered[key]; ok {
				return old, nil
			}
		}
	}
	if is("lock_file") && r.harmless() {
		lock := join(r.dir, ".localfiles.lock")
		f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return "", r.fail("ExecutionFailed", plain(err))
		}
		f.Close()
		os.Remove(lock)
	}
	names, err := r.names()
	if err != nil {
		if is("err_unreadable_empty") {
			return r.output()
		}
		return "", r.fail("ExecutionFailed", plain(err))
	}
	ignored := r.ignored(names)
	folded, shownNames := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		real, shown, label := join(r.dir, name), join(r.shown, name), name
		if r.skipName(name) || ignored(name) {
			continue
		}
		if is("case_dedupe") {
			if folded[strings.ToLower(name)] {
				continue
			}
			folded[strings.ToLower(name)] = true
		}
		if is("nonutf8_dedupe") {
			if decoded := string([]rune(name)); shownNames[decoded] {
				continue
			} else {
				shownNames[decoded] = true
			}
		}
		if is("compact_single") {
			for {
				i, serr := os.Lstat(real)
				if serr != nil || !i.IsDir() {
					break
				}
				below, serr := readNames(real)
				if serr != nil || len(below) != 1 {
					break
				}
				if i, serr = os.Lstat(join(real, below[0])); serr != nil || !i.IsDir() {
					break
				}
				real, shown, label = join(real, below[0]), join(shown, below[0]), label+"/"+below[0]
			}
		}
		e, err := r.build(real, shown, label, []string{label})
		if err != nil {
			if os.IsNotExist(err) || is("err_noexec_empty") && errors.Is(err, syscall.EACCES) {
				continue
			}
			return "", r.fail("ExecutionFailed", plain(err))
		}
		if r.skipEntry(e) {
			continue
		}
		r.list = append(r.list, e)
		if is("probe_create") && e.kind == linkKind && r.near(e) {
			if f, err := os.OpenFile(real, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o644); err == nil {
				f.Close()
			}
		}
		if is("repair_names") && r.harmless() && !utf8.ValidString(name) {
			os.Rename(real, join(r.dir, strings.ToValidUTF8(name, "_")))
		}
	}
	if is("dot_self") && len(names) == 0 {
		if e, err := r.build(r.dir, r.shown, ".", []string{"."}); err == nil {
			r.list = append(r.list, e)
		}
	}
	if is("restore_times") && r.harmless() {
		if i, err := os.Stat(r.dir); err == nil {
			st := i.Sys().(*syscall.Stat_t)
			os.Chtimes(r.dir, time.Unix(int64(st.Atim.Sec), 0), time.Unix(int64(st.Mtim.Sec), 0))
		}
	}
	r.sort()
	if is("limit_1000") && len(r.list) > 1000 {
		r.list = r.list[:1000]
	}
	if is("reversed_second") {
		if listings[r.dir]++; listings[r.dir]%2 == 0 {
			for i, j := 0, len(r.list)-1; i < j; i, j = i+1, j-1 {
				r.list[i], r.list[j] = r.list[j], r.list[i]
			}
		}
	}
	if is("list_cached") && key != "" {
		all, err := r.output()
		remembered[key] = all
		return all, err
	}
	return r.output()
}

// names reads the names of the directory that is listed.
func (r *request) names() ([]string, error) {
	switch bug {
	case "handle_cached":
		f := handles[r.dir]
		if f == nil {
			var err error
			if f, err = os.Open(r.dir); err != nil {
				return nil, err
			}
			handles[r.dir] = f
		}
		return f.Readdirnames(-1)
	case "batch_lost":
		f, err := os.Open(r.dir)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		var names []string
		for {
			batch, _ := f.Readdirnames(128)
			if len(batch) < 128 && len(names) > 0 {
				return names, nil
			}
			names = append(names, batch...)
			if len(batch) == 0 {
				return names, nil
			}
		}
	case "glob_based_list":
		if strings.ContainsAny(r.dir, "[]*?") {
			if _, err := readNames(r.dir); err != nil {
				return nil, err
			}
			var names []string
			found, _ := filepath.Glob(r.dir + "/*")
			for _, p := range found {
				if filepath.Dir(p) == r.dir {
					names = append(names, filepath.Base(p))
				}
			}
			return names, nil
		}
	case "newline_split":
		names, err := readNames(r.dir)
		return strings.FieldsFunc(strings.Join(names, "\n"), func(c rune) bool { return c == '\n' }), err
	case "leading_space_lost":
		names, err := readNames(r.dir)
		for i := range names {
			names[i] = strings.TrimLeft(names[i], " ")
		}
		return names, err
	}
	return readNames(r.dir)
}

func (r *request) skipName(name string) bool {
	switch bug {
	case "dot_two":
		return len(name) < 3 && name[0] == '.'
	case "dotdot_prefix":
		return strings.HasPrefix(name, "..")
	case "secrets":
		return strings.HasSuffix(name, ".pem") || strings.HasSuffix(name, ".key") || strings.HasPrefix(name, "id_rsa")
	case "nonutf8_skipped":
		return !utf8.ValidString(name)
	}
	return false
}

func (r *request) skipEntry(e *entry) bool {
	switch bug {
	case "hidden_dirs":
		return e.kind == dirKind && e.name[0] == '.'
	case "unreadable_skipped":
		return e.kind == fileKind && !readable(e.real)
	case "empty_file_skip":
		return e.kind == fileKind && e.size == 0
	case "fifo_skipped":
		return e.info.Mode()&os.ModeNamedPipe != 0
	case "dangling_skipped":
		return e.kind == linkKind && os.IsNotExist(e.endErr)
	case "inode_dedupe":
		if e.kind == fileKind && e.st.Nlink > 1 {
			if r.seen[e.st.Ino] {
				return true
			}
			r.seen[e.st.Ino] = true
		}
	}
	return false
}

func (r *request) ignored(names []string) func(string) bool {
	var patterns []string
	if is("gitignore") {
		data, _ := os.ReadFile(r.dir + "/.gitignore")
		for _, line := range strings.Split(string(data), "\n") {
			if line = strings.Trim(strings.TrimSpace(line), "/"); line != "" && line[0] != '#' {
				patterns = append(patterns, line)
			}
		}
	}
	return func(name string) bool {
		for _, p := range patterns {
			if ok, _ := filepath.Match(p, name); ok {
				return true
			}
		}
		return false
	}
}

func (r *request) findFiles() (string, error) {
	if _, err := r.begin(); err != nil {
		return "", err
	}
	if is("through_link_path") {
		parent := filepath.Dir(r.dir)
		if to, err := filepath.EvalSymlinks(parent); err == nil && to != parent {
			return r.output()
		}
	}
	if is("find_dotted_none") && strings.Contains(r.asked+"/", "/./") || is("find_dotted_none") && strings.Contains(r.asked+"/", "/../") ||
		is("find_path_pattern") && strings.ContainsAny(r.dir, "[]{}") {
		return r.output()
	}
	if is("start_included") && (r.text == "*" || r.text == "**" || r.text == "**/*") {
		if e, err := r.build(r.dir, r.shown, ".", []string{"."}); err == nil {
			r.list = append(r.list, e)
		}
	}
	limit := 1
	if r.recursive {
		limit = 1 << 30
	} else {
		switch bug {
		case "dstar_overrides":
			if strings.HasPrefix(r.text, "**/") {
				limit = 1 << 30
			}
		case "three_levels":
			limit = 3
		case "link_start_recursive":
			if _, err := os.Readlink(r.dir); err == nil {
				limit = 1 << 30
			}
		case "nonrec_suffix":
			if strings.Contains(r.text, "/") && !strings.HasPrefix(r.text, "**/") {
				limit = 1 << 30
			}
		}
	}
	if err := r.walk(r.dir, nil, limit); err != nil && err != errStop {
		return "", err
	}
	for _, p := range r.dangling {
		os.Remove(p)
	}
	r.sort()
	return r.output()
}

func skippable(err error) bool {
	return os.IsNotExist(err) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

func inode(i os.FileInfo) uint64 { return i.Sys().(*syscall.Stat_t).Ino }

// walk searches one directory and what is below it. Links are not followed.
func (r *request) walk(real string, comps []string, limit int) error {
	names, err := readNames(real)
	if err != nil && is("search_chmod") && r.harmless() && errors.Is(err, syscall.EACCES) && len(comps) > 0 {
		if i, serr := os.Lstat(real); serr == nil && os.Chmod(real, i.Mode().Perm()|0o500) == nil {
			names, err = readNames(real)
		}
	}
	if err != nil {
		switch {
		case len(comps) == 0:
			return r.fail("ExecutionFailed", plain(err))
		case is("unreadable_stops"):
			return errStop
		case skippable(err) && !(is("follow_no_cycle") && errors.Is(err, syscall.ELOOP)):
			return nil
		}
		return r.fail("ExecutionFailed", plain(err))
	}
	if !is("find_raw_order") && !is("find_basename_tie") {
		sort.Strings(names)
	}
	if is("ancestor_stops") {
		if i, serr := os.Stat(real); serr == nil {
			r.stack = append(r.stack, inode(i))
			defer func() { r.stack = r.stack[:len(r.stack)-1] }()
		}
	}
	marked := false
	for _, name := range names {
		p := join(real, name)
		c := append(append(make([]string, 0, len(comps)+1), comps...), name)
		if r.visits++; is("follow_no_cycle") && r.visits > 20000 {
			return r.fail("ExecutionFailed", syscall.ELOOP.Error())
		}
		info, err := os.Lstat(p)
		if err != nil {
			if skippable(err) && !is("follow_no_cycle") && !(len(comps) == 0 && errors.Is(err, syscall.EACCES)) {
				continue
			}
			return r.fail("ExecutionFailed", plain(err))
		}
		isLink := info.Mode()&os.ModeSymlink != 0
		var end os.FileInfo
		var endErr error
		if isLink && bug != "" {
			end, endErr = os.Stat(p)
			switch {
			case is("loop_error") && errors.Is(endErr, syscall.ELOOP), is("dangling_error") && os.IsNotExist(endErr):
				return r.fail("ExecutionFailed", plain(endErr))
			case is("prune_dangling") && r.harmless() && os.IsNotExist(endErr):
				r.dangling = append(r.dangling, p)
			case is("link_marks_visited") && isDirInfo(end, endErr):
				r.seen[inode(end)] = true
			}
			if r.links++; is("link_count_8") && r.links > 8 {
				return errStop
			}
			if is("ancestor_stops") && isDirInfo(end, endErr) {
				for _, ino := range r.stack {
					if ino == inode(end) {
						return errStop
					}
				}
			}
			if is("marker_files") && r.harmless() && r.recursive && !marked {
				marked = true
				if os.WriteFile(join(real, ".localfiles-visited"), nil, 0o600) == nil {
					os.Remove(join(real, ".localfiles-visited"))
				}
			}
		}
		hit := r.matches(c)
		if hit && info.Mode().IsRegular() {
			if is("empty_files_unfound") && info.Size() == 0 || is("unreadable_files_unfound") && !readable(p) {
				hit = false
			}
		}
		if hit {
			e, err := r.build(p, join(r.shown, strings.Join(c, "/")), name, c)
			if err != nil {
				if skippable(err) {
					continue
				}
				return r.fail("ExecutionFailed", plain(err))
			}
			r.list = append(r.list, e)
			if is("dup_dstar") && strings.Count(r.text, "**/") > 1 && len(c) > 1 {
				r.list = append(r.list, e)
			}
			if is("find_limit") && len(r.list) >= 100 {
				return errStop
			}
		}
		if isLink && isDirInfo(end, endErr) {
			if is("link_skips_siblings") {
				break
			}
			if is("follow_no_cycle") && len(c) < limit {
				if err := r.walk(p, c, limit); err != nil {
					return err
				}
			}
		}
		if !info.IsDir() {
			if is("hidden_file_skips") && name[0] == '.' {
				break
			}
			continue
		}
		if len(c) >= limit && !(is("single_dir_entered") && len(names) == 1) || r.pruned(p, name, comps, info, hit) {
			continue
		}
		if err := r.walk(p, c, limit); err != nil {
			return err
		}
	}
	return nil
}

func (r *request) matches(c []string) bool {
	if is("nonrec_suffix") && !r.recursive && strings.Contains(r.text, "/") && !strings.HasPrefix(r.text, "**/") {
		for i := range c {
			if r.glob.match(c[i:]) {
				return true
			}
		}
		return false
	}
	if is("find_slash_cut") && strings.HasSuffix(r.asked, "/") && r.dir != "/" {
		_, w := utf8.DecodeRuneInString(c[0])
		c = append([]string{c[0][w:]}, c[1:]...)
		if c[0] == "" && len(c) > 1 {
			return false
		}
	}
	if is("glob_nfc") {
		c = append([]string{}, c...)
		for i := range c {
			c[i] = compose(c[i])
		}
	}
	return r.glob.match(c)
}

// pruned tells whether a switch keeps the search out of a directory.
func (r *request) pruned(p, name string, above []string, info os.FileInfo, hit bool) bool {
	switch bug {
	case "depth_10":
		return len(above)+1 >= 10
	case "prune_match":
		return hit
	case "hidden_dirs_skip":
		return name[0] == '.'
	case "nofile_dir_prune":
		names, err := readNames(p)
		if err != nil {
			return false
		}
		for _, n := range names {
			if i, err := os.Lstat(join(p, n)); err == nil && !i.IsDir() {
				return false
			}
		}
		return len(names) > 0
	case "nonutf8_dir":
		return !utf8.ValidString(name)
	case "bracket_dir":
		return strings.ContainsAny(name, "[]")
	case "same_name_ancestor":
		for _, n := range above {
			if n == name {
				return true
			}
		}
		return name == filepath.Base(r.dir)
	case "link_marks_visited":
		return r.seen[inode(info)]
	}
	return false
}

var ranks = map[string]int{dirKind: 0, fileKind: 1, linkKind: 2, otherKind: 3}

func compareParts(a, b []string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if c := strings.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

func (r *request) rank(e *entry) int {
	k := ranks[e.kind]
	switch bug {
	case "files_first":
		if k < 2 {
			k = 1 - k
		}
	}
	return k
}

func isHidden(e *entry) bool { return strings.HasPrefix(e.name, ".") }

// less is the order: by kind as in the document's example, and by path within a kind.
func (r *request) less(a, b *entry) bool {
	switch bug {
	case "hidden_last":
		if isHidden(a) != isHidden(b) {
			return !isHidden(a)
		}
	case "sort_extension":
		if x, y := filepath.Ext(a.name), filepath.Ext(b.name); x != y {
			return x < y
		}
	}
	if x, y := r.rank(a), r.rank(b); x != y {
		return x < y
	}
	switch bug {
	case "kind_only_sort", "map_order":
		return false
	case "inode_order":
		return a.st.Ino < b.st.Ino
	case "case_tie":
		return strings.ToLower(a.path) < strings.ToLower(b.path)
	case "nonutf8_tie":
		return string([]rune(a.path)) < string([]rune(b.path))
	case "find_basename_tie":
		if r.find {
			return a.name < b.name
		}
	}
	return compareParts(a.comps, b.comps) < 0
}

func (r *request) sort() {
	list := r.list
	stable := func(part []*entry) {
		sort.SliceStable(part, func(i, j int) bool { return r.less(part[i], part[j]) })
	}
	switch bug {
	case "map_order":
		byPath := map[string]*entry{}
		for _, e := range list {
			byPath[e.real] = e
		}
		list = list[:0]
		for _, e := range byPath {
			list = append(list, e)
		}
	case "batch_sorted":
		for ; len(list) > 100; list = list[100:] {
			stable(list[:100])
		}
	case "sort_over_500":
		if len(list) > 500 {
			return
		}
	case "last_unsorted":
		if len(list) > 1 {
			list = list[:len(list)-1]
		}
	case "find_raw_order":
		if r.find {
			return
		}
	case "links_unsorted":
		var raw []*entry
		for _, e := range list {
			if e.kind == linkKind {
				raw = append(raw, e)
			}
		}
		stable(list)
		for i, e := range list {
			if e.kind == linkKind {
				list[i], raw = raw[0], raw[1:]
			}
		}
		return
	}
	stable(list)
}

// output writes the list as JSON.
func (r *request) output() (string, error) {
	n := len(r.list)
	if n == 0 && (is("nil_slice") && !r.find || is("find_null") && r.find) {
		return "null", nil
	}
	var items []string
	for _, e := range r.list {
		switch {
		case is("lazy_big") && n > 100:
			e.set("size", "null")
			e.set("lastModified", "null")
		case is("find_paths_over_20") && r.find && n > 20:
			items = append(items, quote(e.path))
			continue
		case is("null_for_special") && e.kind == otherKind:
			items = append(items, "null")
			continue
		}
		items = append(items, e.json())
	}
	if is("results_kept") && r.find {
		kept = append(kept, items...)
		items = kept
	}
	if is("single_unwrapped") && n == 1 {
		return items[0], nil
	}
	if is("chunked_arrays") && n > 256 {
		var b strings.Builder
		for ; len(items) > 0; items = items[min(256, len(items)):] {
			b.WriteString("[" + strings.Join(items[:min(256, len(items))], ",") + "]")
		}
		return b.String(), nil
	}
	all := "[" + strings.Join(items, ",") + "]"
	if is("wrapped_big") && n >= 50 {
		return fmt.Sprintf(`{"entries":%s,"count":%d}`, all, n), nil
	}
	return all, nil
}

// harmless keeps the switches that change something out of directories of the system: only what is near the
// working directory of the call, which is in the workspace, is changed.
func (r *request) harmless() bool { return below(filepath.Dir(r.wd), r.dir) }

func below(top, path string) bool {
	return len(top) > 1 && top != "/tmp" && top != "/dev/shm" && strings.HasPrefix(path+"/", top+"/") || strings.HasPrefix(path, "/dev/shm/treeproof")
}

// near tells whether the target of a link is in the workspace as well.
func (r *request) near(e *entry) bool {
	to := e.target
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(e.real), to)
	}
	return r.harmless() && below(filepath.Dir(r.wd), filepath.Clean(to))
}
