// The glue: the candidate protocol over stdin and stdout.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type object = map[string]any

var selected = os.Getenv("TREEPROOF_BUG")

func bug(name string) bool { return selected == name }

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
	Approval string
}

func main() {
	requests, responses := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var asked request
		if requests.Decode(&asked) != nil {
			return
		}
		responses.Encode(object{"jsonrpc": "2.0", "id": asked.ID, "result": answer(asked)})
	}
}

var (
	calls      int
	wasDenied  bool
	lastFailed = map[string]error{}
)

func answer(asked request) any {
	switch asked.Method {
	case "initialize":
		return object{
			"protocol":  1,
			"candidate": object{"name": "foreign-list-directory-go", "version": "1.0.0", "language": "go"},
			"tools":     object{toolName: "list_directory@1.1"},
			"capabilities": []string{"config", "budget", "policy", "denied_patterns", "allow_absolute", "roots", "working_dir", "executor",
				"context", "log"},
			"interpretations": object{"AMB-LD-12": "per_byte"},
		}
	case "describe":
		return described0()
	case "call":
		calls++
		content, err := call(asked.Params.Tool, asked.Params.Arguments, asked.Params.Context)
		flag := object{"allow_truncation": false}
		if bug("flag_kept_when_small") && len(content) < 1024 {
			flag["allow_truncation"] = true
		}
		result := object{"status": "ok", "content": content, "context": flag, "log": []any{}}
		if err != nil {
			known := failure{"ExecutionFailed", err.Error()}
			errors.As(err, &known)
			delete(result, "content")
			if bug("failure_untexted") && known.kind == "BadArgs" {
				known.message = ""
			}
			result["status"] = "error"
			result["error"] = object{"kind": known.kind, "message": known.message}
		}
		return result
	}
	return nil
}

func described0() object {
	shown := object{}
	for name, value := range definition {
		shown[name] = value
	}
	if bug("false_left_out") { // omitempty
		delete(shown, "is_side_effecting")
	}
	if bug("requires_approval_true") {
		shown["requires_approval"] = true
	}
	if bug("risk_medium") {
		shown["risk_level"] = "Medium"
	}
	if bug("title_case_description") {
		shown["description"] = "List Directory Entries"
	}
	if bug("name_prefixed") {
		shown["name"] = "fs.list_directory"
	}
	return shown
}

func call(tool string, arguments json.RawMessage, ctx context) (string, error) {
	if tool != toolName && !(bug("name_any_case") && strings.EqualFold(tool, toolName)) {
		return "", fail("UnknownTool", "there is no tool %q", tool)
	}
	if bug("dials_daemon") {
		if conn, err := net.Dial("tcp", "127.0.0.1:8126"); err == nil {
			conn.Close()
		}
	}
	wanted, err := effective(arguments, ctx.Config)
	if err != nil {
		return "", err
	}
	policy := ctx.Policy
	if policy.Enabled != nil && !*policy.Enabled && !(bug("disabled_asks") && ctx.Approval == "approve") {
		return "", fail("PolicyDenied", "Tool execution disabled by policy")
	}
	denied := slices.Contains(policy.Denylist, tool)
	if bug("denylist_first_only") {
		denied = len(policy.Denylist) > 0 && policy.Denylist[0] == tool
	}
	if bug("denial_kind_failed") && denied {
		return "", fail("ExecutionFailed", "%s is denied by policy", tool)
	}
	if bug("denial_sticks") {
		denied = denied || wasDenied
		wasDenied = denied
	}
	if denied {
		return "", fail("PolicyDenied", "%s is denied by policy", tool)
	}
	if bug("denylist_substring") && strings.Contains(strings.Join(policy.Denylist, " "), tool) {
		return "", fail("PolicyDenied", "%s is denied by policy", tool)
	}
	if bug("closed_allowlist") && len(policy.Allowlist) > 0 && !slices.Contains(policy.Allowlist, tool) {
		return "", fail("PolicyDenied", "%s is not allowed by policy", tool)
	}
	place, missing, err := resolve(wanted, ctx)
	if err != nil {
		return "", err
	}
	allowed := slices.Contains(policy.Allowlist, tool) || (bug("empty_allowlist_allows") && len(policy.Allowlist) == 0)
	if policy.Mode == "deny" && !allowed {
		return "", fail("PolicyDenied", "%s is not allowed by policy", tool)
	}
	if known := lastFailed[place]; known != nil && bug("failure_remembered") {
		return "", known
	}
	budget := budgetOf(ctx)
	if missing != nil {
		lastFailed[place] = missing
		if bug("missing_is_empty") && missing.Error() == "path does not exist" {
			return fitted(wanted, nil, false, budget)
		}
		return "", missing
	}
	if bug("lock_file") {
		if file, err := os.OpenFile(filepath.Join(place, ".listing.lock"), os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			file.Close()
			defer os.Remove(filepath.Join(place, ".listing.lock"))
		}
	}
	entries, truncated, err := walk(place, wanted)
	if err != nil {
		return "", err
	}
	return fitted(wanted, entries, truncated, budget)
}

var smallest int64 = 1 << 62

func budgetOf(ctx context) int64 {
	output, capacity := ctx.MaxOutputBytes.or(102400), ctx.AvailableCapacityBytes.or(65536)
	switch {
	case bug("output_limit_ignored"):
		return capacity
	case bug("larger_budget"):
		return max(output, capacity)
	case bug("default_capacity_unbounded"):
		capacity = ctx.AvailableCapacityBytes.or(1 << 40)
	case bug("default_budget_decimal"):
		output, capacity = ctx.MaxOutputBytes.or(100000), ctx.AvailableCapacityBytes.or(64000)
	case bug("budget_reserve"):
		return min(output, capacity) - 64
	case bug("budget_at_least_256"):
		return max(min(output, capacity), 256)
	case bug("budget_smallest_so_far"):
		smallest = min(smallest, output, capacity)
		return smallest
	case bug("budget_kilobytes"):
		return min(output, capacity) / 1024 * 1024
	}
	return min(output, capacity)
}
