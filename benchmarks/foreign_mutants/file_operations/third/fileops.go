// The tools move and copy.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

var seenDirectories = map[string]bool{}

// entersDirectory reports whether the destination is a directory into which the source goes.
func entersDirectory(own string, w wish, destination place) bool {
	found, err := os.Stat(destination.resolved)
	if bug("directory_remembered") && (own == "move" || own == "copy") {
		if seenDirectories[destination.entry] {
			return true
		}
		if err == nil && found.IsDir() {
			seenDirectories[destination.entry] = true
		}
	}
	if err != nil || !found.IsDir() {
		return false
	}
	switch {
	case bug("into_needs_slash") && own == "copy" && !destination.slash:
		return false
	case bug("dirlink_destination_is_name"):
		link, err := os.Lstat(destination.entry)
		return err == nil && link.IsDir()
	case bug("isdir_by_reading"):
		_, err := os.ReadDir(destination.resolved)
		return err == nil
	case bug("isdir_exact_mode") && own == "move":
		return found.Mode()&^os.ModePerm == os.ModeDir
	case bug("dot_destination_exists") && strings.Trim(w.destination, "./") == "":
		return false
	case bug("dotted_directory_is_file") && own == "copy":
		return filepath.Ext(destination.resolved) == "" || strings.HasSuffix(w.destination, "/")
	}
	return true
}

// places gives the source and the final place, which both the sandbox has accepted.
func places(own string, w wish, box *sandbox) (source, final place, err error) {
	if source, err = box.locate(own, w.source, "source"); err != nil {
		return
	}
	destination, err := box.locate(own, w.destination, "destination")
	if err != nil {
		return source, destination, err
	}
	if !entersDirectory(own, w, destination) {
		return source, destination, nil
	}
	name := filepath.Base(source.entry)
	switch {
	case bug("name_after_last_slash"):
		name = w.source[strings.LastIndex(w.source, "/")+1:]
		if name == "" || name == "." {
			final = destination
			return
		}
	case bug("into_keeps_relative_path") && own == "copy" && !strings.HasPrefix(w.source, "/"):
		name = strings.Join(components(w.source), "/")
	case bug("into_name_sanitised"):
		name = strings.Map(func(r rune) rune {
			if strings.ContainsRune(`:*?"<>|`, r) {
				return '_'
			}
			return r
		}, name)
	case bug("into_hidden_name_shown") && own == "copy":
		if rest := strings.TrimLeft(name, "."); rest != "" {
			name = rest
		}
	case bug("into_renamed_when_taken") && own == "copy" && filepath.Dir(source.entry) == destination.resolved:
		ext := filepath.Ext(name)
		name = strings.TrimSuffix(name, ext) + " copy" + ext
	case bug("into_double_extension_lost") && own == "move" && strings.Count(name, ".") > 1 && name[0] != '.':
		first := strings.Index(name, ".")
		name = name[:first] + filepath.Ext(name)
	}
	if name == "/" {
		return source, destination, fail("ExecutionFailed", "the source has no name")
	}
	whole := append(components(destination.resolved), strings.Split(name, "/")...)
	if bug("directory_entered_twice") && own == "move" {
		if found, err := os.Stat("/" + strings.Join(whole, "/")); err == nil && found.IsDir() {
			whole = append(whole, name)
		}
	}
	final, err = box.judge(own, whole, "final", false)
	final.late = true
	if (bug("toctou_destination")) && err == nil {
		final.spelled = destination.spelled + "/" + name
	}
	return
}

// run moves or copies the source to its final place.
func run(own string, w wish, source, final place, overwrite bool, box *sandbox) (string, error) {
	for _, root := range box.roots {
		if begins(root, components(source.entry)) || (own == "copy" && begins(root, components(source.resolved))) {
			return "", fail("ExecutionFailed", "the source contains the sandbox itself")
		}
	}
	if bug("overwrite_not_in_directory") && final.late {
		overwrite = false
	}
	if bug("move_keeps_no_overwrite_into") && own == "move" && final.late {
		overwrite = true
	}
	if err := transfer(own, w, source, final, overwrite, box); err != nil {
		var known failure
		if errors.As(err, &known) {
			return "", err
		}
		return "", fail("ExecutionFailed", "cannot %s %s to %s: %s", own, w.source, w.destination, plain(err))
	}
	return fmt.Sprintf("%s %s to %s", map[string]string{"move": "Moved", "copy": "Copied"}[own], w.source, w.destination), nil
}

func plain(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}

