// The glue code: the candidate protocol of treeproof over stdin and stdout. The tool is in walkdir.go.
// TREEPROOF_BUG selects one wrong behaviour.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

const toolName = "FS.WalkDir"

var selected = os.Getenv("TREEPROOF_BUG")

func bug(name string) bool { return selected == name }

type object = map[string]any

type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Workspace string
		Tool      string
		Arguments json.RawMessage
		Context   struct{ Roots []string }
	}
}

var (
	workspace    string
	firstSandbox string
	lateLog      []object
	keptLog      []object
	loggedOnce   = map[string]bool{}
	reusedArgs   struct{ Path string }
)

func main() {
	requests, responses := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var received request
		if requests.Decode(&received) != nil {
			return // stdin has ended
		}
		responses.Encode(object{"jsonrpc": "2.0", "id": received.ID, "result": respond(received)})
	}
}

func respond(received request) any {
	switch received.Method {
	case "initialize":
		workspace = received.Params.Workspace
		return object{
			"protocol":     1,
			"candidate":    object{"name": "foreign-walkdir-go", "version": "0.1.0", "language": "go"},
			"tools":        object{toolName: "fs_walkdir@0.1"},
			"capabilities": []string{"log"},
		}
	case "describe":
		name := toolName
		if bug("describe_function_name") {
			name = "toolWalkDir"
		}
		return object{
			"name":        name,
			"aliases":     []string{},
			"description": "Recursively walks a directory tree and returns a list of its files and subdirectories.",
			"input_schema": object{
				"type":                 "object",
				"properties":           object{"path": object{"type": "string", "minLength": 1}},
				"required":             []string{"path"},
				"additionalProperties": false,
			},
			"is_side_effecting": false,
		}
	case "call":
		return call(received.Params.Tool, received.Params.Arguments, received.Params.Context.Roots[0])
	}
	return nil // shutdown
}

func call(tool string, arguments json.RawMessage, sandboxDir string) object {
	wanted := toolName
	if bug("only_internal_name") {
		wanted = "TOOL.WalkDir"
	}
	if tool != wanted {
		return failure("UnknownTool", "there is no tool "+tool)
	}
	if firstSandbox == "" {
		firstSandbox = sandboxDir
	}
	if bug("sandbox_cached") {
		sandboxDir = firstSandbox
	}
	path, err := pathArgument(arguments)
	if err != nil {
		return failure("BadArgs", err.Error())
	}
	if path == "" && bug("empty_gives_list") {
		return object{"status": "ok", "content": "[]", "log": []object{}}
	}
	entries, err := walkDir(path, sandboxDir)
	log := records(err)
	if err != nil {
		switch {
		case bug("notdir_call_error") && errors.Is(err, errNotDirectory):
			return failure("ExecutionFailed", err.Error())
		case bug("outside_call_error") && errors.Is(err, errOutside):
			return failure("SandboxViolation", err.Error())
		case bug("nil_text"):
			return object{"status": "ok", "content": "nil", "log": log}
		case bug("walk_error_object") && errors.Is(err, errWalk):
			text, _ := json.Marshal(object{"error": err.Error()})
			return object{"status": "ok", "content": string(text), "log": log}
		case bug("outside_empty_list") && errors.Is(err, errOutside),
			bug("stat_error_empty_list") && errors.Is(err, errStat):
			entries = []entry{}
		}
	}
	return object{"status": "ok", "content": encode(entries), "log": log}
}

// records makes the log of a call. The start that is not there comes as a wrapped fs.ErrNotExist in the two bugs only.
func records(err error) []object {
	log := []object{}
	switch {
	case err == nil:
	case bug("log_notdir_missing") && errors.Is(err, errNotDirectory):
	case bug("log_walk_missing") && errors.Is(err, errWalk):
	case bug("log_outside_missing") && errors.Is(err, errOutside):
	case bug("log_once") && loggedOnce[err.Error()]:
	case bug("log_empty_message"):
		log = append(log, object{"level": "error", "message": ""})
	default:
		loggedOnce[err.Error()] = true
		log = append(log, object{"level": "error", "message": toolName + ": " + err.Error()})
	}
	if bug("log_late") {
		log, lateLog = lateLog, log
		if log == nil {
			log = []object{}
		}
	}
	if bug("log_kept") {
		keptLog = append(keptLog, log...)
		log = append([]object{}, keptLog...)
	}
	return log
}

