// The sandbox of the framework.
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

type sandbox struct {
	roots [][]string
	start []string
	ctx   context
}

// place is a path that the sandbox has accepted.
type place struct {
	entry    string // links of its directory followed, not one at its end
	resolved string // all links followed
	spelled  string // absolute, nothing followed
	slash    bool   // it says that it is a directory
	late     bool   // the refusal is about the final name
}

func newSandbox(ctx context) (*sandbox, error) {
	box := &sandbox{ctx: ctx}
	for _, root := range ctx.Roots {
		canonical, _, err := follow(nil, components(root), true)
		if err != nil {
			return nil, err
		}
		if bug("root_links_unresolved") {
			canonical = components(root)
		}
		box.roots = append(box.roots, canonical)
	}
	var err error
	if box.start, _, err = follow(nil, components(ctx.WorkingDir), true); err != nil {
		return nil, err
	}
	return box, nil
}

// locate checks a path argument.
func (box *sandbox) locate(own, argument, role string) (place, error) {
	absolute := strings.HasPrefix(argument, "/")
	if absolute && !box.ctx.AllowAbsolute {
		switch {
		case bug("absolute_destination_inside") && role == "destination":
		case bug("absolute_source_joined") && role == "source":
			absolute = false
		default:
			return place{}, fail("SandboxViolation", "absolute paths are not allowed")
		}
	}
	if absolute && bug("absolute_copy_refused") && own == "copy" && role == "destination" {
		return place{}, fail("SandboxViolation", "absolute paths are not allowed")
	}
	parts := components(argument)
	if bug("dotdot_cleaned_first") && slices.Contains(parts, "..") {
		parts = components(filepath.Clean(argument))
	}
	if slices.Contains(parts, "..") {
		if !(bug("dotdot_last_allowed") && role == "destination" && slices.Index(parts, "..") == len(parts)-1) {
			return place{}, fail("SandboxViolation", "a path must not contain '..'")
		}
	}
	if bug("dotdot_prefix_refused") && len(parts) > 0 && strings.HasPrefix(parts[0], "..") {
		return place{}, fail("SandboxViolation", "the path leads out of the sandbox")
	}
	if bug("dots_only_refused") && slices.ContainsFunc(parts, func(part string) bool { return strings.Trim(part, ".") == "" }) {
		return place{}, fail("SandboxViolation", "the path leads out of the sandbox")
	}
	var start []string
	if !absolute {
		start = box.start
		if bug("destination_from_root") && role == "destination" && len(box.roots) > 0 {
			start = box.roots[0]
		}
		if bug("source_found_in_root") && role == "source" && len(box.roots) > 0 {
			if _, err := os.Lstat("/" + strings.Join(append(slices.Clone(start), parts...), "/")); err != nil {
				start = box.roots[0]
			}
		}
		if bug("working_dir_last_root") && len(box.roots) > 1 && role == "destination" {
			for _, root := range box.roots {
				if _, err := os.Lstat("/" + strings.Join(append(slices.Clone(root), parts...), "/")); err == nil {
					start = root
				}
			}
		}
	}
	if bug("glob_source") && role == "source" && strings.ContainsAny(argument, "*?[") {
		base := "/" + strings.Join(start, "/")
		if found, _ := filepath.Glob(base + "/" + strings.Join(parts, "/")); len(found) > 0 {
			slices.SortFunc(found, func(a, b string) int { return strings.Compare(b, a) })
			parts = components(strings.TrimPrefix(found[0], base))
		}
	}
	if bug("source_case_folded") && role == "source" {
		parts = foldedParts(start, parts)
	}
	whole := append(slices.Clone(start), parts...)
	end := argument[strings.LastIndex(argument, "/")+1:]
	p, err := box.judge(own, whole, role, absolute)
	p.spelled = "/" + strings.Join(whole, "/")
	p.slash = end == "" || end == "."
	return p, err
}

