// The request of a call after schema, configuration and defaults are applied.
package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const toolName = "list_directory"

var definition = object{
	"name":        toolName,
	"aliases":     []string{},
	"description": "List directory entries",
	"input_schema": schema(),
	"is_side_effecting": false,
	"requires_approval": false,
	"risk_level":        "Low",
}

func schema() object {
	properties := object{
		"path":             object{"type": "string"},
		"recursive":        object{"type": "boolean", "default": false},
		"max_depth":        object{"type": "integer", "minimum": 1},
		"max_entries":      object{"type": "integer", "minimum": 1},
		"include_hidden":   object{"type": "boolean", "default": false},
		"include_files":    object{"type": "boolean", "default": true},
		"include_dirs":     object{"type": "boolean", "default": true},
		"include_symlinks": object{"type": "boolean", "default": true},
		"include_other":    object{"type": "boolean", "default": false},
	}
	whole := object{"type": "object", "properties": properties, "required": []string{"path"}}
	switch {
	case bug("schema_other_missing"):
		delete(properties, "include_other")
	case bug("schema_number"):
		properties["max_entries"] = object{"type": "number", "minimum": 1}
	case bug("schema_all_required"):
		whole["required"] = []string{"path", "recursive"}
	case bug("schema_maximum"):
		properties["max_depth"] = object{"type": "integer", "minimum": 1, "maximum": 4}
	case bug("schema_links_false"):
		properties["include_symlinks"] = object{"type": "boolean", "default": false}
	}
	return whole
}

var kinds = map[string]string{
	"path": "string", "recursive": "boolean", "max_depth": "integer", "max_entries": "integer", "include_hidden": "boolean",
	"include_files": "boolean", "include_dirs": "boolean", "include_symlinks": "boolean", "include_other": "boolean",
}

var switches = map[string]bool{
	"include_hidden": false, "include_symlinks": true, "include_files": true, "include_dirs": true, "include_other": false,
}

type listing struct {
	path, shown, asked string
	maxEntries  *integer
	maxDepth    int
	hidden      bool
	recursive   bool
	depthGiven  bool
	hiddenGiven bool
	includes    map[string]bool
}

func effective(arguments, config json.RawMessage) (*listing, error) {
	args, err := checked(arguments)
	if err != nil {
		return nil, err
	}
	clean, err := normalized(args["path"].(string))
	if err != nil {
		return nil, err
	}
	limits, defaults, err := configured(config)
	if err != nil {
		return nil, err
	}
	for name := range switches {
		if value, given := args[name]; given {
			defaults[name] = value.(bool)
		}
	}
	recursive := args["recursive"] == true
	if bug("other_default_lost") && args["include_other"] == nil {
		defaults["include_other"] = false
	}
	if bug("hidden_default_recursive_only") && args["include_hidden"] == nil && !recursive {
		defaults["include_hidden"] = false
	}
	maxEntries, depth := limits["max_entries"], &integer{*big.NewInt(1)}
	if value, given := args["max_entries"]; given {
		maxEntries = value.(*integer)
	}
	bound := &limits["max_entries"].Int
	if bug("entries_cap_excluded") && args["max_entries"] != nil {
		bound = new(big.Int).Sub(bound, big.NewInt(1))
	}
	if bug("entries_cap_never_below_200") && bound.Cmp(big.NewInt(200)) < 0 {
		bound = big.NewInt(200)
	}
	if maxEntries.Cmp(bound) > 0 {
		if bug("entries_lowered") {
			maxEntries = limits["max_entries"]
		} else {
			return nil, fail("BadArgs", "max_entries must be at most %s", limits["max_entries"])
		}
	}
	wantedDepth, given := args["max_depth"]
	cap := &limits["max_depth"].Int
	switch {
	case recursive:
		depth = limits["max_depth"]
		if bug("default_depth_one_short") && !given && depth.Cmp(big.NewInt(1)) > 0 {
			depth = &integer{*new(big.Int).Sub(&depth.Int, big.NewInt(1))}
		}
		if given {
			depth = wantedDepth.(*integer)
		}
		if bug("depth_cap_excluded") && given && cap.Cmp(big.NewInt(1)) > 0 {
			cap = new(big.Int).Sub(cap, big.NewInt(1))
		}
		if bug("depth_cap_never_below_4") && cap.Cmp(big.NewInt(4)) < 0 {
			cap = big.NewInt(4)
		}
		if bug("depth_cap_int32") && depth.Cmp(big.NewInt(math.MaxInt32)) > 0 {
			depth = &integer{*big.NewInt(int64(int32(depth.small())))}
			if depth.Sign() < 1 {
				depth = &integer{*big.NewInt(1)}
			}
		}
		if depth.Cmp(cap) > 0 {
			return nil, fail("BadArgs", "max_depth must be at most %s", limits["max_depth"])
		}
	case given && bug("depth_means_recursive"):
		if depth = wantedDepth.(*integer); depth.Cmp(cap) > 0 {
			return nil, fail("BadArgs", "max_depth must be at most %s", limits["max_depth"])
		}
	case given && bug("flat_depth_refused"):
		return nil, fail("BadArgs", "max_depth needs recursive")
	case given && bug("flat_depth_ignored_within_cap") && wantedDepth.(*integer).Cmp(cap) <= 0:
	case given && wantedDepth.(*integer).Cmp(&depth.Int) != 0:
		return nil, fail("BadArgs", "max_depth must be absent or 1 when recursive is false")
	}
	none := !defaults["include_files"] && !defaults["include_dirs"] && !defaults["include_symlinks"]
	if bug("links_alone_refused") {
		none = !defaults["include_files"] && !defaults["include_dirs"]
	}
	if none && bug("no_kind_lists_nothing") {
		maxEntries, none = limits["max_entries"], false
	}
	if none {
		return nil, fail("BadArgs", "one of include_files, include_dirs and include_symlinks must be true")
	}
	_, hiddenGiven := args["include_hidden"]
	return &listing{
		asked: args["path"].(string), path: clean, shown: shown(args["path"].(string), clean), maxEntries: maxEntries, maxDepth: int(depth.small()),
		hidden: defaults["include_hidden"], recursive: recursive, depthGiven: given, hiddenGiven: hiddenGiven,
		includes: map[string]bool{
			"file": defaults["include_files"], "dir": defaults["include_dirs"],
			"symlink": defaults["include_symlinks"], "other": defaults["include_other"],
			"unknown": true,
		},
	}, nil
}

