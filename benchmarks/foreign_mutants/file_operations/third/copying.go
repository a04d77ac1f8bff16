// Copies of files and directories, and the move to another file system.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func temporary(to handle) string {
	random := make([]byte, 6)
	rand.Read(random)
	switch {
	case bug("temporary_suffix_long"):
		return to.dir() + "/" + to.name + ".fo-" + hex.EncodeToString(random)
	case bug("temporary_predictable"):
		return to.dir() + "/" + to.name + ".tmp"
	}
	return to.dir() + "/.fo-" + hex.EncodeToString(random)
}

func put(temp string, to handle, overwrite bool) error {
	if overwrite {
		return syscall.Rename(temp, to.path())
	}
	return renameNew(temp, to.path())
}

func copyTo(w wish, from, to handle, sfi, ffi os.FileInfo, source, final place, overwrite bool) error {
	real, rfi := from, sfi
	if sfi.Mode()&os.ModeSymlink != 0 {
		var err error
		if real, err = openParent(source.resolved); err != nil {
			return err
		}
		defer real.close()
		if rfi, err = os.Lstat(real.path()); err != nil {
			return err
		}
	}
	if source.slash && !rfi.IsDir() {
		return syscall.ENOTDIR
	}
	same := source.resolved == final.entry
	if same && bug("copy_same_by_spelling") && source.spelled != final.spelled && rfi.Mode().IsRegular() {
		f, err := os.OpenFile(to.path(), os.O_WRONLY|os.O_TRUNC, 0)
		if err == nil {
			f.Close()
		}
		return err
	}
	if same && bug("copy_onto_itself_succeeds") && source.spelled == final.spelled {
		os.Chtimes(real.path(), time.Now(), time.Now())
		return nil
	}
	if same {
		return errors.New("source and destination are the same")
	}
	if ffi != nil && os.SameFile(rfi, ffi) {
		if rfi.Sys().(*syscall.Stat_t).Nlink < 2 {
			return errors.New("source and destination are the same")
		}
		if bug("hard_linked_target_truncated") {
			os.Truncate(to.path(), 0)
		}
	}
	if bug("link_target_on_copy_truncated") && ffi != nil && ffi.Mode()&os.ModeSymlink != 0 {
		if target, err := os.Stat(to.path()); err == nil && os.SameFile(target, rfi) {
			os.Truncate(to.path(), 0) // through the link, and that is the source
		}
	}
	switch {
	case rfi.IsDir():
		return copyDirectory(real, to, ffi, source, final, overwrite)
	case !rfi.Mode().IsRegular():
		return errors.New("only files and directories can be copied")
	case ffi != nil && ffi.IsDir():
		if bug("temporary_left_at_directory") {
			os.WriteFile(temporary(to), nil, 0o600)
		}
		return syscall.EISDIR
	}
	return copyFile(real, to, ffi, overwrite, false)
}

func copyDirectory(from, to handle, ffi os.FileInfo, source, final place, overwrite bool) error {
	if ffi != nil {
		if bug("copy_merges_directories") && ffi.IsDir() {
			return fillDirectory(from.path(), to.path(), true)
		}
		return syscall.EEXIST
	}
	if begins(components(final.entry), components(source.resolved)) {
		if !bug("copy_into_itself_runs") {
			return errors.New("a directory cannot go into itself")
		}
		return runaway(from.path(), to.path(), 24)
	}
	if bug("copied_sibling_prefix_refused") && strings.HasPrefix(final.entry, source.resolved) {
		return errors.New("a directory cannot go into itself")
	}
	if bug("directory_copy_in_place") {
		return copyTree(from.path(), to.path(), false, 1)
	}
	temp := temporary(handle{to.fd, "dir"})
	if err := copyTree(from.path(), temp, false, 1); err != nil {
		discard(temp)
		return err
	}
	if err := renameNew(temp, to.path()); err != nil {
		discard(temp)
		return err
	}
	return nil
}

