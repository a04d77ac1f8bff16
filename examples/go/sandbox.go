// The directories that a call may access. Strings of Go are bytes, like names on disk.
package main

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

const mostLinks = 40

var secrets = []string{"**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"}

// resolve returns the canonical place of a path inside the sandbox, or the reason why nothing is there (missing).
// The error is for a path that the sandbox refuses.
func resolve(wanted string, ctx context) (place string, missing, err error) {
	var roots [][]string
	for _, root := range ctx.Roots {
		canonical, _, err := follow(nil, components(root), true)
		if err != nil {
			return "", nil, err
		}
		roots = append(roots, canonical)
	}
	absolute := strings.HasPrefix(wanted, "/")
	if absolute && !ctx.AllowAbsolute {
		return "", nil, fail("SandboxViolation", "absolute paths are not allowed")
	}
	parts := components(wanted)
	if slices.Contains(parts, "..") {
		return "", nil, fail("SandboxViolation", "a path must not contain '..'")
	}
	var start []string
	if !absolute {
		if start, _, err = follow(nil, components(ctx.WorkingDir), true); err != nil {
			return "", nil, err
		}
	}
	here, missing, err := follow(start, parts, !otherReadings)
	if err != nil {
		return "", nil, err
	}
	inside := func(root []string) bool { return begins(here, root) }
	if !slices.ContainsFunc(roots, inside) {
		return "", nil, fail("SandboxViolation", "path leads outside the sandbox")
	}
	if err := refuseDenied(here, roots, ctx); err != nil {
		return "", nil, err
	}
	return "/" + strings.Join(here, "/"), missing, nil
}

// follow follows links component by component, like realpath, but continues after a missing part: the target of a
// dangling link is checked like any other path. Without followsLinks it refuses every link.
func follow(start, parts []string, followsLinks bool) (here []string, missing, err error) {
	here = slices.Clone(start)
	ahead := slices.Clone(parts)
	for links := 0; len(ahead) > 0; {
		part := ahead[0]
		ahead = ahead[1:]
		if part == ".." { // from a link's target
			here = here[:max(len(here)-1, 0)]
			continue
		}
		here = append(here, part)
		if missing != nil {
			continue
		}
		where := "/" + strings.Join(here, "/")
		found, failed := os.Lstat(where)
		switch {
		case failed != nil:
			missing = unreachable(failed)
		case found.Mode()&os.ModeSymlink != 0 && !followsLinks:
			missing = fail("ExecutionFailed", "path has a symbolic link in it")
		case found.Mode()&os.ModeSymlink != 0:
			if links++; links > mostLinks {
				return nil, nil, fail("ExecutionFailed", "path has too many levels of symbolic links")
			}
			target, failed := os.Readlink(where)
			if failed != nil {
				missing = unreachable(failed)
				continue
			}
			here = here[:len(here)-1]
			if strings.HasPrefix(target, "/") {
				here = nil
			}
			ahead = append(components(target), ahead...)
		case len(ahead) > 0 && !found.IsDir():
			missing = unreachable(syscall.ENOTDIR)
		}
	}
	return here, missing, nil
}

func unreachable(err error) error {
	switch {
	case errors.Is(err, syscall.ENOENT):
		return fail("ExecutionFailed", "path does not exist")
	case errors.Is(err, syscall.ENOTDIR):
		return fail("ExecutionFailed", "path does not exist: a part of it is not a directory")
	case errors.Is(err, syscall.EACCES):
		return fail("ExecutionFailed", "path cannot be reached: permission denied")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return fail("ExecutionFailed", "path is too long")
	}
	return fail("ExecutionFailed", "path cannot be reached")
}

func refuseDenied(here []string, roots [][]string, ctx context) error {
	patterns := slices.Clone(ctx.DeniedPatterns)
	if ctx.IncludeDefaultDenies == nil || *ctx.IncludeDefaultDenies {
		patterns = append(patterns, secrets...)
	}
	places := [][]string{here}
	for _, root := range roots {
		if begins(here, root) {
			places = append(places, here[len(root):])
		}
	}
	for _, pattern := range patterns {
		for _, place := range places {
			if matches(place, components(pattern)) {
				return fail("SandboxViolation", "path matches the denied pattern %s", pattern)
			}
		}
	}
	return nil
}

// matches matches a glob over components: ** is any number of components, *, ? and […] match within one component.
func matches(parts, pattern []string) bool {
	if len(pattern) == 0 {
		return len(parts) == 0
	}
	if pattern[0] == "**" {
		return matches(parts, pattern[1:]) || (len(parts) > 0 && matches(parts[1:], pattern))
	}
	if len(parts) == 0 {
		return false
	}
	fits, _ := path.Match(pattern[0], parts[0])
	return fits && matches(parts[1:], pattern[1:])
}

// components returns the components of a path without empty ones and ".".
func components(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." })
}

// begins returns whether a path equals another or is inside it, compared by components.
func begins(path, head []string) bool {
	return len(head) <= len(path) && slices.Equal(head, path[:len(head)])
}
