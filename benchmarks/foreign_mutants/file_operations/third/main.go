// The glue: the candidate protocol over stdin and stdout, the tools' names, and the policy.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

type object = map[string]any

type failure struct{ kind, message string }

func (f failure) Error() string { return f.message }

func fail(kind, format string, details ...any) error {
	return failure{kind, fmt.Sprintf(format, details...)}
}

var active = os.Getenv("TREEPROOF_BUG")

// bug reports whether a switch is the selected one.
func bug(name string) bool { return active == name }

type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Tool      string
		Arguments json.RawMessage
		Context   context
	}
}

type policy struct {
	Enabled             *bool
	Mode                string
	Allowlist, Denylist []string
	PromptSideEffects   *bool `json:"prompt_side_effects"`
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
	Policy                 *policy
	Approval               string
}

var aliases = map[string]string{
	"move": "move", "rename": "move", "mv": "move",
	"copy": "copy", "cp": "copy",
	"list_directory": "list_directory", "listdir": "list_directory", "ls": "list_directory", "dir": "list_directory",
}

func named(name string) string {
	if bug("tool_case_folded") {
		name = strings.ToLower(name)
	}
	if bug("tool_name_trimmed") {
		name = strings.TrimSpace(name)
	}
	if bug("tool_dashes_fold") {
		name = strings.ReplaceAll(name, "-", "_")
	}
	if bug("alias_dir_missing") && name == "dir" {
		return ""
	}
	if bug("alias_prefix") && len(name) > 2 { // an unambiguous beginning of a name is enough
		for _, own := range []string{"move", "copy", "list_directory"} {
			if strings.HasPrefix(own, name) {
				return own
			}
		}
	}
	return aliases[name]
}

func main() {
	signal.Ignore(syscall.SIGXFSZ)
	reader, responses := bufio.NewReaderSize(os.Stdin, 1<<20), json.NewEncoder(os.Stdout)
	requests := json.NewDecoder(reader)
	for {
		var asked request
		if requests.Decode(&asked) != nil {
			return
		}
		responses.Encode(object{"jsonrpc": "2.0", "id": asked.ID, "result": answer(asked)})
		if asked.Method == "shutdown" {
			return
		}
	}
}

func answer(asked request) any {
	switch asked.Method {
	case "initialize":
		return object{
			"protocol":  1,
			"candidate": object{"name": "hunt3-file-operations-go", "version": "1.0.0", "language": "go"},
			"tools": object{"move": "file_operations@1.1", "copy": "file_operations@1.1",
				"list_directory": "list_directory@1.1"},
			"capabilities": []string{"config", "budget", "policy", "denied_patterns", "allow_absolute", "roots",
				"working_dir", "executor", "context"},
			"interpretations": declaredReadings(),
		}
	case "describe":
		return describe(asked.Params.Tool)
	case "call":
		return called(asked.Params.Tool, asked.Params.Arguments, asked.Params.Context)
	}
	return nil
}

func describe(name string) any {
	own := named(name)
	if own == "list_directory" {
		given := object{}
		for key, value := range definition {
			given[key] = value
		}
		given["aliases"] = []string{"listdir", "ls", "dir"}
		return given
	}
	overwrite := object{"type": "boolean", "default": false}
	required := []string{"source", "destination"}
	if bug("schema_default_true") && own == "copy" {
		overwrite["default"] = true
	}
	if bug("schema_overwrite_required") && own == "move" {
		required = append(required, "overwrite")
	}
	if bug("schema_destination_optional") && own == "copy" {
		required = []string{"source"}
	}
	properties := object{"source": object{"type": "string"}, "destination": object{"type": "string"}, "overwrite": overwrite}
	if bug("schema_overwrite_absent") && own == "copy" {
		delete(properties, "overwrite")
	}
	if bug("schema_source_array") && own == "move" {
		properties["source"] = object{"type": []string{"string", "array"}, "items": object{"type": "string"}}
	}
	result := object{"name": own, "is_side_effecting": true, "requires_approval": false, "risk_level": "Medium",
		"input_schema": object{"type": "object", "properties": properties, "required": required}}
	if own == "move" {
		result["aliases"], result["description"] = []string{"rename", "mv"}, "Move or rename a file or directory"
	} else {
		result["aliases"], result["description"] = []string{"cp"}, "Copy a file or directory"
	}
	if bug("describe_alias_lost") && own == "move" {
		result["aliases"] = []string{"mv"}
	}
	if bug("copy_risk_low") && own == "copy" {
		result["risk_level"] = "Low"
	}
	if bug("move_risk_critical") && own == "move" {
		result["risk_level"] = "Critical"
	}
	if bug("copy_says_no_side_effects") && own == "copy" {
		result["is_side_effecting"] = false
	}
	return result
}

