// The walk of godirwalk without options, started in the root: what it gives for each entry, or its error.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/karrick/godirwalk"
)

type object = map[string]any

var version string // set when this is built

type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Arguments map[string]json.RawMessage
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
			"candidate":    object{"name": "godirwalk", "version": version, "language": "go"},
			"tools":        object{"Walk": "fs_walkdir@0.1"},
			"capabilities": []string{},
		}
	case "describe":
		properties := object{"pathname": object{"type": "string"}}
		return object{"name": "Walk", "input_schema": object{"type": "object", "properties": properties}}
	case "call":
		return call(received.Params.Arguments["pathname"], received.Params.Context.Roots[0])
	}
	return nil // shutdown
}

func call(argument json.RawMessage, root string) object {
	var pathname *string
	if json.Unmarshal(argument, &pathname) != nil || pathname == nil {
		return failure("BadArgs", "pathname is no string")
	}
	if err := os.Chdir(root); err != nil {
		return failure("Unclassified", err.Error())
	}
	if leadsOut(*pathname) {
		return object{"status": "unsupported", "reason": "the library has no root, and walks where its caller wants"}
	}
	entries := []object{}
	err := godirwalk.Walk(*pathname, &godirwalk.Options{Callback: func(place string, entry *godirwalk.Dirent) error {
		entries = append(entries, object{"path": place, "mode": entry.ModeType().String()})
		return nil
	}})
	if err != nil {
		return failure("Unclassified", err.Error())
	}
	content, _ := json.Marshal(entries)
	return object{"status": "ok", "content": string(content)}
}

func failure(kind, message string) object {
	return object{"status": "error", "error": object{"kind": kind, "message": message}}
}

// leadsOut returns whether the start of a walk is outside of the working directory; a link at its end is not followed.
func leadsOut(pathname string) bool {
	root, err := os.Getwd()
	if err != nil {
		return true
	}
	cleaned := filepath.Clean(pathname)
	parent, err := filepath.EvalSymlinks(filepath.Dir(cleaned))
	if err != nil {
		return false // nothing is there
	}
	if !filepath.IsAbs(parent) {
		parent = filepath.Join(root, parent)
	}
	inside, err := filepath.Rel(root, filepath.Join(parent, filepath.Base(cleaned)))
	return err != nil || !filepath.IsLocal(inside)
}
