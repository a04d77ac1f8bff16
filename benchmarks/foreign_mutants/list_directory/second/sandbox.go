// The directories that a call may access.
package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const mostLinks = 40

var secrets = []string{"**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"}

type trust struct{ place string }

func (trust) Error() string { return "trusted" }

func resolve(wanted *listing, ctx context) (place string, missing, err error) {
	asked := wanted.path
	var roots [][]string
	for _, root := range ctx.Roots {
		canonical := components(root)
		if !bug("roots_not_resolved") {
			if canonical, _, err = follow(nil, components(root)); err != nil {
				return "", nil, err
			}
		}
		roots = append(roots, canonical)
	}
	absolute := strings.HasPrefix(asked, "/")
	within := slices.ContainsFunc(roots, func(root []string) bool { return begins(components(asked), root) })
	if absolute && !ctx.AllowAbsolute && !(bug("absolute_inside_accepted") && within) {
		return "", nil, fail("SandboxViolation", "absolute paths are not allowed")
	}
	if bug("absolute_needs_first_root") && absolute && !begins(components(asked), roots[0]) {
		return "", nil, fail("SandboxViolation", "path leads outside the sandbox")
	}
	parts := components(asked)
	if bug("parent_hidden_by_blank") && slices.Contains(parts, "..") && !slices.Contains(components(wanted.asked), "..") {
		return trusted(filepath.Join(ctx.WorkingDir, asked))
	}
	if slices.Contains(parts, "..") && !bug("parents_resolved_at_the_end") {
		if bug("parent_badargs") {
			return "", nil, fail("BadArgs", "a path must not contain '..'")
		}
		return "", nil, fail("SandboxViolation", "a path must not contain '..'")
	}
	if bug("hidden_path_refused") && slices.ContainsFunc(parts, func(part string) bool { return part[0] == '.' }) {
		return "", nil, fail("SandboxViolation", "hidden paths are denied")
	}
	if bug("backslash_refused") && strings.Contains(asked, `\`) {
		return "", nil, fail("SandboxViolation", "backslashes are not allowed")
	}
	var start []string
	if !absolute {
		if start, _, err = follow(nil, components(ctx.WorkingDir)); err != nil {
			return "", nil, err
		}
	}
	judging = true
	here, missing, err := follow(start, parts)
	judging = false
	if known := (trust{}); errors.As(err, &known) {
		return trusted(known.place)
	}
	if err != nil {
		return "", nil, err
	}
	inside := func(root []string) bool {
		if bug("root_itself_outside") && absolute {
			return len(here) > len(root) && begins(here, root)
		}
		return begins(here, root)
	}
	if !slices.ContainsFunc(roots, inside) {
		return "", nil, fail("SandboxViolation", "path leads outside the sandbox")
	}
	if err := refuseDenied(here, roots, ctx); err != nil {
		return "", nil, err
	}
	return "/" + strings.Join(here, "/"), missing, nil
}

func trusted(place string) (string, error, error) {
	real, err := filepath.EvalSymlinks(place)
	if err != nil {
		return place, unreachable(err), nil
	}
	return real, nil, nil
}

var judging bool

func follow(start, parts []string) (here []string, missing, err error) {
	here = slices.Clone(start)
	ahead := slices.Clone(parts)
	dangling := false
	for links := 0; len(ahead) > 0; {
		part := ahead[0]
		ahead = ahead[1:]
		if part == ".." {
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
			dangling = links > 0 && errors.Is(failed, syscall.ENOENT)
		case found.Mode()&os.ModeSymlink != 0:
			if judging && bug("requested_link_refused") {
				return nil, nil, fail("ExecutionFailed", "path is not a directory")
			}
			if links++; links > mostLinks {
				if bug("loop_is_breach") {
					return nil, nil, fail("SandboxViolation", "path has too many levels of symbolic links")
				}
				return nil, nil, fail("ExecutionFailed", "path has too many levels of symbolic links")
			}
			target, failed := os.Readlink(where)
			if failed != nil {
				missing = unreachable(failed)
				continue
			}
			relative := !strings.HasPrefix(target, "/")
			if judging && ((bug("second_link_trusted") && links > 1) || (bug("relative_links_trusted") && relative)) {
				return nil, nil, trust{where + "/" + strings.Join(ahead, "/")}
			}
			if judging && bug("link_target_from_root") && relative && !strings.HasPrefix(target, "..") && len(here) > len(start) {
				here = append(slices.Clone(start), "")[:len(start)]
				ahead = append(components(target), ahead...)
				continue
			}
			here = here[:len(here)-1]
			if !relative {
				here = nil
			}
			ahead = append(components(target), ahead...)
		case len(ahead) > 0 && !found.IsDir():
			missing = unreachable(syscall.ENOTDIR)
			if bug("through_file_badargs") && judging {
				return nil, nil, fail("BadArgs", "a part of the path is not a directory")
			}
		}
	}
	if judging && dangling && bug("dangling_is_breach") {
		return nil, nil, fail("SandboxViolation", "path cannot be resolved")
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
	if (ctx.IncludeDefaultDenies == nil || *ctx.IncludeDefaultDenies) && !bug("default_denies_missing") {
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
			parts, globs := place, components(pattern)
			if bug("denied_name_only") && len(parts) > 0 {
				parts, globs = parts[len(parts)-1:], globs[len(globs)-1:]
				if globs[0] == "**" {
					continue
				}
			}
			if matches(parts, globs) {
				return fail("SandboxViolation", "path matches the denied pattern %s", pattern)
			}
		}
	}
	return nil
}

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

func components(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." })
}

func begins(path, head []string) bool {
	return len(head) <= len(path) && slices.Equal(head, path[:len(head)])
}
