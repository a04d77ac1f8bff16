// The glue code: the candidate protocol of treeproof over stdin and stdout. The tool is in the other files.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
)

type object = map[string]any

// failure is a failed call with the error kind of the protocol.
type failure struct{ kind, message string }

func (f failure) Error() string { return f.message }

func fail(kind, format string, details ...any) error {
	return failure{kind, fmt.Sprintf(format, details...)}
}

type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Tool      string
		Arguments json.RawMessage
		Context   context
	}
}

// context is the context of a call; a pointer is nil if the member is absent.
type context struct {
	Roots                  []string
	WorkingDir             string   `json:"working_dir"`
	AllowAbsolute          bool     `json:"allow_absolute"`
	DeniedPatterns         []string `json:"denied_patterns"`
	IncludeDefaultDenies   *bool    `json:"include_default_denies"`
	MaxOutputBytes         *integer `json:"max_output_bytes"`
	AvailableCapacityBytes *integer `json:"available_capacity_bytes"`
	Config                 json.RawMessage
	Policy                 struct {
		Enabled             *bool
		Mode                string
		Allowlist, Denylist []string
	}
}

func main() {
	requests, responses := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var asked request
		if requests.Decode(&asked) != nil {
			return // stdin has ended
		}
		responses.Encode(object{"jsonrpc": "2.0", "id": asked.ID, "result": answer(asked)})
	}
}

func answer(asked request) any {
	switch asked.Method {
	case "initialize":
		return object{
			"protocol":        1,
			"candidate":       object{"name": "treeproof-example-go", "version": "1.0.0", "language": "go"},
			"tools":           object{toolName: "list_directory@1.1"},
			"capabilities":    []string{"config", "budget", "policy", "roots", "context"},
			"interpretations": declaredReadings(),
		}
	case "describe":
		return definition
	case "call":
		content, err := call(asked.Params.Tool, asked.Params.Arguments, asked.Params.Context)
		result := object{"status": "ok", "content": content, "context": object{"allow_truncation": false}}
		if err != nil {
			known := failure{"ExecutionFailed", err.Error()}
			errors.As(err, &known)
			result["status"], result["content"] = "error", nil
			result["error"] = object{"kind": known.kind, "message": known.message}
		}
		return result
	}
	return nil // shutdown
}

func call(tool string, arguments json.RawMessage, ctx context) (string, error) {
	if tool != toolName {
		return "", fail("UnknownTool", "there is no tool %q", tool)
	}
	wanted, err := effective(arguments, ctx.Config)
	if err != nil {
		return "", err
	}
	policy := ctx.Policy
	if policy.Enabled != nil && !*policy.Enabled {
		return "", fail("PolicyDenied", "Tool execution disabled by policy")
	}
	if slices.Contains(policy.Denylist, tool) {
		return "", fail("PolicyDenied", "%s is denied by policy", tool)
	}
	// The sandbox is checked before the policy's mode; a tool that only reads never needs approval.
	place, missing, err := resolve(wanted.path, ctx)
	if err != nil {
		return "", err
	}
	if policy.Mode == "deny" && !slices.Contains(policy.Allowlist, tool) {
		return "", fail("PolicyDenied", "%s is not allowed by policy", tool)
	}
	if missing != nil {
		return "", missing
	}
	entries, truncated, err := walk(place, wanted)
	if err != nil {
		return "", err
	}
	budget := smaller(ctx.MaxOutputBytes.or(102400), ctx.AvailableCapacityBytes.or(65536))
	return fitted(wanted, entries, truncated, budget)
}
