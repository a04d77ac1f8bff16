//! The tools move and copy of file_operations 1.1, with the candidate protocol of treeproof over stdin and stdout.

mod fileops;
mod json;
mod sandbox;

use fileops::Tool;
use json::Json;
use sandbox::Sandbox;
use std::io::{self, BufRead, Write};

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
    "tools": {"move": "file_operations@1.1", "copy": "file_operations@1.1"},
    "capabilities": ["config", "policy", "denied_patterns", "allow_absolute", "working_dir", "executor"]}"#;

const SCHEMA: &str = r#"{"type": "object",
    "properties": {"source": {"type": "string"}, "destination": {"type": "string"},
                   "overwrite": {"type": "boolean", "default": false}},
    "required": ["source", "destination"]}"#;

fn definition(name: &str) -> Json {
    let (aliases, description) = match Tool::named(name) {
        Some(Tool::Move) => (r#"["rename", "mv"]"#, "Move or rename a file or directory"),
        _ => (r#"["cp"]"#, "Copy a file"),
    };
    Json::read(&format!(
        r#"{{"name": {}, "aliases": {aliases}, "description": "{description}", "input_schema": {SCHEMA},
            "is_side_effecting": true, "requires_approval": true, "risk_level": "Medium"}}"#,
        Json::Text(name.to_string())
    ))
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
    object(members)
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_string())
    }
}

fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

/// Runs a call: arguments, policy's lists, sandbox, policy's mode, tool. This is the order of the framework.
fn call(params: &Json, approval_requested: &mut bool) -> Result<String, Failure> {
    let name = params.get("tool").text().unwrap_or("");
    let Some(tool) = Tool::named(name) else {
        return fail("UnknownTool", format!("there is no tool {name}"));
    };
    let (source, destination, overwrite) = arguments(params.get("arguments"))?;
    let context = params.get("context");
    let policy = context.get("policy");
    if policy.get("enabled").bool() == Some(false) {
        return fail("PolicyDenied", "the policy disables all tools".to_string());
    }
    if lists(policy.get("denylist"), tool) {
        return fail("PolicyDenied", format!("the policy denies {}", tool.name()));
    }
    let sandbox = Sandbox::new(context)?;
    let source = sandbox.check(source)?;
    let target = fileops::final_place(&source, sandbox.check(destination)?, &sandbox)?;
    match policy.get("mode").text() {
        Some("deny") if !lists(policy.get("allowlist"), tool) => {
            return fail("PolicyDenied", format!("the policy does not allow {}", tool.name()));
        }
        Some("prompt") => {
            *approval_requested = true; // both tools require approval by their definition
            if context.get("approval").text() != Some("approve") {
                return fail("ApprovalDenied", format!("the user did not approve {}", tool.name()));
            }
        }
        _ => {}
    }
    let overwrite = overwrite && overwrite_is_allowed(context.get("config"))?;
    fileops::run(tool, &source, &target, overwrite, &sandbox)
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

fn arguments(given: &Json) -> Result<(&str, &str, bool), Failure> {
    let Json::Object(members) = given else {
        return fail("BadArgs", "the arguments must be an object".to_string());
    };
    for (i, (name, _)) in members.iter().enumerate() {
        if members[..i].iter().any(|(earlier, _)| earlier == name) {
            return fail("BadArgs", format!("the argument {name} is given twice"));
        }
    }
    let overwrite = match members.iter().find(|(name, _)| name == "overwrite") {
        None => false,
        Some((_, Json::Bool(overwrite))) => *overwrite,
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
