// Directories that are held open, so that no link can get between the check of a path and its use.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

type handle struct {
	fd   int
	name string
}

func (h handle) dir() string  { return fmt.Sprintf("/proc/self/fd/%d", h.fd) }
func (h handle) path() string { return h.dir() + "/" + h.name }
func (h handle) close()       { syscall.Close(h.fd) }

const oPath = 0x200000

// openParent opens the directory of a path without following a link.
func openParent(place string) (handle, error) {
	fd, err := syscall.Open("/", oPath|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return handle{}, err
	}
	for _, part := range components(filepath.Dir(place)) {
		next, err := syscall.Openat(fd, part, oPath|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
		syscall.Close(fd)
		if err != nil {
			return handle{}, err
		}
		fd = next
	}
	return handle{fd, filepath.Base(place)}, nil
}

const renameat2, noReplace = 316, 1

// renameNew renames without replacing anything.
func renameNew(from, to string) error {
	a, err := syscall.BytePtrFromString(from)
	if err != nil {
		return err
	}
	b, err := syscall.BytePtrFromString(to)
	if err != nil {
		return err
	}
	here := -100
	_, _, number := syscall.Syscall6(renameat2, uintptr(here), uintptr(unsafe.Pointer(a)), uintptr(here), uintptr(unsafe.Pointer(b)), noReplace, 0)
	if number == syscall.ENOSYS || (number == syscall.EINVAL) {
		if _, err := os.Lstat(to); err == nil {
			return syscall.EEXIST
		}
		return syscall.Rename(from, to)
	}
	if number != 0 {
		return number
	}
	return nil
}

func device(dir string) uint64 {
	var found syscall.Stat_t
	if syscall.Stat(dir+"/.", &found) != nil {
		return 0
	}
	return found.Dev
}
