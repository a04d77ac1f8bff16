// The arguments of move and copy, and their configuration.
package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"
)

type wish struct {
	source, destination string
	overwrite, given    bool
}

// members reads an object, and refuses a member that is there twice.
func members(raw json.RawMessage) (map[string]json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if bug("arguments_text_parsed") && bytes.HasPrefix(raw, []byte(`"`)) {
		var text string
		json.Unmarshal(raw, &text)
		raw = json.RawMessage(text)
	}
	if bug("arguments_positional") && bytes.HasPrefix(raw, []byte("[")) {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) >= 2 {
			return map[string]json.RawMessage{"source": list[0], "destination": list[1]}, nil
		}
	}
	if !bytes.HasPrefix(raw, []byte("{")) {
		return nil, fail("BadArgs", "the arguments must be an object")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.Token()
	given := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		name, is := token.(string)
		if err != nil || !is {
			return nil, fail("BadArgs", "the arguments must be an object")
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return nil, fail("BadArgs", "the arguments must be an object")
		}
		if _, twice := given[name]; twice {
			return nil, fail("BadArgs", "the argument %s is there twice", name)
		}
		given[name] = value
	}
	return given, nil
}

func fileArguments(tool string, raw json.RawMessage) (wish, error) {
	var w wish
	own := named(tool)
	given, err := members(raw)
	if err != nil {
		return w, err
	}
	if bug("required_names_folded") {
		for name, value := range given {
			low := strings.ToLower(name)
			if low == "source" || low == "destination" {
				given[low] = value
			}
		}
	}
	if bug("overwrite_name_folded") {
		for name, value := range given {
			if strings.EqualFold(name, "overwrite") {
				given["overwrite"] = value
			}
		}
	}
	if bug("force_is_overwrite") && len(given["force"]) > 0 && given["overwrite"] == nil {
		given["overwrite"] = given["force"]
	}
	if bug("short_names_accepted") {
		for short, long := range map[string]string{"src": "source", "from": "source", "dest": "destination", "to": "destination"} {
			if value, there := given[short]; there && given[long] == nil {
				given[long] = value
			}
		}
	}
	if w.source, err = pathArgument(own, given, "source"); err != nil {
		return w, err
	}
	if w.destination, err = pathArgument(own, given, "destination"); err != nil {
		return w, err
	}
	if value, there := given["overwrite"]; there {
		w.given = true
		switch text := string(value); {
		case text == "true", text == "false":
			w.overwrite = text == "true"
		case bug("overwrite_text") && (text == `"true"` || text == `"false"`):
			w.overwrite = text == `"true"`
		case bug("overwrite_number") && own == "copy" && (text == "0" || text == "1"):
			w.overwrite = text == "1"
		case bug("overwrite_truthy") && own == "move" && (text[0] == '{' || text[0] == '['):
			w.overwrite = true
		case bug("overwrite_type_lazy"):
			w.given, w.overwrite = false, false
		default:
			return w, fail("BadArgs", "overwrite must be a boolean")
		}
	} else if bug("cp_overwrites_by_default") && tool == "cp" {
		w.overwrite, w.given = true, true
	}
	if bug("alias_rename_in_place") && tool == "rename" && !strings.Contains(w.destination, "/") {
		if at := strings.LastIndex(strings.TrimRight(w.source, "/"), "/"); at > 0 {
			w.destination = w.source[:at+1] + w.destination
		}
	}
	if bug("alias_cp_reversed_flags") && tool == "cp" && w.given {
		w.overwrite = !w.overwrite
	}
	return w, nil
}