func exists(ffi os.FileInfo, ferr error, sfi os.FileInfo, own string, at handle) bool {
	if ferr != nil {
		return false
	}
	switch {
	case bug("dangling_destination_by_name") && own == "copy" && ffi.Mode()&os.ModeSymlink != 0:
		_, err := os.Stat(at.path())
		return err == nil
	case bug("empty_file_is_free"):
		return ffi.IsDir() || ffi.Size() > 0
	case bug("exists_by_opening") && own == "copy" && ffi.Mode().IsRegular():
		f, err := os.Open(at.path())
		if err == nil {
			f.Close()
		}
		return err == nil
	case bug("exists_regular_only") && own == "move":
		return ffi.Mode().IsRegular() || ffi.IsDir()
	case bug("older_is_free") && own == "copy" && ffi.Mode().IsRegular() && sfi != nil:
		return !sfi.ModTime().After(ffi.ModTime())
	case bug("hidden_file_is_free") && own == "move" && ffi.Mode().IsRegular():
		return !strings.HasPrefix(at.name, ".")
	case bug("time_zero_is_free") && ffi.Mode().IsRegular():
		return ffi.ModTime().Unix() > 0
	}
	return true
}

func transfer(own string, w wish, source, final place, overwrite bool, box *sandbox) error {
	if bug("toctou_source") && own == "copy" {
		return spelledCopy(source, final, overwrite)
	}
	if bug("parents_before_source") && own == "move" {
		os.MkdirAll(filepath.Dir(final.entry), 0o755)
	}
	if bug("target_removed_before_source_check") && overwrite {
		if found, err := os.Lstat(final.entry); err == nil && !found.IsDir() && final.entry != source.entry {
			os.Remove(final.entry)
		}
	}
	if bug("copy_made_before_source_opens") && own == "copy" {
		if f, err := os.OpenFile(final.entry, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); err == nil {
			f.Close()
			if found, err := os.Stat(source.resolved); err == nil && !found.IsDir() && found.Mode().Perm()&0o400 != 0 {
				os.Remove(final.entry)
			}
		}
	}
	from, err := openParent(source.entry)
	if err != nil {
		return err
	}
	defer from.close()
	sfi, err := os.Lstat(from.path())
	if err != nil {
		if bug("missing_source_done_before") && own == "move" && errors.Is(err, os.ErrNotExist) {
			if _, there := os.Lstat(final.entry); there == nil {
				return nil // moved by an earlier call
			}
		}
		return err
	}
	if bug("dangling_link_missing") && own == "move" {
		if _, err := os.Stat(from.path()); err != nil {
			return err
		}
	}
	if bug("move_reads_first") && own == "move" && sfi.Mode().IsRegular() {
		f, err := os.Open(from.path())
		if err != nil {
			return err
		}
		f.Close()
	}
	if bug("move_directory_into_refused") && own == "move" && sfi.IsDir() && final.late {
		return syscall.EISDIR
	}
	if source.slash && !sfi.IsDir() {
		if found, err := os.Stat(from.path()); own == "move" || err != nil || !found.IsDir() {
			return syscall.ENOTDIR
		}
	}
	if bug("trailing_slash_moves_contents") && own == "move" && strings.HasSuffix(w.source, "/") && sfi.IsDir() && final.late {
		into := filepath.Dir(final.entry)
		names, _ := os.ReadDir(source.entry)
		for _, item := range names {
			if err := renameNew(source.entry+"/"+item.Name(), into+"/"+item.Name()); err != nil {
				return err
			}
		}
		return os.Remove(source.entry)
	}
	if own == "copy" && (bug("fifo_copied_empty") || bug("special_copy_silent")) && !sfi.IsDir() {
		if target, err := os.Stat(from.path()); err == nil && !target.Mode().IsRegular() && !target.IsDir() {
			if _, there := os.Lstat(final.entry); there == nil && !overwrite {
				return syscall.EEXIST
			}
			if bug("fifo_copied_empty") && target.Mode()&os.ModeNamedPipe != 0 {
				return os.WriteFile(final.entry, nil, 0o644)
			}
			if bug("special_copy_silent") {
				return nil
			}
		}
	}
	to, err := openParent(final.entry)
	if err != nil {
		if to, err = missingParent(own, source, &final, overwrite, err); err != nil || to.name == "" {
			return err
		}
	}
	defer to.close()
	ffi, ferr := os.Lstat(to.path())
	if ferr != nil && !errors.Is(ferr, os.ErrNotExist) {
		return ferr
	}
	if bug("copy_truncates_before_check") && own == "copy" && ferr == nil && ffi.Mode().IsRegular() && !os.SameFile(sfi, ffi) && ffi.Mode().Perm()&0o200 != 0 {
		os.Truncate(to.path(), 0)
	}
	if bug("exists_case_folded") && ferr != nil && !overwrite {
		names, _ := os.ReadDir(filepath.Dir(final.entry))
		for _, item := range names {
			if strings.EqualFold(item.Name(), to.name) && final.entry != source.entry && item.Name() != from.name {
				return syscall.EEXIST
			}
		}
	}
	taken := exists(ffi, ferr, sfi, own, to)
	if ferr == nil && !taken {
		overwrite = true
	}
	if taken && !overwrite {
		return takenFinal(own, from, to, sfi, ffi, source, final)
	}
	if final.slash && !final.late && (ferr != nil || !ffi.IsDir()) {
		return syscall.ENOTDIR
	}
	if err := box.deniedBelow(source, final); err != nil {
		return err
	}
	if own == "move" {
		return move(w, from, to, sfi, ffi, source, final, overwrite)
	}
	return copyTo(w, from, to, sfi, ffi, source, final, overwrite)
}