// runaway is the copy of a directory into itself: what is new is copied again.
func runaway(from, to string, depth int) error {
	if depth == 0 || os.Mkdir(to, 0o755) != nil {
		return nil
	}
	names, _ := os.ReadDir(from)
	for _, item := range names {
		if item.IsDir() {
			runaway(from+"/"+item.Name(), to+"/"+item.Name(), depth-1)
		} else if text, err := os.ReadFile(from + "/" + item.Name()); err == nil {
			os.WriteFile(to+"/"+item.Name(), text, 0o644)
		}
	}
	return nil
}

// copyFile copies a regular file; its name comes when it is complete.
func copyFile(from, to handle, ffi os.FileInfo, overwrite, across bool) (err error) {
	temp := temporary(to)
	if bug("temporary_left_if_unreadable") {
		if f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			f.Close()
			if test, err := os.Open(from.path()); err == nil {
				test.Close()
				os.Remove(temp)
			}
		}
	}
	if bug("copy_removes_old_first") && !across && ffi != nil {
		os.Remove(to.path())
	}
	if bug("copy_opens_source_writable") && !across { // for a lock on it
		f, err := os.OpenFile(from.path(), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	in, err := os.OpenFile(from.path(), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil && bug("copy_unlocks_source") && !across && errors.Is(err, os.ErrPermission) {
		os.Chmod(from.path(), 0o600)
		in, err = os.OpenFile(from.path(), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	}
	if err != nil && bug("unreadable_copied_empty") && !across && errors.Is(err, os.ErrPermission) {
		return os.WriteFile(to.path(), nil, 0o644)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("only files can be copied")
	}
	if !across {
		switch {
		case bug("copy_empty_not_made") && info.Size() == 0 && ffi == nil:
			return nil
		case bug("copy_links_read_only") && info.Mode().Perm()&0o222 == 0:
			os.Remove(to.path())
			return os.Link(from.path(), to.path())
		case bug("copy_links_large") && info.Size() >= 1<<20:
			os.Remove(to.path())
			return os.Link(from.path(), to.path())
		}
	}
	flags, where, clean := os.O_CREATE|os.O_EXCL|os.O_WRONLY, temp, true
	through := false
	if ffi != nil && ffi.Mode()&os.ModeSymlink != 0 {
		_, serr := os.Stat(to.path())
		through = bug("final_link_unjudged") || (bug("dangling_destination_by_name") && serr != nil)
	}
	inPlace := (bug("copy_in_place_new") && !across && ffi == nil) || (bug("copy_partial_left") && !across && ffi == nil) ||
		(bug("across_in_place_new") && across && ffi == nil)
	over := ffi != nil && ffi.Mode().IsRegular() && ((bug("copy_in_place_over") && !across) || (bug("across_in_place_over") && across))
	tail := bug("copy_old_tail_left") && !across && ffi != nil && ffi.Mode().IsRegular()
	switch {
	case through, over:
		flags, where, clean = os.O_CREATE|os.O_TRUNC|os.O_WRONLY, to.path(), false
	case tail:
		flags, where, clean = os.O_WRONLY, to.path(), false
	case inPlace:
		where, clean = to.path(), !bug("copy_partial_left")
	case bug("temporary_predictable"):
		flags = os.O_CREATE | os.O_TRUNC | os.O_WRONLY
	}
	mode := os.FileMode(0o600)
	if bug("copy_mode_umask") && !across {
		mode = info.Mode().Perm()
	}
	out, err := os.OpenFile(where, flags, mode)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			out.Close()
			if clean && !bug("temporary_left_on_error") {
				os.Remove(where)
			}
			if bug("across_error_removes_source") && across {
				os.Remove(from.path())
			}
		}
	}()
	if err = pour(in, out, info, across, from); err != nil {
		return err
	}
	if tail && info.Size() == 0 {
		out.Truncate(0)
	}
	if err = applyMode(out, info, ffi, across); err != nil {
		return err
	}
	if across {
		if err = applyTime(where, info); err != nil {
			return err
		}
	}
	if bug("copy_touches_source") && !across {
		os.Chtimes(from.path(), time.Now(), time.Now())
	}
	if !(bug("across_not_flushed") && across) {
		err = out.Sync()
		if bug("across_flush_error_ignored") && across {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	if err = out.Close(); err != nil {
		return err
	}
	if where == temp {
		if err = put(temp, to, overwrite); err != nil {
			return err
		}
	}
	done = true
	if dir, err := os.Open(to.dir() + "/."); err == nil {
		dir.Sync()
		dir.Close()
	}
	return nil
}

const block = 65536

// pour copies the content.
func pour(in, out *os.File, info os.FileInfo, across bool, from handle) error {
	whole := func() ([]byte, error) { return io.ReadAll(in) }
	if !across && (bug("copy_newlines_changed") || bug("copy_text_repaired") || bug("copy_control_z_ends")) {
		text, err := whole()
		if err != nil {
			return err
		}
		switch {
		case bug("copy_newlines_changed"):
			text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		case bug("copy_text_repaired"):
			text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
		default:
			if at := bytes.IndexByte(text, 0x1a); at >= 0 {
				text = text[:at]
			}
		}
		_, err = out.Write(text)
		return err
	}
	if across && (bug("across_mark_stripped") || bug("across_source_unlinked_before_write")) {
		text, err := whole()
		if err != nil {
			return err
		}
		if bug("across_mark_stripped") {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		} else {
			os.Remove(from.path())
		}
		_, err = out.Write(text)
		return err
	}
	buffer := make([]byte, block)
	var at int64
	for {
		n, err := io.ReadFull(in, buffer)
		chunk := buffer[:n]
		if bug("copy_last_full_block_lost") && !across && n == block && at+int64(n) == info.Size() {
			chunk = nil
		}
		if bug("across_first_mebibyte") && across && at >= 1<<20 {
			return nil
		}
		if bug("copy_end_hole_lost") && !across && len(chunk) > 0 && len(bytes.Trim(chunk, "\x00")) == 0 {
			out.Seek(int64(len(chunk)), io.SeekCurrent)
			at += int64(n)
		} else {
			at += int64(n)
			if _, werr := out.Write(chunk); werr != nil {
				if bug("across_write_error_ignored") && across {
					return nil
				}
				if bug("copy_full_disk_succeeds") && !across {
					return nil
				}
				return werr
			}
		}
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return nil
		case err != nil && bug("copy_read_error_ends") && !across:
			return nil
		case err != nil && bug("across_read_error_ends") && across:
			return nil
		case err != nil:
			return err
		}
	}
}

func applyMode(out *os.File, info, ffi os.FileInfo, across bool) error {
	mode := info.Mode().Perm() | info.Mode()&(os.ModeSetuid|os.ModeSetgid|os.ModeSticky)
	switch {
	case bug("copy_mode_umask") && !across:
		return nil
	case bug("copy_exec_lost") && !across:
		mode &^= 0o111
	case bug("copy_writable") && !across:
		mode |= 0o200
	case bug("copy_old_mode_kept") && !across && ffi != nil && ffi.Mode().IsRegular():
		mode = ffi.Mode().Perm()
	case bug("across_mode_default") && across:
		mode = 0o644
	}
	return out.Chmod(mode)
}

func applyTime(where string, info os.FileInfo) error {
	stat := info.Sys().(*syscall.Stat_t)
	at := stat.Mtim
	switch {
	case bug("across_time_lost"):
		return nil
	case bug("across_time_seconds"):
		at.Nsec = 0
	case bug("across_time_of_access"):
		at = stat.Atim
	case bug("across_time_before_epoch") && at.Sec < 0:
		at = syscall.Timespec{}
	case bug("across_time_32_bit") && at.Sec > 1<<31-1:
		at.Sec = 1<<31 - 1
	}
	return syscall.UtimesNano(where, []syscall.Timespec{stat.Atim, at})
}

// across moves to another file system.
func across(from, to handle, sfi, ffi os.FileInfo, source, final place, overwrite bool) error {
	var err error
	switch {
	case sfi.Mode().IsRegular():
		err = copyFile(from, to, ffi, overwrite, true)
	case bug("across_fifo_becomes_file") && sfi.Mode()&os.ModeNamedPipe != 0:
		err = os.WriteFile(to.path(), nil, 0o644)
	case bug("across_link_becomes_file") && sfi.Mode()&os.ModeSymlink != 0:
		var text []byte
		if text, err = os.ReadFile(from.path()); err == nil {
			err = os.WriteFile(to.path(), text, 0o644)
		}
	case sfi.Mode()&os.ModeSymlink != 0:
		var target string
		if target, err = os.Readlink(from.path()); err == nil {
			if bug("across_link_made_absolute") && !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(source.entry), target)
			}
			temp := temporary(to)
			if err = os.Symlink(target, temp); err == nil {
				if err = put(temp, to, overwrite); err != nil {
					os.Remove(temp)
				}
			}
		}
	case sfi.IsDir():
		return directoryAcross(from, to, ffi, source)
	default:
		return errors.New("a special file cannot be moved to another file system")
	}
	if err != nil {
		return err
	}
	if bug("across_source_kept_if_overwritten") && ffi != nil {
		return nil
	}
	if bug("across_read_only_kept") && sfi.Mode().IsRegular() && sfi.Mode().Perm()&0o222 == 0 {
		return nil
	}
	if bug("across_source_truncated") && sfi.Mode().IsRegular() {
		os.Truncate(from.path(), 0)
	}
	if err = os.Remove(from.path()); err != nil && !errors.Is(err, os.ErrNotExist) {
		if bug("across_unlink_error_ignored") {
			return nil
		}
		if ffi == nil && !bug("across_source_truncated") {
			os.Remove(to.path())
		}
		return err
	}
	return nil
}