var (
	remembered   = map[string]object{}
	approvedOnce = map[string]bool{}
)

func called(tool string, arguments json.RawMessage, ctx context) object {
	key := named(tool) + "\x00" + string(arguments) + "\x00" + strings.Join(ctx.Roots, ":")
	if earlier, there := remembered[key]; there && (named(tool) == "move" || named(tool) == "copy") {
		return earlier
	}
	asked := false
	content, err := call(tool, arguments, ctx, &asked)
	result := object{"status": "ok", "content": content, "approval_requested": asked}
	if named(tool) == "list_directory" {
		result["context"] = object{"allow_truncation": false}
	}
	if bug("approval_not_reported") {
		result["approval_requested"] = false
	}
	if err != nil {
		known := failure{"ExecutionFailed", err.Error()}
		errors.As(err, &known)
		delete(result, "content")
		result["status"] = "error"
		result["error"] = object{"kind": known.kind, "message": strings.Join(strings.Fields(known.message), " ")}
		if bug("error_remembered") && known.kind == "ExecutionFailed" {
			remembered[key] = result
		}
	} else if bug("success_remembered") {
		remembered[key] = result
	}
	return result
}

func call(tool string, arguments json.RawMessage, ctx context, asked *bool) (string, error) {
	own := named(tool)
	if own == "" {
		return "", fail("UnknownTool", "there is no tool %q", tool)
	}
	applyStickyState(&ctx)
	if own == "list_directory" {
		return listCall(tool, arguments, ctx)
	}
	late := bug("arguments_after_approval")
	wanted, bad := fileArguments(tool, arguments)
	if bad != nil && !late {
		return "", bad
	}
	if !bug("sandbox_before_denylist") {
		if err := checkLists(tool, own, ctx); err != nil {
			return "", err
		}
	}
	if bad != nil { // the argument check comes last
		if err := checkMode(tool, own, ctx, asked, false); err != nil {
			return "", err
		}
		return "", bad
	}
	box, err := newSandbox(ctx)
	if err != nil {
		return "", err
	}
	early := bug("approval_before_sandbox")
	if early {
		if err := checkMode(tool, own, ctx, asked, wanted.overwrite); err != nil {
			return "", err
		}
	}
	source, final, err := places(own, wanted, box)
	if err != nil && bug("final_checked_after_approval") && final.late {
		if modeErr := checkMode(tool, own, ctx, asked, wanted.overwrite); modeErr != nil {
			return "", modeErr
		}
	}
	if err != nil {
		return "", err
	}
	if bug("sandbox_before_denylist") {
		if err := checkLists(tool, own, ctx); err != nil {
			return "", err
		}
	}
	overwrite, err := overwriteAllowed(own, wanted, ctx)
	if bug("prompt_after_done") {
		content, done := run(own, wanted, source, final, overwrite, box)
		if err := checkMode(tool, own, ctx, asked, wanted.overwrite); err != nil {
			return "", err
		}
		return content, done
	}
	if !early {
		if err := checkMode(tool, own, ctx, asked, wanted.overwrite); err != nil {
			return "", err
		}
	}
	if err != nil {
		return "", err
	}
	return run(own, wanted, source, final, overwrite, box)
}

// listed reports whether a list of the policy has a tool, by any of its names.
func listed(list []string, own string) bool {
	return slices.ContainsFunc(list, func(entry string) bool { return entry == own || aliases[entry] == own })
}