func checked(arguments json.RawMessage) (map[string]any, error) {
	var given map[string]json.RawMessage
	if bug("no_arguments_at_all") && string(bytes.TrimSpace(arguments)) == "null" {
		arguments = json.RawMessage(`{"path":"."}`)
	}
	if bug("lone_path_text") && bytes.HasPrefix(bytes.TrimSpace(arguments), []byte(`"`)) {
		arguments = json.RawMessage(`{"path":` + string(arguments) + `}`)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(arguments), []byte("{")) || json.Unmarshal(arguments, &given) != nil {
		return nil, fail("BadArgs", "the arguments must be an object")
	}
	args := map[string]any{}
	for name := range given {
		if _, known := kinds[name]; !known && bug("unknown_arguments_refused") {
			return nil, fail("BadArgs", "there is no argument %s", name)
		}
		if low := strings.ToLower(name); bug("names_any_case") && low != name {
			if _, there := given[low]; !there && kinds[low] != "" {
				given[low] = given[name]
			}
		}
	}
	for name, kind := range kinds {
		raw, there := given[name]
		if !there {
			continue
		}
		if bug("null_limit_absent") && string(raw) == "null" && kind == "integer" {
			continue
		}
		if bug("null_path_is_root") && string(raw) == "null" && kind == "string" {
			raw = json.RawMessage(`"."`)
		}
		if bug("boolean_from_number") && kind == "boolean" && (string(raw) == "0" || string(raw) == "1") {
			raw = json.RawMessage(strconv.FormatBool(string(raw) == "1"))
		}
		if bug("path_from_number") && kind == "string" && raw[0] >= '0' && raw[0] <= '9' {
			raw = json.RawMessage(strconv.Quote(string(raw)))
		}
		if bug("flat_call_depth_unchecked") && name == "max_depth" && given["recursive"] == nil {
			if value, err := typed(raw, kind); err != nil || value.(*integer).Sign() < 1 {
				continue
			}
		}
		if bug("recursive_any_value") && name == "recursive" && raw[0] != 't' && raw[0] != 'f' {
			continue
		}
		if bug("limit_uint64") && kind == "integer" && len(raw) > 19 && regexp.MustCompile(`^[0-9]+$`).Match(raw) {
			huge, _ := new(big.Int).SetString(string(raw), 10)
			wrapped := new(big.Int).And(huge, new(big.Int).SetUint64(math.MaxUint64))
			raw = json.RawMessage(wrapped.String())
			if wrapped.Sign() == 0 {
				raw = json.RawMessage("1")
			}
		}
		value, err := typed(raw, kind)
		if err != nil {
			return nil, fail("BadArgs", "%s %s", name, err)
		}
		if number, is := value.(*integer); is && number.Sign() < 1 {
			if bug("zero_depth_is_one") && name == "max_depth" && number.Sign() == 0 {
				args[name] = &integer{*big.NewInt(1)}
				continue
			}
			if bug("negative_entries_absolute") && name == "max_entries" && number.Sign() < 0 {
				args[name] = &integer{*new(big.Int).Abs(&number.Int)}
				continue
			}
			return nil, fail("BadArgs", "%s must be at least 1", name)
		}
		args[name] = value
	}
	if _, there := args["path"]; !there {
		if bug("path_optional") {
			args["path"] = "."
			return args, nil
		}
		return nil, fail("BadArgs", "path is missing")
	}
	return args, nil
}

