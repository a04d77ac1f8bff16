//! The tools of file_operations 1.1 (move, copy and list_directory), with the candidate protocol of treeproof over stdin and stdout.

mod fileops;
mod json;
mod list_directory;
mod sandbox;

use json::Json;
use sandbox::Sandbox;
use std::io::{self, BufRead, Write};

#[derive(Clone, Copy, PartialEq)]
pub enum Tool {
    Move,
    Copy,
    ListDirectory,
}

impl Tool {
    /// Returns the tool with this name or alias.
    pub fn named(name: &str) -> Option<Tool> {
        match name {
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
    "candidate": {"name": "treeproof-example-rust-file-operations", "version": "1.1.0", "language": "rust"},
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
    Json::read(&format!(r#"{{"name": {name}, "aliases": {aliases}, "description": "{description}", {rest}"#))
}

fn answer(params: &Json) -> Json {
    let mut approval_requested = false;
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
    object(members)
}

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
    check_members(arguments)?;
    if tool == Tool::ListDirectory {
        let call = list_directory::Call::new(arguments, context.get("config"))?;
        check_lists(tool, context)?;
        let sandbox = Sandbox::new(context)?;
        let directory = sandbox.check_directory(&call.path)?;
        check_mode(tool, context, approval_requested)?;
        return list_directory::run(&call, &directory, context, &sandbox);
    }
    let (source, destination, overwrite) = file_arguments(arguments)?;
    check_lists(tool, context)?;
    let sandbox = Sandbox::new(context)?;
    let source = sandbox.check(source)?;
    let target = fileops::final_place(&source, sandbox.check(destination)?, &sandbox)?;
    check_mode(tool, context, approval_requested)?;
    let overwrite = overwrite && overwrite_is_allowed(context.get("config"))?;
    fileops::run(tool, &source, &target, overwrite, &sandbox)
}

/// Checks the part of the policy that comes before the sandbox.
fn check_lists(tool: Tool, context: &Json) -> Result<(), Failure> {
    let policy = context.get("policy");
    if policy.get("enabled").bool() == Some(false) {
        return fail("PolicyDenied", "the policy disables all tools".to_string());
    }
    if lists(policy.get("denylist"), tool) {
        return fail("PolicyDenied", format!("the policy denies {}", tool.name()));
    }
    Ok(())
}

/// Checks the part of the policy that comes after the sandbox.
fn check_mode(tool: Tool, context: &Json, approval_requested: &mut bool) -> Result<(), Failure> {
    let policy = context.get("policy");
    match policy.get("mode").text() {
        Some("deny") if !lists(policy.get("allowlist"), tool) => {
            fail("PolicyDenied", format!("the policy does not allow {}", tool.name()))
        }
        // move and copy require approval by their definition, list_directory does not
        Some("prompt") if tool != Tool::ListDirectory => {
            *approval_requested = true;
            if context.get("approval").text() == Some("approve") {
                return Ok(());
            }
            fail("ApprovalDenied", format!("the user did not approve {}", tool.name()))
        }
        _ => Ok(()),
    }
}

fn lists(names: &Json, tool: Tool) -> bool {
    names.texts().into_iter().any(|name| Tool::named(name) == Some(tool))
}

/// Reads `allow_overwrite`, false by default: without it, a call cannot overwrite.
fn overwrite_is_allowed(config: &Json) -> Result<bool, Failure> {
    match config.get("tools").get("fileops").get("allow_overwrite") {
        Json::Null => Ok(false),
        Json::Bool(allowed) => Ok(*allowed),
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

fn file_arguments(given: &Json) -> Result<(&str, &str, bool), Failure> {
    let overwrite = match given.member("overwrite") {
        None => false,
        Some(Json::Bool(overwrite)) => *overwrite,
        Some(_) => return fail("BadArgs", "overwrite must be a boolean".to_string()),
    };
    Ok((path_argument(given, "source")?, path_argument(given, "destination")?, overwrite))
}

fn path_argument<'a>(given: &'a Json, name: &str) -> Result<&'a str, Failure> {
    match given.get(name).text() {
        Some(path) if !path.is_empty() && !path.contains('\0') => Ok(path),
        _ => fail("BadArgs", format!("{name} is required and must be a path")),
    }
}