// checkLists is the part of the policy that comes before the sandbox.
func checkLists(tool, own string, ctx context) error {
	if ctx.Policy == nil {
		return nil
	}
	p := ctx.Policy
	off := p.Enabled != nil && !*p.Enabled
	if bug("enabled_zero_value") && p.Enabled == nil && p.Mode != "" {
		off = true
	}
	if off && bug("off_spares_allowlist") && slices.Contains(p.Allowlist, own) {
		off = false
	}
	if off && bug("off_means_unguarded") && p.Mode == "prompt" {
		off = false
	}
	if off {
		return fail("PolicyDenied", "the policy disables all tools")
	}
	name := own
	if bug("denylist_by_spelling") {
		name = tool
	}
	denied := listed(p.Denylist, own)
	if bug("denylist_by_spelling") {
		denied = slices.Contains(p.Denylist, name)
	}
	if bug("denylist_loses_to_allowlist") && slices.Contains(p.Allowlist, own) {
		denied = false
	}
	if bug("denylist_asks_in_prompt") && p.Mode == "prompt" && ctx.Approval == "approve" {
		denied = false
	}
	if bug("denylist_first_only") && len(p.Denylist) > 0 {
		denied = listed(p.Denylist[:1], own)
	}
	if bug("denylist_by_substring") && !denied {
		denied = slices.ContainsFunc(p.Denylist, func(entry string) bool { return strings.Contains(entry, own) })
	}
	if denied {
		return fail("PolicyDenied", "the policy denies %s", own)
	}
	return nil
}

// checkMode is the part of the policy that comes after the sandbox.
func checkMode(tool, own string, ctx context, asked *bool, overwrite bool) error {
	p := policy{}
	if ctx.Policy != nil {
		p = *ctx.Policy
	}
	name := own
	if bug("allowlist_by_spelling") {
		name = tool
	}
	allowed := listed(p.Allowlist, own)
	if bug("allowlist_by_spelling") {
		allowed = slices.Contains(p.Allowlist, name)
	}
	switch p.Mode {
	case "deny":
		if bug("deny_empty_allowlist_all") && len(p.Allowlist) == 0 {
			return nil
		}
		if bug("deny_mode_asks") && !allowed {
			*asked = true
			if ctx.Approval == "approve" {
				return nil
			}
		}
		if bug("deny_mode_family") && (slices.Contains(p.Allowlist, "move") || slices.Contains(p.Allowlist, "copy")) {
			allowed = true
		}
		if !allowed {
			return fail("PolicyDenied", "the policy does not allow %s", own)
		}
	case "prompt":
		prompts := p.PromptSideEffects == nil || *p.PromptSideEffects
		if bug("prompt_default_false") {
			prompts = p.PromptSideEffects != nil && *p.PromptSideEffects
		}
		if own == "list_directory" {
			return nil
		}
		if bug("prompt_copy_reads_only") && own == "copy" {
			return nil
		}
		if bug("prompt_only_for_overwrite") && !overwrite {
			return nil
		}
		if !prompts || allowed {
			return nil
		}
		if bug("prompt_once") && approvedOnce[own] {
			return nil
		}
		*asked = true
		if ctx.Approval == "approve" || (bug("approval_absent_approves") && ctx.Approval == "") {
			approvedOnce[own] = true
			return nil
		}
		if bug("approval_denied_kind") {
			return fail("PolicyDenied", "the user did not approve %s", own)
		}
		return fail("ApprovalDenied", "the user did not approve %s", own)
	}
	return nil
}

// state that a wrong candidate keeps between calls
var (
	seenRoots      []string
	seenWorkingDir string
	seenAbsolute   bool
	seenDenied     []string
	seenConfig     json.RawMessage
)

func applyStickyState(ctx *context) {
	if bug("roots_accumulate") {
		for _, root := range ctx.Roots {
			if !slices.Contains(seenRoots, root) {
				seenRoots = append(seenRoots, root)
			}
		}
		own := slices.Clone(ctx.Roots)
		for _, root := range seenRoots {
			if !slices.Contains(own, root) {
				own = append(own, root)
			}
		}
		ctx.Roots = own
	}
	if bug("working_dir_sticky") {
		if seenWorkingDir == "" || len(ctx.Roots) == 0 || !strings.HasPrefix(seenWorkingDir+"/", ctx.Roots[0]+"/") {
			seenWorkingDir = ctx.WorkingDir
		}
		ctx.WorkingDir = seenWorkingDir
	}
	if bug("absolute_sticky") {
		seenAbsolute = seenAbsolute || ctx.AllowAbsolute
		ctx.AllowAbsolute = seenAbsolute
	}
	if bug("denies_accumulate") {
		seenDenied = append(seenDenied, ctx.DeniedPatterns...)
		ctx.DeniedPatterns = seenDenied
	}
	if bug("config_sticky") {
		if len(ctx.Config) > 0 {
			seenConfig = ctx.Config
		}
		ctx.Config = seenConfig
	}
}