func typed(raw json.RawMessage, kind string) (any, error) {
	wrong := fail("BadArgs", "must be of type %s", kind)
	first := raw[0]
	switch {
	case kind == "string" && first == '"':
		if unpaired.Match(pairs.ReplaceAll(backslashes.ReplaceAll(raw, nil), nil)) {
			return nil, fail("BadArgs", "must be valid Unicode")
		}
		var text string
		return text, json.Unmarshal(raw, &text)
	case kind == "boolean" && (first == 't' || first == 'f'):
		return first == 't', nil
	case kind == "integer" && strings.IndexByte("-0123456789", first) >= 0:
		if number := whole(string(raw)); number != nil {
			return number, nil
		}
	}
	return nil, wrong
}

var (
	backslashes = regexp.MustCompile(`\\\\`)
	pairs       = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)
	unpaired    = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
)

func configured(config json.RawMessage) (map[string]*integer, map[string]bool, error) {
	limits := map[string]*integer{"max_entries": {*big.NewInt(200)}, "max_depth": {*big.NewInt(4)}}
	defaults := map[string]bool{}
	for name, value := range switches {
		defaults[name] = value
	}
	if bug("built_in_depth_5") {
		limits["max_depth"] = &integer{*big.NewInt(5)}
	}
	if bug("built_in_entries_256") {
		limits["max_entries"] = &integer{*big.NewInt(256)}
	}
	if bug("built_in_links_off") {
		defaults["include_symlinks"] = false
	}
	var file struct {
		Tools map[string]json.RawMessage `json:"tools"`
	}
	table := map[string]json.RawMessage{}
	if len(config) > 0 {
		if json.Unmarshal(config, &file) != nil {
			return nil, nil, fail("ConfigInvalid", "tools is not a table")
		}
		own, there := file.Tools[toolName]
		if !there && bug("config_of_neighbour") {
			for _, other := range []string{"list_files", "list_dir", "ls", "file_operations", "glob", "read_file"} {
				if found, is := file.Tools[other]; is {
					own, there = found, true
				}
			}
		}
		if there && json.Unmarshal(own, &table) != nil {
			return nil, nil, fail("ConfigInvalid", "tools.%s is not a table", toolName)
		}
	}
	if bug("incomplete_table_absent") && len(table) < 7 {
		table = nil
	}
	if bug("absent_switch_is_false") && len(table) > 0 {
		for name := range switches {
			if _, there := table[name+"_default"]; !there {
				defaults[name] = false
			}
		}
		if !defaults["include_files"] && !defaults["include_dirs"] {
			defaults["include_files"] = true
		}
	}
	for name := range limits {
		if bug("depth_from_entries_table") && name == "max_depth" && table["max_entries"] == nil {
			continue
		}
		if raw, there := table[name]; there {
			value, err := typed(raw, "integer")
			if err != nil || value.(*integer).Sign() < 1 {
				return nil, nil, fail("ConfigInvalid", "[tools.%s] %s must be an integer above 0", toolName, name)
			}
			limits[name] = value.(*integer)
		}
	}
	if bug("entries_cap_1000") && limits["max_entries"].Cmp(big.NewInt(1000)) > 0 {
		limits["max_entries"] = &integer{*big.NewInt(1000)}
	}
	for name := range switches {
		key := name + "_default"
		if bug("links_key_misspelt") && name == "include_symlinks" {
			key = "include_links_default"
		}
		if bug("dirs_key_of_files") && name == "include_dirs" {
			key = "include_files_default"
		}
		if raw, there := table[key]; there {
			value, err := typed(raw, "boolean")
			if err != nil {
				return nil, nil, fail("ConfigInvalid", "[tools.%s] %s_default must be true or false", toolName, name)
			}
			defaults[name] = value.(bool)
		}
	}
	return limits, defaults, nil
}