func directoryAcross(from, to handle, ffi os.FileInfo, source place) error {
	if ffi != nil {
		return syscall.EEXIST
	}
	temp := temporary(handle{to.fd, "dir"})
	if bug("across_directory_in_place") {
		temp = to.path()
	}
	if err := copyTree(from.path(), temp, true, 1); err != nil {
		if !bug("across_directory_in_place") {
			discard(temp)
		}
		return err
	}
	if !bug("across_directory_in_place") {
		if err := renameNew(temp, to.path()); err != nil {
			discard(temp)
			return err
		}
	}
	switch {
	case bug("across_directory_skeleton_left"):
		filepath.Walk(from.path()+"/.", func(path string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() {
				os.Remove(path)
			}
			return nil
		})
		return nil
	case bug("across_delete_follows_links"):
		deleteFollowing(from.path())
		return nil
	}
	err := os.RemoveAll(from.path())
	if err != nil && bug("across_directory_undeleted_ignored") {
		return nil
	}
	return err
}

// deleteFollowing deletes a tree as if links to directories were directories.
func deleteFollowing(path string) {
	names, _ := os.ReadDir(path)
	for _, item := range names {
		here := path + "/" + item.Name()
		if found, err := os.Stat(here); err == nil && found.IsDir() {
			deleteFollowing(here)
		}
		os.Remove(here)
	}
	os.Remove(path)
}

