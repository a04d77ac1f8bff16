package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

type member struct{ key, value string }

type entry struct {
	kind, name, path, real string
	comps                  []string // the parts below the search directory
	size, sec, nsec        int64
	target                 string
	info                   os.FileInfo
	st                     *syscall.Stat_t
	end                    os.FileInfo // of a link: what it leads to, where a switch needs it
	endErr                 error
	members                []member
}

const (
	dirKind   = "DirectoryEntry"
	fileKind  = "FileEntry"
	linkKind  = "SymbolicLinkEntry"
	otherKind = "OtherEntry"
)

// State that only some switches use.
var (
	sizeCache = map[string]int64{}
	timeCache = map[string][2]int64{}
)

// build reads one entry; a link is described itself.
func (r *request) build(real, shown, name string, comps []string) (*entry, error) {
	info, err := os.Lstat(real)
	if err != nil {
		return nil, err
	}
	st := info.Sys().(*syscall.Stat_t)
	e := &entry{name: name, path: shown, real: real, comps: comps, info: info, st: st, size: st.Size,
		sec: int64(st.Mtim.Sec), nsec: int64(st.Mtim.Nsec)}
	mode := info.Mode()
	switch {
	case mode&os.ModeSymlink != 0:
		e.kind = linkKind
		if e.target, err = os.Readlink(real); err != nil {
			return nil, err
		}
	case mode.IsDir():
		e.kind = dirKind
	case mode.IsRegular():
		e.kind = fileKind
	default:
		e.kind = otherKind
	}
	if bug != "" && e.kind == linkKind {
		e.end, e.endErr = os.Stat(real)
	}
	if is("socket_fails") && mode&os.ModeSocket != 0 && !r.find {
		fd, err := syscall.Open(real, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if err != nil {
			return nil, &os.PathError{Op: "open", Path: real, Err: err}
		}
		syscall.Close(fd)
	}
	r.mutate(e)
	r.render(e)
	return e, nil
}

func isDirInfo(i os.FileInfo, err error) bool { return i != nil && err == nil && i.IsDir() }

func readable(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

func timeOf(i os.FileInfo) (int64, int64) {
	t := i.Sys().(*syscall.Stat_t).Mtim
	return int64(t.Sec), int64(t.Nsec)
}

// mutate applies the switches about the values of an entry.
func (r *request) mutate(e *entry) {
	switch bug {
	case "":
		return
	// kinds
	case "stat_dirlinks":
		if e.kind == linkKind && isDirInfo(e.end, e.endErr) {
			e.kind = dirKind
			e.size = e.end.Size()
			e.sec, e.nsec = timeOf(e.end)
		}
	case "link_to_special":
		if e.kind == linkKind && e.endErr == nil && !e.end.IsDir() && !e.end.Mode().IsRegular() {
			e.kind = otherKind
		}
	case "cycle_other":
		if e.kind == linkKind && e.endErr != nil && strings.Contains(e.endErr.Error(), "too many levels") {
			e.kind = otherKind
		}
	case "link_denied_other":
		if e.kind == linkKind && os.IsPermission(e.endErr) {
			e.kind = otherKind
		}
	case "hardlink_as_link":
		if e.kind == fileKind && e.st.Nlink > 1 {
			e.kind, e.target = linkKind, e.path
		}
	case "sticky_dir":
		if e.kind == dirKind && e.info.Mode()&^os.ModePerm != os.ModeDir {
			e.kind = otherKind
		}
	case "setuid_file":
		if e.kind == fileKind && e.info.Mode()&^os.ModePerm != 0 {
			e.kind = otherKind
		}
	case "unreadable_other":
		if e.kind == fileKind && !readable(e.real) {
			e.kind = otherKind
		}
	case "dotted_dir":
		if e.kind == dirKind && strings.LastIndex(e.name, ".") > 0 {
			e.kind = fileKind
		}
	case "find_follow_filelinks":
		if r.find && e.kind == linkKind && e.endErr == nil && e.end.Mode().IsRegular() {
			e.kind, e.size = fileKind, e.end.Size()
			e.sec, e.nsec = timeOf(e.end)
		}
	case "slash_link":
		if e.kind == linkKind && strings.HasSuffix(e.target, "/") {
			e.kind = dirKind
		}
	case "locked_dir_file":
		if e.kind == dirKind && !readable(e.real) {
			e.kind = fileKind
		}
	case "chardev_file":
		if e.info.Mode()&os.ModeCharDevice != 0 {
			e.kind = fileKind
		}
	case "socket_file":
		if e.info.Mode()&os.ModeSocket != 0 {
			e.kind = fileKind
		}
	case "find_special_file":
		if r.find && e.kind == otherKind {
			e.kind = fileKind
		}
	// names
	case "name_trim":
		e.name = strings.TrimRight(e.name, " ")
	case "name_nfc":
		e.name = compose(e.name)
	case "name_backslash":
		e.name = e.name[strings.LastIndex(e.name, `\`)+1:]
	case "name_pctdecode":
		if plain, err := url.PathUnescape(e.name); err == nil {
			e.name = plain
		}
	case "name_amp":
		e.name = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(e.name)
	case "name_dirlink_slash":
		if e.kind == linkKind && isDirInfo(e.end, e.endErr) {
			e.name += "/"
		}
	case "name_long":
		if rs := []rune(e.name); len(rs) > 100 {
			e.name = string(rs[:99]) + "…"
		}
	case "name_astral":
		e.name = strings.Map(func(c rune) rune {
			if c > 0xffff {
				return '?'
			}
			return c
		}, e.name)
	case "name_ctrl":
		e.name = strings.Map(func(c rune) rune {
			if c < 32 || c == 127 {
				return '?'
			}
			return c
		}, e.name)
	case "find_name_rel":
		if r.find {
			e.name = strings.Join(e.comps, "/")
		}
	case "name_shellquote":
		if strings.Contains(e.name, " ") {
			e.name = "'" + e.name + "'"
		}
	// paths
	case "link_path_resolved":
		if e.kind == linkKind && e.endErr == nil {
			if p, err := filepath.EvalSymlinks(e.real); err == nil {
				e.path = p
			}
		}
	case "find_flat_path":
		if r.find {
			e.path = join(r.shown, e.name)
		}
	case "path_pct":
		parts := strings.Split(e.path, "/")
		for i := range parts {
			parts[i] = url.PathEscape(parts[i])
		}
		e.path = strings.Join(parts, "/")
	case "wd_relative":
		if !r.find && r.dir == r.wd {
			e.path = e.name
		}
	case "path_expandenv":
		e.path = os.ExpandEnv(e.path)
	case "path_dir_slash":
		if e.kind == dirKind {
			e.path += "/"
		}
	case "path_long":
		if rs := []rune(e.path); len(rs) > 260 {
			e.path = string(rs[:128]) + "…" + string(rs[len(rs)-128:])
		}
	// sizes
	case "size_float32":
		e.size = int64(float32(e.size))
	case "size_float64":
		e.size = int64(float64(e.size))
	case "size_u32":
		e.size = int64(uint32(e.size))
	case "size_chars":
		if e.kind == fileKind && e.size < 1<<20 {
			if data, err := os.ReadFile(e.real); err == nil && utf8.Valid(data) {
				e.size = int64(utf8.RuneCount(data))
			}
		}
	case "size_crlf":
		if e.kind == fileKind && e.size < 1<<20 {
			if data, err := os.ReadFile(e.real); err == nil {
				e.size -= int64(bytes.Count(data, []byte("\r\n")))
			}
		}
	case "size_unreadable_zero":
		if e.kind == fileKind && !readable(e.real) {
			e.size = 0
		}
	case "size_hardlink_once":
		if e.kind == fileKind && e.st.Nlink > 1 {
			if r.seen[e.st.Ino] {
				e.size = 0
			}
			r.seen[e.st.Ino] = true
		}
	case "size_dir_deep":
		if e.kind == dirKind {
			e.size = 0
			filepath.Walk(e.real, func(_ string, i os.FileInfo, err error) error {
				if err == nil && i.Mode().IsRegular() {
					e.size += i.Size()
				}
				return nil
			})
		}
	case "size_sparse_alloc":
		if e.kind == fileKind && e.st.Blocks*512 < e.size {
			e.size = e.st.Blocks * 512
		}
	case "size_cached":
		if old, ok := sizeCache[e.path]; ok {
			e.size = old
		}
		sizeCache[e.path] = e.size
	case "special_size_minus1":
		if e.info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
			e.size = -1
		}
	case "linksize_target_file":
		if e.kind == linkKind && e.endErr == nil && e.end.Mode().IsRegular() {
			e.size = e.end.Size()
		}
	case "linksize_runes":
		if e.kind == linkKind {
			e.size = int64(utf8.RuneCountInString(e.target))
		}
	case "linksize_abs":
		if e.kind == linkKind && !filepath.IsAbs(e.target) {
			e.size = int64(len(filepath.Join(filepath.Dir(e.path), e.target)))
		}
	case "linksize_dangling_zero":
		if e.kind == linkKind && os.IsNotExist(e.endErr) {
			e.size = 0
		}
	case "find_deep_zero":
		if r.find && len(e.comps) > 1 && e.kind == fileKind {
			e.size = 0
		}
	// times
	case "time_dir_ctime":
		if e.kind == dirKind {
			e.sec, e.nsec = int64(e.st.Ctim.Sec), int64(e.st.Ctim.Nsec)
		}
	case "time_2038":
		e.sec = int64(int32(e.sec))
	case "time_future_clamp":
		if now := time.Now(); e.sec > now.Unix() {
			e.sec, e.nsec = now.Unix(), int64(now.Nanosecond())
		}
	case "time_zero_now":
		if e.sec == 0 && e.nsec == 0 {
			e.sec = time.Now().Unix()
		}
	case "time_dir_children":
		if e.kind == dirKind {
			names, _ := readNames(e.real)
			for _, n := range names {
				if i, err := os.Lstat(join(e.real, n)); err == nil {
					if s, ns := timeOf(i); s > e.sec || s == e.sec && ns > e.nsec {
						e.sec, e.nsec = s, ns
					}
				}
			}
		}
	case "time_dir_cached":
		if e.kind == dirKind {
			if old, ok := timeCache[e.path]; ok {
				e.sec, e.nsec = old[0], old[1]
			}
			timeCache[e.path] = [2]int64{e.sec, e.nsec}
		}
	case "linktime_target_dir":
		if e.kind == linkKind && isDirInfo(e.end, e.endErr) {
			e.sec, e.nsec = timeOf(e.end)
		}
	case "linktime_dangling_zero":
		if e.kind == linkKind && os.IsNotExist(e.endErr) {
			e.sec, e.nsec = 0, 0
		}
	case "linktime_max":
		if e.kind == linkKind && e.endErr == nil && e.end.Mode().IsRegular() {
			if s, ns := timeOf(e.end); s > e.sec || s == e.sec && ns > e.nsec {
				e.sec, e.nsec = s, ns
			}
		}
	case "find_sec_time":
		if r.find {
			e.nsec = 0
		}
	}
	if e.kind == linkKind {
		r.mutateTarget(e)
	}
}

func (r *request) mutateTarget(e *entry) {
	switch bug {
	case "target_final":
		if e.endErr == nil {
			here := e.real
			for hops := 0; hops < 40; hops++ {
				next, err := os.Readlink(here)
				if err != nil {
					break
				}
				if hops > 0 {
					e.target = next
				}
				if !filepath.IsAbs(next) {
					next = filepath.Dir(here) + "/" + next
				}
				here = next
			}
		}
	case "target_buf":
		if len(e.target) > 100 {
			e.target = e.target[:100]
		}
	case "target_strip_dotdot":
		for strings.HasPrefix(e.target, "../") {
			e.target = e.target[3:]
		}
	case "target_abs_start":
		if r.find && !filepath.IsAbs(e.target) {
			e.target = filepath.Join(r.shown, e.target)
		}
	case "target_trim":
		e.target = strings.TrimRight(e.target, " \t\r\n")
	case "target_backslash":
		e.target = strings.ReplaceAll(e.target, `\`, "/")
	case "target_tilde":
		if e.target == "~" || strings.HasPrefix(e.target, "~/") {
			home := os.Getenv("HOME")
			if home == "" {
				home = "/root"
			}
			e.target = home + e.target[1:]
		}
	case "target_outside":
		to := e.target
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(e.path), to)
		}
		if to = filepath.Clean(to); to != r.dir && !strings.HasPrefix(to, r.dir+"/") {
			e.target = "(outside)"
		}
	case "target_dangling_empty":
		if os.IsNotExist(e.endErr) {
			e.target = ""
		}
	case "target_arrow":
		if i := strings.Index(e.name, " -> "); i >= 0 {
			e.target = e.name[i+4:] + " -> " + e.target
			e.name = e.name[:i]
		}
	case "target_octal":
		var b strings.Builder
		for i := 0; i < len(e.target); i++ {
			if e.target[i] >= 0x80 {
				fmt.Fprintf(&b, `\%03o`, e.target[i])
			} else {
				b.WriteByte(e.target[i])
			}
		}
		e.target = b.String()
	}
}

func quote(s string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// render makes the members of the entry.
func (r *request) render(e *entry) {
	ms := e.sec*1000 + e.nsec/1e6
	size, modified, name, kind, kindKey := strconv.FormatInt(e.size, 10), "", quote(e.name), e.kind, "@type"
	switch bug {
	case "go_quote":
		name = strconv.Quote(e.name)
	case "name_digits_number":
		if n, err := strconv.ParseInt(e.name, 10, 64); err == nil && n >= 0 && unicode.IsDigit(rune(e.name[0])) {
			name = strconv.FormatInt(n, 10)
		}
	case "human_size":
		if e.kind == fileKind && e.size >= 1<<20 {
			size = quote(fmt.Sprintf("%.1fM", float64(e.size)/(1<<20)))
		}
	case "size_exponent":
		if e.size >= 1000000 {
			size = strconv.FormatFloat(float64(e.size), 'e', -1, 64)
		}
	case "time_unixnano":
		ms = time.Unix(e.sec, e.nsec).UnixNano() / 1e6
	case "time_sec1000":
		ms = e.sec * 1000
	case "time_ceil":
		if e.nsec%1e6 != 0 {
			ms++
		}
	case "time_tz":
		_, offset := time.Unix(e.sec, 0).Zone()
		ms += int64(offset) * 1000
	case "time_unpadded":
		modified = fmt.Sprintf("%d%d", e.sec, e.nsec/1e6)
		if modified[0] == '0' && len(modified) > 1 {
			modified = modified[1:]
		}
	case "time_unit_guess":
		if ms > -1e11 && ms < 1e11 {
			ms *= 1000
		}
	case "time_abs":
		if ms < 0 {
			ms = -ms
		}
	case "time_fraction":
		if f := e.nsec % 1e6; f != 0 && e.sec >= 0 {
			modified = strings.TrimRight(fmt.Sprintf("%d.%06d", ms, f), "0")
		}
	case "go_type_name":
		if e.kind == linkKind {
			kind = "main." + kind
		}
	case "broken_link_type":
		if e.kind == linkKind && os.IsNotExist(e.endErr) {
			kind = "BrokenLinkEntry"
		}
	case "type_key":
		if e.kind == otherKind {
			kindKey = "type"
		}
	case "fifo_word":
		if e.info.Mode()&os.ModeNamedPipe != 0 {
			kind = "FifoEntry"
		}
	}
	if modified == "" {
		modified = strconv.FormatInt(ms, 10)
	}
	e.members = []member{{kindKey, quote(kind)}, {"name", name}, {"path", quote(e.path)}, {"size", size}, {"lastModified", modified}}
	if e.kind == linkKind {
		e.members = append(e.members, member{"target", quote(e.target)})
	}
	file, dir, link, deep := e.kind == fileKind, e.kind == dirKind, e.kind == linkKind, r.find && len(e.comps) > 1
	switch {
	case is("type_erasure") && r.find:
		e.drop("@type")
	case is("omitempty_size") && file && e.size == 0:
		e.drop("size")
	case is("omitempty_time") && e.sec == 0 && e.nsec < 1e6:
		e.drop("lastModified")
	case is("dir_target_null") && dir:
		e.add("target", "null")
	case is("nlink_member") && file && e.st.Nlink > 1:
		e.add("links", strconv.FormatUint(uint64(e.st.Nlink), 10))
	case is("child_count") && dir:
		if names, _ := readNames(e.real); len(names) > 0 {
			e.add("children", strconv.Itoa(len(names)))
		}
	case is("special_no_size") && e.info.Mode()&os.ModeCharDevice != 0:
		e.drop("size")
	case is("negative_omitted") && ms < 0:
		e.drop("lastModified")
	case is("empty_dir_no_time") && dir:
		if names, err := readNames(e.real); err == nil && len(names) == 0 {
			e.drop("lastModified")
		}
	case is("find_depth_member") && deep:
		e.add("depth", strconv.Itoa(len(e.comps)))
	case is("target_dir_missing") && link && isDirInfo(e.end, e.endErr):
		e.drop("target")
	case is("find_no_target") && r.find && link:
		e.drop("target")
	}
}

func (e *entry) add(key, value string) { e.members = append(e.members, member{key, value}) }

func (e *entry) drop(key string) {
	for i, m := range e.members {
		if m.key == key {
			e.members = append(e.members[:i:i], e.members[i+1:]...)
			return
		}
	}
}

func (e *entry) set(key, value string) {
	for i := range e.members {
		if e.members[i].key == key {
			e.members[i].value = value
		}
	}
}

func (e *entry) json() string {
	var b strings.Builder
	for i, m := range e.members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(m.key) + ":" + m.value)
	}
	return "{" + b.String() + "}"
}

// compose makes single characters of some letters with combining accents.
func compose(s string) string {
	for _, pair := range []string{"a\u0308ä", "o\u0308ö", "u\u0308ü", "e\u0301é", "e\u0300è", "a\u0301á", "i\u0301í", "o\u0301ó", "n\u0303ñ", "c\u0327ç", "a\u030aå",
		"A\u0308Ä", "O\u0308Ö", "U\u0308Ü", "E\u0301É", "A\u030aÅ", "u\u0301ú", "e\u0302ê", "a\u0300à"} {
		cut := len(pair) - 2
		s = strings.ReplaceAll(s, pair[:cut], pair[cut:])
	}
	return s
}
