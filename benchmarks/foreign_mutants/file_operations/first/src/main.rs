//! The tools of file_operations 1.1 (move, copy and list_directory), with the candidate protocol of treeproof over stdin and stdout.

mod bug;
mod fileops;
mod json;
mod list_directory;
mod sandbox;

use bug::bug;
use json::Json;
use sandbox::{Role, Sandbox};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq)]
pub enum Tool {
    Move,
    Copy,
    ListDirectory,
}

impl Tool {
    /// Returns the tool with this name or alias.
    pub fn named(name: &str) -> Option<Tool> {
        let lower = name.to_lowercase();
        let name = if bug("names_folded") { &lower } else { name };
        match name {
            "rename" if bug("rename_unknown") => None,
            "dir" if bug("dir_unknown") => None,
            "mv" if bug("mv_copies") => Some(Tool::Copy),
            _ if bug("names_by_prefix") && name.starts_with("copy") => Some(Tool::Copy),
            "move" | "rename" | "mv" => Some(Tool::Move),
            "copy" | "cp" => Some(Tool::Copy),
            "list_directory" | "listdir" | "ls" | "dir" => Some(Tool::ListDirectory),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Tool::Move => "move",
            Tool::Copy => "copy",
            Tool::ListDirectory => "list_directory",
        }
    }
}

#[derive(Clone)]
/// A failed call with the error kind of the protocol.
pub struct Failure {
    kind: &'static str,
    message: String,
}

pub fn fail<T>(kind: &'static str, message: String) -> Result<T, Failure> {
    Err(Failure { kind, message })
}

fn main() -> io::Result<()> {
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let request = Json::read(&line?);
        let params = request.get("params");
        let result = match request.get("method").text() {
            Some("initialize") => Json::read(INITIALIZE),
            Some("describe") => definition(params.get("tool").text().unwrap_or("")),
            Some("call") => answer(params),
            _ => Json::Null, // shutdown
        };
        writeln!(output, r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request.get("id"))?;
        output.flush()?;
    }
    Ok(())
}

const INITIALIZE: &str = r#"{"protocol": 1,
    "candidate": {"name": "foreign-file-operations-rust", "version": "1.1.0", "language": "rust"},
    "tools": {"move": "file_operations@1.1", "copy": "file_operations@1.1", "list_directory": "list_directory@1.1"},
    "capabilities": ["config", "budget", "policy", "denied_patterns", "allow_absolute", "roots", "working_dir", "executor",
                     "context"]}"#;

const FILE_DEFINITION: &str = r#"
    "input_schema": {
        "type": "object",
        "properties": {"source": {"type": "string"}, "destination": {"type": "string"},
                       "overwrite": {"type": "boolean", "default": false}},
        "required": ["source", "destination"]},
    "is_side_effecting": true, "requires_approval": true, "risk_level": "Medium"}"#;

const LIST_DEFINITION: &str = r#"
    "input_schema": {
        "type": "object",
        "properties": {"path": {"type": "string"},
                       "recursive": {"type": "boolean", "default": false},
                       "max_depth": {"type": "integer", "minimum": 1},
                       "max_entries": {"type": "integer", "minimum": 1},
                       "include_hidden": {"type": "boolean", "default": false},
                       "include_files": {"type": "boolean", "default": true},
                       "include_dirs": {"type": "boolean", "default": true},
                       "include_symlinks": {"type": "boolean", "default": true},
                       "include_other": {"type": "boolean", "default": false}},
        "required": ["path"]},
    "is_side_effecting": false, "requires_approval": false, "risk_level": "Low"}"#;