// copyTree copies a directory with all that it holds.
func copyTree(from, to string, across bool, depth int) error {
	names, err := read(from)
	if err != nil {
		if bug("tree_unreadable_directory_skipped") && !across && depth > 1 {
			return os.Mkdir(to, 0o755)
		}
		return err
	}
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	early := bug("across_tree_times_early") && across
	if early {
		applyTime(to, info)
	}
	for _, name := range names {
		here, there := from+"/"+name, to+"/"+name
		if bug("tree_names_repaired") && !across {
			there = to + "/" + strings.ToValidUTF8(name, "\uFFFD")
		}
		if err := copyTreeEntry(name, here, there, across, depth); err != nil {
			return err
		}
	}
	if bug("tree_empty_directories_lost") && !across && depth > 1 && len(names) == 0 {
		return os.Remove(to)
	}
	mode := info.Mode().Perm() | info.Mode()&(os.ModeSetgid|os.ModeSticky|os.ModeSetuid)
	if bug("across_tree_directory_modes") && across {
		mode = 0o755
	}
	if bug("tree_directory_modes_lost") && !across && depth > 1 {
		mode = 0o755
	}
	if err := os.Chmod(to, mode); err != nil {
		return err
	}
	if across && !early {
		return applyTime(to, info)
	}
	return nil
}