var driveRoot = regexp.MustCompile(`^[A-Za-z]:$`)

func normalized(asked string) (string, error) {
	text := strings.TrimFunc(asked, unicode.IsSpace)
	if bug("trims_blanks_only") {
		text = strings.Trim(asked, " ")
	}
	if text == "" {
		if bug("empty_path_is_root") && asked == "" {
			return ".", nil
		}
		if bug("blank_path_failed") && asked != "" {
			return "", fail("ExecutionFailed", "path does not exist")
		}
		return "", fail("BadArgs", "path must not be empty")
	}
	if strings.ContainsRune(text, 0) {
		return "", fail("BadArgs", "path must not contain NUL")
	}
	if bug("home_expanded") && (text == "~" || strings.HasPrefix(text, "~/")) {
		text = "." + text[1:]
	}
	parts := components(text)
	if bug("components_trimmed") {
		for at := range parts {
			parts[at] = strings.TrimSpace(parts[at])
		}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" || part == "." })
	}
	clean := strings.Join(parts, "/")
	switch {
	case strings.HasPrefix(text, "/"):
		return "/" + clean, nil
	case driveRoot.MatchString(clean) && strings.HasSuffix(text, "/"):
		return clean + "/", nil
	case clean == "":
		return ".", nil
	}
	if bug("percent_decoded") {
		if plain, err := url.PathUnescape(clean); err == nil {
			clean = plain
		}
	}
	return clean, nil
}

// shown is the spelling in the answer.
func shown(asked, clean string) string {
	text := strings.TrimFunc(asked, unicode.IsSpace)
	switch {
	case bug("shown_as_asked_trailing") && strings.HasSuffix(text, "/") && clean != "/" && clean != ".":
		return strings.TrimSuffix(clean, "/") + "/"
	case bug("shown_lower_case"):
		return strings.ToLower(clean)
	case bug("shown_without_root") && clean != "/":
		return strings.TrimPrefix(clean, "/")
	case bug("shown_double_start") && strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "///"):
		return "/" + clean
	case bug("shown_any_drive") && strings.HasSuffix(text, ":/"):
		return strings.TrimSuffix(clean, "/") + "/"
	case bug("shown_with_dot") && clean != "." && !strings.HasPrefix(clean, "/"):
		return "./" + clean
	case bug("shown_untrimmed"):
		return asked[:len(asked)-len(strings.TrimLeftFunc(asked, unicode.IsSpace))] + clean
	case bug("shown_triple_slash"):
		kept := strings.ReplaceAll(strings.ReplaceAll(text, "/./", "/"), "//", "/")
		kept = strings.TrimPrefix(kept, "./")
		if len(kept) > 1 {
			kept = strings.TrimSuffix(kept, "/")
		}
		if kept == "" {
			return clean
		}
		return kept
	case bug("shown_base_only"):
		if clean != "/" && clean != "." {
			return path.Base(clean)
		}
	}
	return clean
}

type integer struct{ big.Int }

func whole(text string) *integer {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if power, err := strconv.Atoi(exponent); exponent != "" && (err != nil || power > 400 || power < -400) {
		if strings.Trim(mantissa, "-0.") == "" {
			return &integer{}
		}
		if strings.HasPrefix(exponent, "-") {
			return nil
		}
		text = mantissa + "e400"
	}
	if number, ok := new(big.Rat).SetString(text); ok {
		if number.IsInt() {
			return &integer{*number.Num()}
		}
		if bug("fraction_nearest") {
			near, _ := number.Float64()
			return &integer{*big.NewInt(int64(math.Round(near)))}
		}
	}
	return nil
}

func (n *integer) small() int64 {
	if n.IsInt64() {
		return n.Int64()
	}
	if n.Sign() < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

func (n *integer) or(standard int64) int64 {
	if n == nil {
		return standard
	}
	return n.small()
}