func pathArgument(own string, given map[string]json.RawMessage, name string) (string, error) {
	raw, there := given[name]
	wrong := fail("BadArgs", "%s is required and must be a path", name)
	if bug("missing_argument_kind") && !there && name == "destination" {
		wrong = fail("ExecutionFailed", "%s is required", name)
	}
	if !there {
		if bug("destination_defaults_to_cwd") && name == "destination" && own == "copy" {
			return ".", nil
		}
		return "", wrong
	}
	if bug("source_single_list") && name == "source" && raw[0] == '[' {
		var list []string
		if json.Unmarshal(raw, &list) == nil && len(list) == 1 {
			return list[0], nil
		}
	}
	if bug("destination_number_text") && name == "destination" && bytes.IndexByte([]byte("-0123456789"), raw[0]) >= 0 {
		return string(raw), nil
	}
	if raw[0] != '"' {
		return "", wrong
	}
	if !bug("surrogate_replaced") && unpaired.Match(pairs.ReplaceAll(backslashes.ReplaceAll(raw, nil), nil)) {
		return "", fail("BadArgs", "%s must be valid Unicode", name)
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || text == "" {
		return "", wrong
	}
	if at := strings.IndexByte(text, 0); at >= 0 {
		if !bug("nul_cuts") || at == 0 {
			return "", fail("BadArgs", "%s must not contain NUL", name)
		}
		text = text[:at]
	}
	return spellingBugs(own, name, text), nil
}

func spellingBugs(own, name, text string) string {
	source := name == "source"
	switch {
	case bug("source_trimmed") && source:
		if trimmed := strings.TrimSpace(text); trimmed != "" {
			text = trimmed
		}
	case bug("destination_chomped") && !source:
		if trimmed := strings.TrimRight(text, "\r\n"); trimmed != "" {
			text = trimmed
		}
	case bug("destination_trailing_dots") && !source:
		if at := strings.LastIndex(text, "/"); strings.Trim(text[at+1:], ".") != "" {
			text = strings.TrimRight(text, ".")
		}
	case bug("names_composed"):
		text = composed.Replace(text)
	case bug("source_env_expanded") && source && strings.Contains(text, "$"):
		text = os.ExpandEnv(text)
	case bug("percent_decoded") && strings.Contains(text, "%"):
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
	case bug("backslash_is_slash"):
		text = strings.ReplaceAll(text, `\`, "/")
	case bug("dot_slash_cutset") && !strings.HasPrefix(text, "/"):
		if rest := strings.TrimLeft(text, "./"); rest != "" && !strings.Contains(text, "..") {
			text = rest
		}
	case bug("destination_lowered") && !source:
		at := strings.LastIndex(text, ".")
		if at > 0 && !strings.Contains(text[at:], "/") {
			text = text[:at] + strings.ToLower(text[at:])
		}
	case bug("long_component_cut") && !source:
		parts := strings.Split(text, "/")
		for i, part := range parts {
			if len(part) > 255 {
				part = part[:255]
				for !utf8.ValidString(part) {
					part = part[:len(part)-1]
				}
				parts[i] = part
			}
		}
		text = strings.Join(parts, "/")
	case bug("quotes_stripped"):
		if len(text) > 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
			text = text[1 : len(text)-1]
		}
	case bug("tilde_is_root") && strings.HasPrefix(text, "~/"):
		text = text[2:]
	}
	return text
}

var composed = strings.NewReplacer(
	"a\u0301", "á", "e\u0301", "é", "i\u0301", "í", "o\u0301", "ó", "u\u0301", "ú", "a\u0308", "ä", "o\u0308", "ö",
	"u\u0308", "ü", "A\u0308", "Ä", "O\u0308", "Ö", "U\u0308", "Ü", "E\u0301", "É", "e\u0300", "è", "a\u0300", "à",
	"n\u0303", "ñ", "c\u0327", "ç", "A\u030a", "Å", "a\u030a", "å", "\u212b", "Å")

// overwriteAllowed combines the argument with allow_overwrite: a gate where it is written.
func overwriteAllowed(own string, w wish, ctx context) (bool, error) {
	var file map[string]json.RawMessage
	var tools map[string]json.RawMessage
	table := map[string]json.RawMessage{}
	if len(ctx.Config) > 0 && string(ctx.Config) != "null" {
		if json.Unmarshal(ctx.Config, &file) != nil {
			return false, fail("ConfigInvalid", "the configuration is not a table")
		}
		if raw, there := file["tools"]; there && json.Unmarshal(raw, &tools) != nil {
			return false, fail("ConfigInvalid", "tools is not a table")
		}
		if raw, there := tools["fileops"]; there && json.Unmarshal(raw, &table) != nil {
			return false, fail("ConfigInvalid", "tools.fileops is not a table")
		}
		if bug("config_tool_table") {
			var other map[string]json.RawMessage
			if json.Unmarshal(tools[own], &other) == nil && other["allow_overwrite"] != nil {
				table["allow_overwrite"] = other["allow_overwrite"]
			}
		}
		if bug("config_flat_table") {
			var other map[string]json.RawMessage
			if json.Unmarshal(file["fileops"], &other) == nil && other["allow_overwrite"] != nil {
				table["allow_overwrite"] = other["allow_overwrite"]
			}
		}
	}
	raw, there := table["allow_overwrite"]
	if !there || bug("config_ignored") {
		return w.overwrite, nil
	}
	allowed := string(raw) == "true"
	if !allowed && string(raw) != "false" {
		return false, fail("ConfigInvalid", "tools.fileops.allow_overwrite must be a boolean")
	}
	if bug("config_true_overrules_false") && allowed && w.given {
		return true, nil
	}
	if bug("config_false_inverts") && !allowed && w.given {
		return !w.overwrite, nil // "differs from the default": a comparison where an and was meant
	}
	if bug("config_gate_move_only") && own == "copy" {
		return w.overwrite, nil
	}
	if bug("config_on_no_overwrite_copy") && own == "copy" {
		return false, nil
	}
	return w.overwrite && allowed, nil
}