func foldedParts(start, parts []string) []string {
	here, out := "/"+strings.Join(start, "/"), []string{}
	for _, part := range parts {
		if _, err := os.Lstat(here + "/" + part); err != nil {
			names, _ := read(here)
			for _, name := range names {
				if strings.EqualFold(name, part) {
					part = name
				}
			}
		}
		out = append(out, part)
		here += "/" + part
	}
	return out
}

// judge checks a whole path: the entry, and where it leads.
func (box *sandbox) judge(own string, whole []string, role string, absolute bool) (place, error) {
	resolved, missing, err := follow(nil, whole, true)
	if err != nil {
		return place{}, err
	}
	entry := resolved
	if len(whole) > 0 {
		parent, _, err := follow(nil, whole[:len(whole)-1], true)
		if err != nil {
			return place{}, err
		}
		entry = append(parent, whole[len(whole)-1])
	}
	if len(whole) > 0 && (whole[len(whole)-1] == "..") {
		entry = resolved
	}
	p := place{entry: "/" + strings.Join(entry, "/"), resolved: "/" + strings.Join(resolved, "/")}
	p.spelled = "/" + strings.Join(whole, "/")
	if bug("missing_destination_lexical") && role == "destination" && missing != nil && own == "move" {
		entry, resolved = whole, whole // EvalSymlinks has failed: what is not there is judged as it is spelt
	}
	both := [][]string{entry, resolved}
	switch {
	case bug("source_link_unjudged") && role == "source":
		both = [][]string{entry}
	case bug("source_directory_unjudged") && role == "source" && own == "copy":
		if found, err := os.Lstat("/" + strings.Join(whole, "/")); err == nil && found.Mode()&os.ModeSymlink == 0 {
			both = [][]string{whole}
		}
	case bug("dangling_destination_by_name") && role != "source" && own == "copy" && missing != nil:
		both = [][]string{entry}
	case bug("final_link_unjudged") && role == "final":
		both = [][]string{entry}
	case bug("absolute_source_anywhere") && absolute && role == "source":
		both = nil
	}
	for _, here := range both {
		inside := func(root []string) bool {
			if bug("roots_as_text") {
				return strings.HasPrefix("/"+strings.Join(here, "/"), "/"+strings.Join(root, "/"))
			}
			return begins(here, root)
		}
		roots := box.roots
		if bug("second_root_no_destination") && role == "destination" && len(roots) > 1 {
			roots = roots[:1]
		}
		if bug("root_of_working_dir_only") && len(roots) > 1 {
			roots = slices.DeleteFunc(slices.Clone(roots), func(root []string) bool { return !begins(box.start, root) })
		}
		if bug("parent_of_root_inside") && role == "destination" && !absolute {
			// one component too few is compared
			if len(here) > 0 && slices.ContainsFunc(roots, func(root []string) bool {
				return len(root) > 0 && begins(here, root[:len(root)-1])
			}) {
				continue
			}
		}
		if !slices.ContainsFunc(roots, inside) {
			return p, fail("SandboxViolation", "the path leads outside the sandbox")
		}
	}
	if bug("denied_existing_only") && missing != nil {
		return p, nil
	}
	if bug("denied_final_unchecked") && role == "final" {
		return p, nil
	}
	if bug("denied_copy_source_only") && own == "copy" && role != "source" {
		return p, nil
	}
	judged := [][]string{entry, resolved}
	if bug("denied_spelled_only") {
		judged = [][]string{whole}
	}
	if bug("denied_entry_unjudged") {
		judged = [][]string{resolved}
	}
	for _, here := range judged {
		if err := box.refuseDenied(here); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (box *sandbox) patterns() []string {
	patterns := slices.Clone(box.ctx.DeniedPatterns)
	with := box.ctx.IncludeDefaultDenies == nil || *box.ctx.IncludeDefaultDenies
	if bug("default_denies_replaced") && len(patterns) > 0 {
		with = false
	}
	if bug("default_denies_zero_value") && box.ctx.IncludeDefaultDenies == nil {
		with = false
	}
	if bug("custom_denies_with_defaults_only") && !with {
		patterns = nil
	}
	if with {
		for _, secret := range secrets {
			if bug("default_without_gnupg") && strings.Contains(secret, "gnupg") {
				continue
			}
			if bug("default_id_rsa_exact") && strings.Contains(secret, "id_rsa") {
				secret = "**/id_rsa"
			}
			patterns = append(patterns, secret)
		}
	}
	return patterns
}

func (box *sandbox) refuseDenied(here []string) error {
	places := [][]string{here}
	for _, root := range box.roots {
		if begins(here, root) {
			if bug("double_star_at_least_one") {
				places = nil
			}
			places = append(places, here[len(root):])
		}
	}
	for _, pattern := range box.patterns() {
		for _, place := range places {
			if denies(pattern, place) {
				return fail("SandboxViolation", "the path matches the denied pattern %s", pattern)
			}
		}
	}
	return nil
}

func denies(pattern string, parts []string) bool {
	if bug("denied_filepath_match") {
		fits, _ := path.Match(strings.ReplaceAll(pattern, "**", "*"), strings.Join(parts, "/"))
		return fits
	}
	if bug("denied_basename_only") && strings.HasPrefix(pattern, "**/") {
		if len(parts) == 0 {
			return false
		}
		return matches(parts[len(parts)-1:], components(strings.TrimSuffix(pattern, "/**")))
	}
	return matches(parts, components(pattern))
}

// matches matches a glob over components: ** is any number of components, *, ? and […] match within one component.
func matches(parts, pattern []string) bool {
	if len(pattern) == 0 {
		return len(parts) == 0
	}
	if pattern[0] == "**" {
		if bug("double_star_at_least_one") && len(pattern) > 1 && len(parts) > 0 {
			return slices.ContainsFunc(tails(parts[1:]), func(tail []string) bool { return matches(tail, pattern[1:]) })
		}
		return matches(parts, pattern[1:]) || (len(parts) > 0 && matches(parts[1:], pattern))
	}
	if len(parts) == 0 {
		return false
	}
	if bug("star_spares_dotfiles") && strings.HasPrefix(parts[0], ".") && strings.HasPrefix(pattern[0], "*") {
		return false
	}
	fits, _ := path.Match(pattern[0], parts[0])
	return fits && matches(parts[1:], pattern[1:])
}

func tails(parts []string) [][]string {
	out := [][]string{parts}
	for i := range parts {
		out = append(out, parts[i+1:])
	}
	return out
}

// resolve is the path check of list_directory.
func (box *sandbox) resolveDirectory(wanted string) (where string, missing, err error) {
	absolute := strings.HasPrefix(wanted, "/")
	if absolute && !box.ctx.AllowAbsolute {
		return "", nil, fail("SandboxViolation", "absolute paths are not allowed")
	}
	parts := components(wanted)
	if slices.Contains(parts, "..") {
		return "", nil, fail("SandboxViolation", "a path must not contain '..'")
	}
	var start []string
	if !absolute {
		start = box.start
	}
	here, missing, err := follow(start, parts, true)
	if err != nil {
		return "", nil, err
	}
	if !slices.ContainsFunc(box.roots, func(root []string) bool { return begins(here, root) }) {
		return "/" + strings.Join(here, "/"), missing, fail("SandboxViolation", "path leads outside the sandbox")
	}
	if err := box.refuseDenied(here); err != nil {
		return "", nil, err
	}
	return "/" + strings.Join(here, "/"), missing, nil
}

// follow follows links component by component, and continues after a missing part.
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

func components(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." })
}

func begins(path, head []string) bool {
	return len(head) <= len(path) && slices.Equal(head, path[:len(head)])
}