func encode(entries []entry) string {
	if entries == nil || bug("empty_nil") && len(entries) == 0 {
		return "null" // the nil of the script
	}
	var parts []string
	total := 2
	for i, e := range entries {
		if bug("cap_1000") && i == 1000 {
			break
		}
		text := e.encode()
		total += len(text) + 1
		if bug("output_cut_64k") && total > 65536 {
			break
		}
		parts = append(parts, text)
	}
	if bug("single_unwrapped") && len(parts) == 1 {
		return parts[0]
	}
	list := "[" + strings.Join(parts, ",") + "]"
	if bug("wrapped_object") {
		return `{"entries":` + list + "}"
	}
	return list
}

func quote(text string) string {
	made, _ := json.Marshal(text)
	return string(made)
}

func (e entry) encode() string {
	size := strconv.FormatInt(e.Size, 10)
	if bug("size_six_digits") {
		size = fmt.Sprintf("%.6g", float64(e.Size))
	}
	if bug("size_string_big") && e.Size >= 1<<32 {
		size = quote(size)
	}
	members := []string{`"name":` + quote(e.Name), `"path":` + quote(e.Path)}
	if e.IsDir || !bug("omitempty_isdir") {
		members = append(members, `"isDir":`+strconv.FormatBool(e.IsDir))
	}
	if e.Size != 0 || !bug("omitempty_size") {
		members = append(members, `"size":`+size)
	}
	members = append(members, `"modTime":`+quote(e.ModTime))
	if bug("extra_key_mode") {
		members = append(members, `"mode":`+quote(e.mode.String()))
	}
	if bug("link_target_key") && e.mode&fs.ModeSymlink != 0 {
		members = append(members, `"target":`+quote(e.target))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func failure(kind, message string) object {
	return object{"status": "error", "error": object{"kind": kind, "message": message}}
}

// pathArgument returns the only argument. A map keeps the exact names; the keys of a struct match in any case.
func pathArgument(arguments json.RawMessage) (string, error) {
	var named map[string]json.RawMessage
	if json.Unmarshal(arguments, &named) != nil {
		return "", errors.New("expected exactly one argument, path")
	}
	if bug("args_fold_case") {
		for key, value := range named {
			if key != "path" && strings.EqualFold(key, "path") && len(named) == 2 {
				delete(named, key)
				if _, both := named["path"]; both {
					named["path"] = value
				}
			}
		}
	}
	if bug("args_struct_reused") {
		json.Unmarshal(arguments, &reusedArgs)
		if len(named) == 0 && reusedArgs.Path != "" {
			return reusedArgs.Path, nil
		}
	}
	if bug("missing_path_is_sandbox") && len(named) == 0 {
		return ".", nil
	}
	if bug("extra_null_ignored") {
		for key, value := range named {
			if key != "path" && string(value) == "null" {
				delete(named, key)
			}
		}
	}
	if len(named) != 1 && !(bug("extra_args_ignored") && named["path"] != nil) {
		return "", errors.New("expected exactly one argument, path")
	}
	raw, there := named["path"]
	if !there {
		return "", errors.New("expected exactly one argument, path")
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return "", errors.New("the argument path must be a string")
	}
	path, isText := value.(string)
	if !isText {
		number, isNumber := value.(json.Number)
		truth, isBool := value.(bool)
		list, isList := value.([]any)
		switch {
		case bug("number_to_string") && isNumber:
			path = number.String()
		case bug("bool_sprint") && isBool:
			path = fmt.Sprint(truth)
		case bug("null_is_dot") && value == nil:
			path = "."
		case bug("list_first_element") && isList && len(list) > 0:
			path, isText = list[0].(string)
			if !isText {
				return "", errors.New("the argument path must be a string")
			}
		default:
			return "", errors.New("the argument path must be a string")
		}
	}
	if path == "" {
		if bug("empty_is_sandbox") {
			return ".", nil
		}
		if bug("empty_gives_list") {
			return "", nil
		}
		return "", errors.New("the argument path must not be empty")
	}
	return path, nil
}