fn definition(name: &str) -> Json {
    let (aliases, description, rest) = match Tool::named(name) {
        Some(Tool::Move) => (r#"["rename", "mv"]"#, "Move or rename a file or directory", FILE_DEFINITION),
        Some(Tool::Copy) => (r#"["cp"]"#, "Copy a file", FILE_DEFINITION),
        _ => (r#"["listdir", "ls", "dir"]"#, "List directory entries", LIST_DEFINITION),
    };
    let name = Json::from(name);
    let aliases = if bug("alias_not_described") { aliases.replace(r#", "mv""#, "") } else { aliases.to_string() };
    let mut rest = rest.to_string();
    if rest == FILE_DEFINITION {
        let copy = Tool::named(&name.to_string().replace('"', "")) == Some(Tool::Copy);
        let mut change = |switch: &str, from: &str, to: &str| {
            if bug(switch) {
                rest = rest.replace(from, to);
            }
        };
        change("destination_optional", r#"["source", "destination"]"#, r#"["source"]"#);
        change("overwrite_described_as_text", r#""boolean""#, r#""string""#);
        change("overwrite_described_as_true", r#""default": false"#, r#""default": true"#);
        change("overwrite_required", r#""destination"]"#, r#""destination", "overwrite"]"#);
        if copy {
            change("copy_has_low_risk", "Medium", "Low");
            change("copy_without_side_effects", r#"effecting": true"#, r#"effecting": false"#);
            change("source_not_described_for_copy", r#""source": {"type": "string"}, "#, "");
        }
    }
    Json::read(&format!(r#"{{"name": {name}, "aliases": {aliases}, "description": "{description}", {rest}"#))
}

fn answer(params: &Json) -> Json {
    let mut approval_requested = false;
    let key = format!("{} {} {}", params.get("tool"), params.get("arguments"), params.get("context"));
    if bug("results_remembered") {
        if let Some(Some(known)) = RESULTS.lock().unwrap().as_ref().map(|known| known.get(&key).cloned()) {
            return Json::read(&known);
        }
    }
    let mut members = match call(params, &mut approval_requested) {
        Ok(content) => vec![("status", "ok".into()), ("content", Json::Text(content))],
        Err(failure) => {
            let error = vec![("kind", failure.kind.into()), ("message", Json::Text(failure.message))];
            vec![("status", "error".into()), ("error", object(error))]
        }
    };
    members.push(("approval_requested", Json::Bool(approval_requested)));
    if params.get("tool").text().and_then(Tool::named) == Some(Tool::ListDirectory) {
        // The document has the length that the budget permits, and the framework must not cut it.
        members.push(("context", object(vec![("allow_truncation", Json::Bool(false))])));
    }
    let result = object(members);
    if bug("results_remembered") {
        RESULTS.lock().unwrap().get_or_insert_with(HashMap::new).insert(key, result.to_string());
    }
    result
}

static RESULTS: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_string())
    }
}

pub fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

/// Runs a call: arguments, policy's lists, sandbox, policy's mode, tool. This is the order of the framework.
fn call(params: &Json, approval_requested: &mut bool) -> Result<String, Failure> {
    let name = params.get("tool").text().unwrap_or("");
    let Some(tool) = Tool::named(name) else {
        return fail("UnknownTool", format!("there is no tool {name}"));
    };
    let (arguments, context) = (params.get("arguments"), params.get("context"));
    if tool == Tool::ListDirectory {
        check_members(arguments)?;
        let call = list_directory::Call::new(arguments, context.get("config"), name)?;
        check_lists(tool, name, context)?;
        let sandbox = Sandbox::new(context)?;
        let directory = match sandbox.check_directory(&call.path) {
            Err(_) if bug("dir_not_sandboxed") && name == "dir" => {
                std::path::PathBuf::from(context.get("working_dir").text().unwrap_or("/")).join(&call.path)
            }
            checked => checked?,
        };
        check_mode(tool, context, approval_requested)?;
        let listed = list_directory::run(&call, &directory, context, &sandbox)?;
        if bug("listdir_gives_names") && name == "listdir" {
            let names: Vec<String> = match Json::read(&listed).get("entries") {
                Json::List(entries) => entries.iter().map(|entry| entry.get("path").text().unwrap_or("").into()).collect(),
                _ => vec![],
            };
            return Ok(names.join("\n"));
        }
        return Ok(listed);
    }
    if bug("asked_before_arguments") {
        check_lists(tool, name, context)?;
        check_mode(tool, context, approval_requested)?;
    }
    check_members(arguments)?;
    let (source_text, destination_text, mut overwrite) = file_arguments(arguments)?;
    if bug("overwrite_remembered") {
        static LAST: AtomicBool = AtomicBool::new(false);
        match arguments.member("overwrite") {
            None => overwrite = LAST.load(Relaxed),
            Some(_) => LAST.store(overwrite, Relaxed),
        }
    }
    let (source_text, destination_text) = (source_text.as_str(), destination_text.as_str());
    let sandboxed = || {
        let sandbox = Sandbox::new(context)?;
        let role = if tool == Tool::Move { Role::MoveSource } else { Role::CopySource };
        let source = sandbox.check(source_text, role)?;
        let destination = sandbox.check(destination_text, Role::Destination)?;
        let outer = destination.entry.clone();
        let target = fileops::final_place(tool, &source, source_text, destination, destination_text, &sandbox)?;
        Ok((sandbox, source, target, outer))
    };
    if bug("sandbox_before_denylist") {
        sandboxed()?;
    }
    check_lists(tool, name, context)?;
    if bug("asked_before_sandbox") {
        check_mode(tool, context, approval_requested)?;
    }
    let (sandbox, source, target, outer) = sandboxed()?;
    let asked = check_mode(tool, context, approval_requested);
    if !bug("run_before_answer") {
        asked.as_ref().map_err(Failure::clone)?;
    }
    let allowed = overwrite_is_allowed(tool, context.get("config"))?;
    overwrite = overwrite && allowed;
    if bug("configuration_beats_false") && arguments.get("overwrite").bool() == Some(false) {
        overwrite = allowed;
    }
    let entered = outer != target.entry;
    if bug("overwrite_not_in_directory") && entered {
        overwrite = false;
    }
    if *approval_requested && !bug("places_are_remembered") {
        // Somebody has thought about it meanwhile.
        let (_, source_now, target_now, _) = sandboxed()?;
        if source_now != source || target_now != target {
            return fail("SandboxViolation", "the paths have changed".to_string());
        }
    }
    let done = fileops::run(&fileops::Order { tool, source: &source, target: &target, entered, overwrite }, &sandbox);
    asked?;
    done
}

/// Checks the part of the policy that comes before the sandbox.
fn check_lists(tool: Tool, called: &str, context: &Json) -> Result<(), Failure> {
    let policy = context.get("policy");
    let allowed = lists(policy.get("allowlist"), tool.name());
    if policy.get("enabled").bool() == Some(false)
        && !(bug("disabled_policy_lets_copy") && tool == Tool::Copy)
        && !(bug("disabled_policy_lets_allowed") && allowed)
    {
        return fail("PolicyDenied", "the policy disables all tools".to_string());
    }
    let name = if bug("denylist_by_called_name") { called } else { tool.name() };
    if lists(policy.get("denylist"), name) && !(bug("allowlist_beats_denylist") && allowed) {
        return fail("PolicyDenied", format!("the policy denies {}", tool.name()));
    }
    Ok(())
}

/// Checks the part of the policy that comes after the sandbox.
fn check_mode(tool: Tool, context: &Json, approval_requested: &mut bool) -> Result<(), Failure> {
    static APPROVED: AtomicBool = AtomicBool::new(false);
    let policy = context.get("policy");
    let allowlist = policy.get("allowlist");
    let mut allowed = lists(allowlist, tool.name());
    if bug("allowlist_by_part_of_name") {
        allowed = allowlist.texts().into_iter().any(|listed| listed.contains(tool.name()));
    }
    if bug("empty_allowlist_allows_all") && allowlist.texts().is_empty() {
        allowed = true;
    }
    if bug("mode_deny_lets_copy") && tool == Tool::Copy {
        allowed = true;
    }
    match policy.get("mode").text() {
        Some("deny") if !allowed => fail("PolicyDenied", format!("the policy does not allow {}", tool.name())),
        // move and copy require approval by their definition, list_directory does not
        Some("prompt") if tool != Tool::ListDirectory => {
            if bug("approval_remembered") && APPROVED.load(Relaxed) {
                return Ok(());
            }
            if bug("copy_needs_no_approval") && tool == Tool::Copy {
                return Ok(());
            }
            *approval_requested = true;
            let answer = context.get("approval").text();
            if answer == Some("approve") || answer.is_none() && bug("missing_answer_approves") {
                APPROVED.store(true, Relaxed);
                return Ok(());
            }
            fail("ApprovalDenied", format!("the user did not approve {}", tool.name()))
        }
        _ => Ok(()),
    }
}

fn lists(names: &Json, name: &str) -> bool {
    let own = |name: &str| Tool::named(name).map_or(name.to_string(), |tool| tool.name().to_string());
    names.texts().into_iter().any(|listed| own(listed) == name)
}

/// Reads `allow_overwrite`, false by default: without it, a call cannot overwrite.
fn overwrite_is_allowed(tool: Tool, config: &Json) -> Result<bool, Failure> {
    static FIRST: Mutex<Option<String>> = Mutex::new(None);
    let mut table = config.get("tools").get("fileops");
    if bug("configuration_of_wrong_table") {
        table = config.get("fileops");
    }
    if bug("configuration_of_all_tools") && table.member("allow_overwrite").is_none() {
        table = config.get("tools");
    }
    if bug("gate_not_for_copy") && tool == Tool::Copy {
        return Ok(true);
    }
    let mut value = table.get("allow_overwrite").clone();
    if bug("configuration_remembered") {
        let mut first = FIRST.lock().unwrap();
        if value == Json::Null {
            value = first.as_deref().map_or(Json::Null, Json::read);
        } else {
            *first = Some(value.to_string());
        }
    }
    match &value {
        Json::Null => Ok(false),
        Json::Bool(allowed) => Ok(*allowed),
        Json::Text(text) if bug("configured_text_is_true") => Ok(!text.is_empty()),
        other => fail("ConfigInvalid", format!("tools.fileops.allow_overwrite must be a boolean, not {other}")),
    }
}

/// Checks that the arguments are an object without a duplicate member.
fn check_members(given: &Json) -> Result<(), Failure> {
    let Json::Object(members) = given else {
        return fail("BadArgs", "the arguments must be an object".to_string());
    };
    for (i, (name, _)) in members.iter().enumerate() {
        if members[..i].iter().any(|(earlier, _)| earlier == name) {
            return fail("BadArgs", format!("the argument {name} is given twice"));
        }
    }
    Ok(())
}

fn file_arguments(given: &Json) -> Result<(String, String, bool), Failure> {
    let overwrite = match given.member("overwrite") {
        None if bug("overwrite_required") => return fail("BadArgs", "overwrite is required".to_string()),
        None => false,
        Some(Json::Bool(overwrite)) => *overwrite,
        Some(Json::Text(text)) if bug("overwrite_as_text_taken") && (text == "true" || text == "false") => text == "true",
        Some(Json::Number(digits)) if bug("overwrite_as_number_taken") => digits != "0",
        Some(Json::List(_) | Json::Object(_)) if bug("overwrite_as_list_is_left_out") => false,
        Some(_) => return fail("BadArgs", "overwrite must be a boolean".to_string()),
    };
    Ok((path_argument(given, "source")?, path_argument(given, "destination")?, overwrite))
}

fn path_argument(given: &Json, name: &str) -> Result<String, Failure> {
    match given.get(name) {
        Json::Text(path) if bug("paths_trimmed") && !path.trim().is_empty() => Ok(path.trim().to_string()),
        Json::Text(path) if bug("empty_destination_is_here") && path.is_empty() && name == "destination" => Ok(".".into()),
        Json::Text(path) if bug("path_ends_at_nul") && path.contains('\0') => {
            Ok(path.split('\0').next().unwrap_or("").to_string())
        }
        Json::Text(path) if !path.is_empty() && !path.contains('\0') => Ok(path.clone()),
        Json::Number(digits) if bug("destination_as_number_taken") && name == "destination" => Ok(digits.clone()),
        Json::List(items) if bug("source_in_list_taken") && name == "source" && items.len() == 1 => {
            Ok(items[0].text().unwrap_or(".").to_string())
        }
        Json::Null if bug("missing_argument_fails_late") => fail("ExecutionFailed", format!("no {name}")),
        _ => fail("BadArgs", format!("{name} is required and must be a path")),
    }
}