// takenFinal is what happens where the final name is taken and must not be overwritten.
func takenFinal(own string, from, to handle, sfi, ffi os.FileInfo, source, final place) error {
	switch {
	case bug("move_skips_taken") && own == "move" && final.late:
		return nil
	case bug("identical_copy_succeeds") && own == "copy" && sfi.Mode().IsRegular() && ffi.Mode().IsRegular():
		a, errA := os.ReadFile(from.path())
		b, errB := os.ReadFile(to.path())
		if errA == nil && errB == nil && string(a) == string(b) {
			return nil
		}
	case bug("hard_link_counts_as_copied") && own == "copy" && os.SameFile(sfi, ffi) && source.entry != final.entry:
		return nil
	case bug("same_place_move_succeeds") && own == "move" && source.entry == final.entry:
		return nil
	case bug("taken_is_backed_up") && own == "move" && ffi.Mode().IsRegular():
		if os.Rename(to.path(), to.path()+"~") == nil {
			return os.Rename(from.path(), to.path())
		}
	case bug("taken_file_removed_on_error") && own == "copy" && ffi.Mode().IsRegular() && source.entry != final.entry:
		os.Remove(to.path()) // the clean-up of a failed copy takes what it did not make
	case bug("taken_directory_filled") && own == "copy" && sfi.IsDir() && ffi.IsDir():
		return fillDirectory(from.path(), to.path(), false)
	case bug("taken_empty_directory_replaced") && own == "move" && sfi.IsDir() && ffi.IsDir():
		return syscall.Rename(from.path(), to.path())
	case bug("taken_file_appended") && own == "copy" && ffi.Mode().IsRegular() && sfi.Mode().IsRegular() && final.late && !os.SameFile(sfi, ffi):
		text, _ := os.ReadFile(from.path())
		if f, err := os.OpenFile(to.path(), os.O_APPEND|os.O_WRONLY, 0); err == nil {
			f.Write(text)
			f.Close()
		}
	}
	return syscall.EEXIST
}

// missingParent is what happens where the directory of the final name cannot be opened. Right is: the error.
func missingParent(own string, source place, final *place, overwrite bool, err error) (handle, error) {
	parent := filepath.Dir(final.entry)
	gone := errors.Is(err, os.ErrNotExist)
	switch {
	case bug("missing_parent_silent") && own == "copy" && gone:
		return handle{}, nil
	case bug("missing_parent_nearest") && own == "move" && gone:
		for parent != "/" {
			if found, err := os.Lstat(parent); err == nil && found.IsDir() {
				final.entry = parent + "/" + filepath.Base(final.entry)
				final.resolved, final.spelled = final.entry, final.entry
				return openParent(final.entry)
			}
			parent = filepath.Dir(parent)
		}
	case bug("parent_file_replaced") && overwrite && errors.Is(err, syscall.ENOTDIR):
		if found, err := os.Lstat(parent); err == nil && found.Mode().IsRegular() && parent != source.entry {
			os.Remove(parent)
			os.Mkdir(parent, 0o755)
			return openParent(final.entry)
		}
	case bug("parents_left_by_failed_copy") && own == "copy" && gone:
		if os.MkdirAll(parent, 0o755) == nil {
			return openParent(final.entry)
		}
	case bug("parents_made_one_level") && own == "move" && gone:
		if os.MkdirAll(filepath.Dir(parent), 0o755) == nil { // the last one is forgotten
			return handle{}, err
		}
	}
	return handle{}, err
}