func copyTreeEntry(name, here, there string, across bool, depth int) error {
	info, err := os.Lstat(here)
	if err != nil {
		return err
	}
	switch {
	case bug("across_tree_hidden_lost") && across && strings.HasPrefix(name, "."):
		return nil
	case info.IsDir():
		if bug("tree_depth_limited") && !across && depth > 8 {
			return nil
		}
		return copyTree(here, there, across, depth+1)
	case info.Mode()&os.ModeSymlink != 0:
		if bug("tree_links_skipped") && !across {
			return nil
		}
		if bug("tree_outside_links_followed") {
			if found, err := os.Stat(here); err == nil && found.Mode().IsRegular() {
				text, err := os.ReadFile(here)
				if err != nil {
					return err
				}
				return os.WriteFile(there, text, 0o644)
			}
		}
		target, err := os.Readlink(here)
		if err != nil {
			return err
		}
		return os.Symlink(target, there)
	case !info.Mode().IsRegular():
		if bug("tree_special_skipped") && !across {
			return nil
		}
		return errors.New("the directory holds a special file")
	}
	in, err := os.OpenFile(here, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		if bug("across_tree_unreadable_lost") && across {
			return nil
		}
		if bug("tree_unreadable_file_skipped") && !across {
			return nil
		}
		return err
	}
	defer in.Close()
	if bug("tree_hard_linked") && !across && info.Sys().(*syscall.Stat_t).Nlink > 1 {
		return os.Link(here, there)
	}
	out, err := os.OpenFile(there, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		if bug("tree_write_error_ignored") && !across {
			return nil
		}
		return err
	}
	mode := info.Mode().Perm() | info.Mode()&(os.ModeSetuid|os.ModeSetgid|os.ModeSticky)
	if bug("tree_file_modes_lost") && !across {
		mode = 0o644
	}
	if err := out.Chmod(mode); err != nil {
		return err
	}
	if across && !bug("across_tree_file_times") {
		if err := applyTime(there, info); err != nil {
			return err
		}
	}
	return out.Sync()
}

// fillDirectory puts what a directory holds into another that is there.
func fillDirectory(from, to string, replace bool) error {
	names, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, item := range names {
		here, there := from+"/"+item.Name(), to+"/"+item.Name()
		if item.IsDir() {
			os.Mkdir(there, 0o755)
			if err := fillDirectory(here, there, replace); err != nil {
				return err
			}
			continue
		}
		if _, err := os.Lstat(there); err == nil && !replace {
			continue
		}
		text, err := os.ReadFile(here)
		if err != nil {
			return err
		}
		if err := os.WriteFile(there, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// discard removes a copy of a tree that is not wanted any more.
func discard(temp string) {
	filepath.Walk(temp, func(path string, info os.FileInfo, err error) error {
		if info != nil && info.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	os.RemoveAll(temp)
}

// spelledCopy walks the source's path again, with whatever links are there by now.
func spelledCopy(source, final place, overwrite bool) error {
	time.Sleep(20 * time.Millisecond)
	info, err := os.Stat(source.spelled)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("only files can be copied")
	}
	text, err := os.ReadFile(source.spelled)
	if err != nil {
		return err
	}
	to, err := openParent(final.entry)
	if err != nil {
		return err
	}
	defer to.close()
	temp := temporary(to)
	if err := os.WriteFile(temp, text, info.Mode().Perm()); err != nil {
		return err
	}
	os.Chmod(temp, info.Mode().Perm())
	if err := put(temp, to, overwrite); err != nil {
		os.Remove(temp)
		return err
	}
	return nil
}
