// The glue code: the candidate protocol of treeproof over stdin and stdout. The tool is in walkdir.go.
package main

import (
	"encoding/json"
	"errors"
	"os"
)

const toolName = "FS.WalkDir"

type object = map[string]any

type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Tool      string
		Arguments json.RawMessage
		Context   struct{ Roots []string }
	}
}

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
		return object{
			"protocol":     1,
			"candidate":    object{"name": "treeproof-example-go-walkdir", "version": "0.1.0", "language": "go"},
			"tools":        object{toolName: "fs_walkdir@0.1"},
			"capabilities": []string{"log"},
		}
	case "describe":
		return object{
			"name":        toolName,
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
	if tool != toolName {
		return failure("UnknownTool", "there is no tool "+tool)
	}
	path, err := pathArgument(arguments)
	if err != nil {
		return failure("BadArgs", err.Error())
	}
	entries, err := walkDir(path, sandboxDir)
	log := []object{}
	if err != nil {
		log = append(log, object{"level": "error", "message": toolName + ": " + err.Error()})
	}
	content, _ := json.Marshal(entries) // a nil list is null, which is the nil of the script
	return object{"status": "ok", "content": string(content), "log": log}
}

func failure(kind, message string) object {
	return object{"status": "error", "error": object{"kind": kind, "message": message}}
}

// pathArgument returns the only argument. A map keeps the exact names; the keys of a struct match in any case.
func pathArgument(arguments json.RawMessage) (string, error) {
	var named map[string]json.RawMessage
	if json.Unmarshal(arguments, &named) != nil || len(named) != 1 {
		return "", errors.New("expected exactly one argument, path")
	}
	var path *string
	if json.Unmarshal(named["path"], &path) != nil || path == nil {
		return "", errors.New("the argument path must be a string")
	}
	if *path == "" {
		return "", errors.New("the argument path must not be empty")
	}
	return *path, nil
}
