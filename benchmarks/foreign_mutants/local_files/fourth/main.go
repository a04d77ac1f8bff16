// The LocalFiles tools, version 2, over stdin and stdout.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
)

var bug = os.Getenv("TREEPROOF_BUG")

func is(name string) bool { return bug == name }

type object = map[string]any

type failure struct{ kind, message string }

func (f *failure) Error() string { return f.message }

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(line))
			decoder.UseNumber()
			var request object
			response := object{"jsonrpc": "2.0", "id": nil}
			if derr := decoder.Decode(&request); derr != nil {
				response["error"] = object{"code": -32700, "message": derr.Error()}
			} else {
				response["id"] = request["id"]
				method, _ := request["method"].(string)
				params, _ := request["params"].(object)
				response["result"] = respond(method, params)
				if method == "shutdown" {
					write(out, response)
					return
				}
			}
			write(out, response)
		}
		if err != nil {
			return
		}
	}
}

func write(out *bufio.Writer, value any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.Encode(value)
	out.Flush()
}

func respond(method string, params object) any {
	switch method {
	case "initialize":
		return object{
			"protocol":        1,
			"candidate":       object{"name": "go-local-files", "version": "2.0.0", "language": "go"},
			"tools":           object{"listDirectory": "local_files@2", "findFiles": "local_files@2"},
			"capabilities":    []string{"roots", "working_dir"},
			"interpretations": object{"AMB-LF-12": "relative"},
		}
	case "describe":
		tool, _ := params["tool"].(string)
		return define(tool)
	case "call":
		content, err := call(params)
		if err != nil {
			f, ok := err.(*failure)
			if !ok {
				f = &failure{"ExecutionFailed", err.Error()}
			}
			return object{"status": "error", "error": object{"kind": f.kind, "message": f.message}}
		}
		return object{"status": "ok", "content": content}
	}
	return nil
}

func define(tool string) object {
	properties := object{"path": object{"type": "string", "description": "the directory"}}
	required := []string{"path"}
	text := "Lists the entries of a directory with kind, size, time of modification and target of links"
	if tool == "findFiles" {
		properties["recursive"] = object{"type": "boolean", "description": "whether all levels are searched"}
		properties["glob"] = object{"type": "string", "description": "a pattern such as **/*.java, held against the path below the directory"}
		required = []string{"path", "recursive", "glob"}
		text = "Finds entries below a directory by a glob pattern such as **/*.java"
	}
	return object{"name": tool, "aliases": []string{}, "description": text, "is_side_effecting": false,
		"requires_approval": false, "risk_level": "Low",
		"input_schema": object{"type": "object", "properties": properties, "required": required}}
}
