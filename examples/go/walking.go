// The walk: the entries and their kinds. It follows no link and changes nothing.
package main

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
)

type entry struct {
	raw, name, path string // raw is the path in the bytes of the file system; name and path are valid UTF-8
	depth           int
	kind            string
	size, modified  *int64 // bytes; milliseconds since 1970
	hidden          bool
	code, trouble   string
}

type walker struct {
	wanted    *listing
	limit     int64
	entries   []entry
	truncated bool
}

func walk(place string, wanted *listing) ([]entry, bool, error) {
	if found, err := os.Lstat(place); err != nil {
		return nil, false, unreachable(err)
	} else if !found.IsDir() {
		return nil, false, fail("ExecutionFailed", "path is not a directory")
	}
	names, err := read(place)
	if err != nil {
		return nil, false, fail("ExecutionFailed", "directory cannot be read")
	}
	w := walker{wanted: wanted, limit: wanted.maxEntries.small()}
	w.visit(place, names, entry{})
	return w.entries, w.truncated, nil
}

// read opens a directory without following a link that replaced it.
func read(place string) ([]string, error) {
	descriptor, err := syscall.Open(place, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	directory := os.NewFile(uintptr(descriptor), place)
	defer directory.Close()
	return directory.Readdirnames(-1)
}

func (w *walker) visit(place string, names []string, above entry) {
	// FR-LD-LST-05; names with the same text are ordered by their bytes.
	slices.SortFunc(names, func(a, b string) int {
		if order := strings.Compare(lossy(a), lossy(b)); order != 0 {
			return order
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		if strings.HasPrefix(name, ".") && !w.wanted.hidden {
			continue
		}
		here := place + "/" + name
		item := described(here, name, above)
		enter := item.kind == "dir" && item.depth < w.wanted.maxDepth
		var below []string
		if enter {
			var err error
			if below, err = read(here); err != nil {
				enter = false
				if otherReadings { // beside the failure, which has no time
					w.add(item)
					item.modified = nil
				}
				item.kind, item.code, item.trouble = "unknown", "read_dir_failed", "directory cannot be read"
			}
		}
		w.add(item)
		if w.truncated {
			return
		}
		if enter {
			w.visit(here, below, item)
		}
		if w.truncated {
			return
		}
	}
}

// add adds an entry of a kind that is wanted; one above the limit ends the walk.
func (w *walker) add(item entry) {
	if !w.wanted.includes[item.kind] {
		return
	}
	if int64(len(w.entries)) >= w.limit {
		w.truncated = true
		return
	}
	w.entries = append(w.entries, item)
}

func described(place, name string, above entry) entry {
	item := entry{
		raw: name, name: lossy(name), path: lossy(name), depth: above.depth + 1, kind: "unknown",
		hidden: strings.HasPrefix(name, "."),
	}
	if above.depth > 0 {
		item.raw, item.path = above.raw+"/"+name, above.path+"/"+item.name
	}
	found, err := os.Lstat(place)
	if err != nil {
		item.code, item.trouble = cause(err)
		return item
	}
	switch mode := found.Mode(); {
	case mode.IsRegular():
		size := found.Size()
		item.kind, item.size = "file", &size
	case mode.IsDir():
		item.kind = "dir"
	case mode&os.ModeSymlink != 0:
		item.kind = "symlink"
	default:
		item.kind = "other"
	}
	item.modified = milliseconds(found.Sys().(*syscall.Stat_t).Mtim)
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

// milliseconds rounds down, also before 1970; it returns nil beyond an int64. By the other readings it rounds to the
// nearest, and returns nil before 1970.
func milliseconds(time syscall.Timespec) *int64 {
	if otherReadings {
		if time.Sec < 0 || time.Sec > math.MaxInt64/1000-1 {
			return nil
		}
		ms := time.Sec*1000 + (time.Nsec+500_000)/1_000_000
		return &ms
	}
	if time.Sec > math.MaxInt64/1000-1 || time.Sec < math.MinInt64/1000 {
		return nil
	}
	ms := time.Sec*1000 + time.Nsec/1_000_000
	return &ms
}

// lossy is a conversion by Go: one U+FFFD for each byte that is not UTF-8, or for each run of them.
func lossy(name string) string {
	if otherReadings {
		return strings.ToValidUTF8(name, "\uFFFD")
	}
	return string([]rune(name))
}
