// list_directory, under each of its names.
package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

var calledAs string

func listCall(tool string, arguments json.RawMessage, ctx context) (string, error) {
	calledAs = tool
	if bug("listdir_path_optional") && tool == "listdir" && bytes.Equal(bytes.TrimSpace(arguments), []byte("{}")) {
		arguments = json.RawMessage(`{"path":"."}`)
	}
	wanted, err := effective(arguments, ctx.Config)
	if err != nil {
		return "", err
	}
	if bug("ls_shows_hidden") && tool == "ls" && !bytes.Contains(arguments, []byte("include_hidden")) {
		wanted.hidden = true
	}
	if bug("dir_flat_only") && tool == "dir" {
		wanted.maxDepth = 1
	}
	if err := checkLists(tool, "list_directory", ctx); err != nil {
		return "", err
	}
	box, err := newSandbox(ctx)
	if err != nil {
		return "", err
	}
	place, missing, err := box.resolveDirectory(wanted.path)
	if err != nil && !(bug("listdir_outside") && tool == "listdir" && place != "") {
		return "", err
	}
	asked := false
	if err := checkMode(tool, "list_directory", ctx, &asked, false); err != nil && !bug("list_in_deny_mode") {
		return "", err
	}
	if missing != nil {
		if bug("list_missing_is_empty") && tool != "list_directory" {
			return fitted(wanted, nil, false, 65536)
		}
		return "", missing
	}
	entries, truncated, err := walk(place, wanted)
	if err != nil {
		return "", err
	}
	budget := smaller(ctx.MaxOutputBytes.or(102400), ctx.AvailableCapacityBytes.or(65536))
	if bug("alias_budget_ignored") && tool != "list_directory" {
		budget = 102400
	}
	return fitted(wanted, entries, truncated, budget)
}

// listOrderBugs are wrong orders of the entries.
func listOrderBugs(a, b entry) int {
	switch {
	case bug("list_sorted_by_name"):
		return strings.Compare(a.name, b.name)
	case bug("list_sorted_without_case"):
		return strings.Compare(strings.ToLower(a.path), strings.ToLower(b.path))
	case bug("list_directories_first") && a.kind != b.kind && a.depth == 1 && b.depth == 1:
		if a.kind == "dir" {
			return -1
		}
		if b.kind == "dir" {
			return 1
		}
	case bug("list_sorted_utf16"):
		return slices.Compare(utf16.Encode([]rune(a.path)), utf16.Encode([]rune(b.path)))
	case bug("list_dots_ignored"):
		return strings.Compare(strings.TrimLeft(a.path, "._"), strings.TrimLeft(b.path, "._"))
	case bug("list_numbers_by_value"):
		x, errX := strconv.Atoi(strings.TrimSuffix(strings.TrimLeft(a.path, letters), ".txt"))
		y, errY := strconv.Atoi(strings.TrimSuffix(strings.TrimLeft(b.path, letters), ".txt"))
		if errX == nil && errY == nil {
			return x - y
		}
	}
	return 0
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