// deniedBelow refuses a directory that holds a denied path, or would at its new place.
func (box *sandbox) deniedBelow(source, final place) error {
	old, at := components(source.entry), components(final.entry)
	var visit func(below []string) error
	visit = func(below []string) error {
		names, err := os.ReadDir("/" + strings.Join(append(append([]string{}, old...), below...), "/"))
		if err != nil {
			return nil
		}
		for _, item := range names {
			next := append(append([]string{}, below...), item.Name())
			for _, head := range [][]string{old, at} {
				if err := box.refuseDenied(append(append([]string{}, head...), next...)); err != nil {
					return err
				}
			}
			if item.IsDir() {
				if err := visit(next); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if found, err := os.Lstat(source.entry); err != nil || !found.IsDir() {
		return nil
	}
	return visit(nil)
}

func move(w wish, from, to handle, sfi, ffi os.FileInfo, source, final place, overwrite bool) error {
	same := source.entry == final.entry
	if bug("move_same_by_spelling") {
		same = source.spelled == final.spelled
		if !same && source.entry == final.entry && !sfi.IsDir() {
			os.Remove(to.path())
			return os.Rename(from.path(), to.path())
		}
	}
	if same {
		return errors.New("source and destination are the same")
	}
	if begins(components(final.entry), components(source.entry)) && sfi.IsDir() && !bug("into_itself_falls_back") {
		return errors.New("a directory cannot go into itself")
	}
	if bug("sibling_prefix_refused") && sfi.IsDir() && strings.HasPrefix(final.entry, source.entry) {
		return errors.New("a directory cannot go into itself")
	}
	if ffi != nil {
		if sfi.Mode()&os.ModeSymlink != 0 && !bug("link_moved_onto_its_target") {
			a, errA := os.Stat(from.path())
			b, errB := os.Stat(to.path())
			if errA == nil && errB == nil && os.SameFile(a, b) {
				return errors.New("source and destination are the same")
			}
		}
		if bug("directory_target_removed") && ffi.IsDir() && !sfi.IsDir() {
			os.RemoveAll(to.path())
		} else if bug("move_merges_directories") && ffi.IsDir() && sfi.IsDir() {
			if err := fillDirectory(from.path(), to.path(), true); err != nil {
				return err
			}
			return os.RemoveAll(from.path())
		} else if ffi.IsDir() || sfi.IsDir() {
			return errors.New("the destination exists and is no file that can be replaced")
		}
		if os.SameFile(sfi, ffi) && !bug("hard_link_rename_noop") {
			if sfi.Sys().(*syscall.Stat_t).Nlink < 2 {
				return errors.New("source and destination are the same")
			}
			return os.Remove(from.path())
		}
	}
	if bug("into_directory_across_fails") && final.late && device(from.dir()) != device(to.dir()) {
		return syscall.EXDEV
	}
	if bug("move_makes_writable") && sfi.Mode().IsRegular() && sfi.Mode().Perm()&0o200 == 0 {
		os.Chmod(from.path(), sfi.Mode().Perm()|0o200)
	}
	var err error
	source_ := from.path()
	if bug("toctou_destination") && !strings.Contains(final.spelled, "..") {
		// the destination's path is walked again, with whatever links are there by now
		time.Sleep(20 * time.Millisecond)
		if overwrite {
			err = syscall.Rename(source_, final.spelled)
		} else {
			err = renameNew(source_, final.spelled)
		}
	} else if overwrite {
		err = syscall.Rename(source_, to.path())
	} else {
		err = renameNew(source_, to.path())
	}
	if err == nil {
		return moved(from, to, sfi, source, final)
	}
	if bug("into_itself_falls_back") && errors.Is(err, syscall.EINVAL) && sfi.IsDir() {
		os.RemoveAll(from.path()) // the copy lies in what is deleted
		return nil
	}
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	return across(from, to, sfi, ffi, source, final, overwrite)
}

// moved is what a wrong candidate does after a renaming.
func moved(from, to handle, sfi os.FileInfo, source, final place) error {
	switch {
	case bug("move_sets_time") && final.late && sfi.Mode().IsRegular():
		os.Chtimes(to.path(), time.Now(), time.Now())
	case bug("move_applies_umask") && sfi.Mode().IsRegular():
		os.Chmod(to.path(), sfi.Mode().Perm()&^0o022)
	case bug("move_resets_directory_mode") && sfi.IsDir():
		os.Chmod(to.path(), 0o755)
	case bug("emptied_directory_removed"):
		os.Remove(filepath.Dir(source.entry))
	case bug("link_retargeted") && sfi.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(to.path())
		if err == nil && !filepath.IsAbs(target) {
			if rel, err := filepath.Rel(filepath.Dir(final.entry), filepath.Join(filepath.Dir(source.entry), target)); err == nil && rel != target {
				os.Remove(to.path())
				return os.Symlink(rel, to.path())
			}
		}
	case bug("move_rewinds_directory_time") && sfi.IsDir():
		os.Chtimes(to.path(), time.Now(), time.Now())
	case bug("move_leaves_link") && sfi.IsDir():
		os.Symlink(final.entry, from.path()) // for whoever still uses the old name
	}
	return nil
}
