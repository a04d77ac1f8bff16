// The request of a call after schema, configuration and defaults are applied.
package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

const toolName = "list_directory"

var definition = object{
	"name":        toolName,
	"aliases":     []string{},
	"description": "List directory entries",
	"input_schema": object{
		"type": "object",
		"properties": object{
			"path":             object{"type": "string"},
			"recursive":        object{"type": "boolean", "default": false},
			"max_depth":        object{"type": "integer", "minimum": 1},
			"max_entries":      object{"type": "integer", "minimum": 1},
			"include_hidden":   object{"type": "boolean", "default": false},
			"include_files":    object{"type": "boolean", "default": true},
			"include_dirs":     object{"type": "boolean", "default": true},
			"include_symlinks": object{"type": "boolean", "default": true},
			"include_other":    object{"type": "boolean", "default": false},
		},
		"required": []string{"path"},
	},
	"is_side_effecting": false,
	"requires_approval": false,
	"risk_level":        "Low",
}

// switches are the boolean arguments with a default in the configuration, and their built-in defaults (CFG-LD-05).
var switches = map[string]bool{
	"include_hidden": false, "include_symlinks": true, "include_files": true, "include_dirs": true,
	"include_other": false,
}

// listing is the request of a call. Its integers can be of any size.
type listing struct {
	path       string
	maxEntries *integer
	maxDepth   int
	hidden     bool
	includes   map[string]bool // by entry type
}

func effective(arguments, config json.RawMessage) (*listing, error) {
	args, err := checked(arguments)
	if err != nil {
		return nil, err
	}
	path, err := normalized(args["path"].(string))
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
	maxEntries, depth := limits["max_entries"], &integer{*big.NewInt(1)}
	if value, given := args["max_entries"]; given {
		maxEntries = value.(*integer)
	}
	if maxEntries.Cmp(&limits["max_entries"].Int) > 0 {
		return nil, fail("BadArgs", "max_entries must be at most %s", limits["max_entries"])
	}
	wantedDepth, given := args["max_depth"]
	if args["recursive"] == true {
		depth = limits["max_depth"]
		if given {
			depth = wantedDepth.(*integer)
		}
		if depth.Cmp(&limits["max_depth"].Int) > 0 {
			return nil, fail("BadArgs", "max_depth must be at most %s", limits["max_depth"])
		}
	} else if given && wantedDepth.(*integer).Cmp(&depth.Int) != 0 {
		return nil, fail("BadArgs", "max_depth must be absent or 1 when recursive is false")
	}
	if !defaults["include_files"] && !defaults["include_dirs"] && !defaults["include_symlinks"] {
		return nil, fail("BadArgs", "one of include_files, include_dirs and include_symlinks must be true")
	}
	return &listing{
		path: path, maxEntries: maxEntries, maxDepth: int(depth.small()), hidden: defaults["include_hidden"],
		includes: map[string]bool{
			"file": defaults["include_files"], "dir": defaults["include_dirs"],
			"symlink": defaults["include_symlinks"], "other": defaults["include_other"],
			"unknown": true, // failed entries are always listed
		},
	}, nil
}

// checked returns the arguments of the schema, as string, bool or *integer.
func checked(arguments json.RawMessage) (map[string]any, error) {
	var given map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(arguments), []byte("{")) || json.Unmarshal(arguments, &given) != nil {
		return nil, fail("BadArgs", "the arguments must be an object")
	}
	args := map[string]any{}
	for name, schema := range definition["input_schema"].(object)["properties"].(object) {
		raw, there := given[name]
		if !there || (otherReadings && name != "path" && string(raw) == "null") {
			continue
		}
		value, err := typed(raw, schema.(object)["type"].(string))
		if err != nil {
			return nil, fail("BadArgs", "%s %s", name, err)
		}
		if number, is := value.(*integer); is && number.Sign() < 1 {
			return nil, fail("BadArgs", "%s must be at least 1", name)
		}
		args[name] = value
	}
	if _, there := args["path"]; !there {
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
			return nil, fail("BadArgs", "must be valid Unicode") // Go would read U+FFFD without an error
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

// configured returns the limits and switches of [tools.list_directory], with built-in defaults.
func configured(config json.RawMessage) (map[string]*integer, map[string]bool, error) {
	limits := map[string]*integer{"max_entries": {*big.NewInt(200)}, "max_depth": {*big.NewInt(4)}}
	if bug("ls_default_entries") && calledAs == "ls" {
		limits["max_entries"] = &integer{*big.NewInt(1000)}
	}
	defaults := map[string]bool{}
	for name, value := range switches {
		defaults[name] = value
	}
	var file struct {
		Tools map[string]json.RawMessage `json:"tools"`
	}
	table := map[string]json.RawMessage{}
	if len(config) > 0 {
		if json.Unmarshal(config, &file) != nil {
			return nil, nil, fail("ConfigInvalid", "tools is not a table")
		}
		name := toolName
		if bug("alias_config_table") {
			name = calledAs
		}
		if own, there := file.Tools[name]; there && json.Unmarshal(own, &table) != nil && !otherReadings {
			return nil, nil, fail("ConfigInvalid", "tools.%s is not a table", toolName)
		}
	}
	for name := range limits {
		if raw, there := table[name]; there {
			value, err := typed(raw, "integer")
			if otherReadings && (err != nil || value.(*integer).Sign() < 1) {
				continue // what cannot be used counts as absent
			}
			if err != nil || value.(*integer).Sign() < 1 {
				return nil, nil, fail("ConfigInvalid", "[tools.%s] %s must be an integer above 0", toolName, name)
			}
			limits[name] = value.(*integer)
		}
	}
	for name := range switches {
		if raw, there := table[name+"_default"]; there {
			value, err := typed(raw, "boolean")
			if err != nil && otherReadings {
				continue
			}
			if err != nil {
				return nil, nil, fail("ConfigInvalid", "[tools.%s] %s_default must be true or false", toolName, name)
			}
			defaults[name] = value.(bool)
		}
	}
	return limits, defaults, nil
}

var driveRoot = regexp.MustCompile(`^[A-Za-z]:$`)

// normalized applies FR-LD-VAL-10 on a system with slash as separator.
func normalized(path string) (string, error) {
	text := strings.TrimFunc(path, unicode.IsSpace)
	if text == "" {
		return "", fail("BadArgs", "path must not be empty")
	}
	if strings.ContainsRune(text, 0) {
		return "", fail("BadArgs", "path must not contain NUL")
	}
	clean := strings.Join(components(text), "/")
	switch {
	case strings.HasPrefix(text, "/"):
		return "/" + clean, nil
	case !otherReadings && driveRoot.MatchString(clean) && strings.HasSuffix(text, "/"):
		return clean + "/", nil
	case clean == "":
		return ".", nil
	}
	return clean, nil
}

// integer is a JSON number without a fraction in any spelling: 2, 2.0 and 20e-1 are equal.
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
		text = mantissa + "e400" // also beyond every limit
	}
	if number, ok := new(big.Rat).SetString(text); ok && number.IsInt() {
		return &integer{*number.Num()}
	}
	return nil
}

// small returns the nearest int64.
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

func smaller(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}
