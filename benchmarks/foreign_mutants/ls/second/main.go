// The glue: one JSON line each, over stdin and stdout.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

var chosen = os.Getenv("TREEPROOF_BUG")

func is(name string) bool { return chosen == name }

func answer(method string, params *value) any {
	switch method {
	case "initialize":
		return object{
			{"protocol", 1},
			{"candidate", object{{"name", "foreign-ls-go"}, {"version", "2.0.0"}, {"language", "go"}}},
			{"tools", object{{"LS", "ls@2.0.0"}}},
			{"capabilities", []string{"working_dir"}},
		}
	case "describe":
		return definition()
	case "call":
		if tool := params.get("tool").text; tool != "LS" {
			return object{{"status", "error"}, {"error", object{{"kind", "UnknownTool"}, {"message", "there is no tool " + tool}}}}
		}
		context := params.get("context")
		content := runTool(params.get("arguments"), context.get("roots").items[0].text, context.get("working_dir").text)
		return object{{"status", "ok"}, {"content", content}}
	}
	return nil
}

func definition() any {
	property := func(kind any, words string, byDefault any) object {
		p := object{{"type", kind}, {"description", words}, {"default", byDefault}}
		if is("schema_defaults_omitempty") && (byDefault == 0 || byDefault == false) {
			p = p[:2]
		}
		return p
	}
	var pathType any = "string"
	if is("schema_path_nullable") {
		pathType = []string{"string", "null"}
	}
	properties := object{
		{"path", property(pathType, "Directory path to list (relative to project root or absolute within it).", ".")},
		{"offset", property("integer", "Pagination start index (>=0).", 0)},
		{"limit", property("integer", "Max items to return (1-200).", 100)},
		{"include_hidden", property("boolean", "Whether to include hidden files (starting with '.').", false)},
		{"ignore", property("array", "Optional list of glob patterns to ignore.", nil)},
	}
	if is("schema_sixth_property") {
		properties = append(properties, member{"recursive", property("boolean", "Whether to list what is below.", false)})
	}
	name, words := "LS", "List files and directories in a given path with pagination and filters."
	if is("describe_lower_name") {
		name = "ls"
	}
	if is("schema_tool_words") {
		words = "List directory contents."
	}
	return object{
		{"name", name}, {"aliases", []string{}}, {"description", words},
		{"input_schema", object{{"type", "object"}, {"properties", properties}, {"required", []string{}}}},
		{"is_side_effecting", false},
	}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			request, problem := readJSON(line)
			if problem != nil {
				fmt.Fprintln(os.Stderr, problem)
				os.Exit(1)
			}
			method := request.get("method").text
			var out strings.Builder
			writeJSON(&out, object{{"jsonrpc", "2.0"}, {"id", request.get("id")}, {"result", answer(method, request.get("params"))}})
			out.WriteByte('\n')
			os.Stdout.WriteString(out.String())
			if method == "shutdown" {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
