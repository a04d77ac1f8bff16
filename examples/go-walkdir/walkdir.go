// The tool FS.WalkDir 0.1: a flat list of everything below a directory of the sandbox.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// entry is one element of the result. The order of the members is the order of the document.
type entry struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	IsDir   bool   `json:"isDir"`
	Size    int64  `json:"size"`
	ModTime string `json:"modTime"`
}

var errOutside = errors.New("the path is outside the sandbox")

// secureFilePath returns the real path of a relative path in the sandbox. The error is fs.ErrNotExist if the path is
// inside but does not exist, and errOutside if the path, or a link on it, leads out of the sandbox.
func secureFilePath(path, sandboxDir string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", errors.New("the path contains a NUL character")
	}
	if filepath.IsAbs(path) || !filepath.IsLocal(path) {
		return "", errOutside
	}
	sandbox, err := filepath.EvalSymlinks(sandboxDir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(sandbox, path))
	if err != nil {
		return "", err
	}
	inside, err := filepath.Rel(sandbox, real)
	if err != nil || !filepath.IsLocal(inside) {
		return "", errOutside
	}
	return real, nil
}

// walkDir returns the entries below path, or nil and an error to log. A path that does not exist is nil without an
// error.
func walkDir(path, sandboxDir string) ([]entry, error) {
	start, err := secureFilePath(path, sandboxDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(start)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%q is not a directory", path)
	}
	entries := []entry{}
	err = filepath.WalkDir(start, func(place string, found fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if place == start {
			return nil
		}
		made, err := describeEntry(start, place, found)
		entries = append(entries, made)
		return err
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// describeEntry reads the metadata of one entry; links are not followed.
func describeEntry(start, place string, found fs.DirEntry) (entry, error) {
	info, err := found.Info()
	if err != nil {
		return entry{}, err
	}
	relative, err := filepath.Rel(start, place)
	if err != nil {
		return entry{}, err
	}
	size := info.Size()
	if found.IsDir() {
		size = 0 // the size of a directory differs between file systems and means nothing to a script
	}
	return entry{
		Name:    found.Name(),
		Path:    filepath.ToSlash(relative),
		IsDir:   found.IsDir(),
		Size:    size,
		ModTime: info.ModTime().UTC().Format(time.RFC3339),
	}, nil
}
