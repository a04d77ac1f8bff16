//! FS.WalkDir 0.1 over stdin and stdout, with a small interpreter for NeuroScript. TREEPROOF_BUG selects one bug.
mod json;
mod script;
mod start;
mod times;
mod walk;

use json::Json;
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

static BUG: OnceLock<String> = OnceLock::new();
pub static INNER: AtomicBool = AtomicBool::new(false);

/// Whether this bug is switched on.
pub fn b(name: &str) -> bool {
    BUG.get_or_init(|| std::env::var("TREEPROOF_BUG").unwrap_or_default()) == name
}

pub fn raw_controls() -> bool {
    INNER.load(Ordering::Relaxed) && b("json_control_raw")
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tag {
    Args,
    Outside,
    Stat,
    NotDir,
    Walk,
}

pub enum Stop {
    Missing,
    Fail(Tag, String),
}

pub fn stop<T>(tag: Tag, message: impl ToString) -> Result<T, Stop> {
    Err(Stop::Fail(tag, message.to_string()))
}

/// What outlives a call; the right tool needs none of it.
#[derive(Default)]
pub struct State {
    last_path: Option<String>,
    last_list: Option<Json>,
    log: Vec<Json>,
    logged_once: bool,
    poisoned: bool,
    pub root: Option<String>,
    pub missing: HashSet<String>,
    pub all: Vec<Json>,
    pub cache: HashMap<String, (i64, i64, Vec<Json>)>,
    pub sizes: HashMap<(u64, u64), u64>,
    pub leaked: Vec<std::fs::File>,
    pub globals: Option<Json>,
    pub visited: HashSet<(u64, u64)>,
}

/// The answer of a tool: a value, or the text of an error of the call; and the records of the log.
pub struct Answer {
    pub value: Result<Json, (String, String)>,
    pub log: Vec<Json>,
}

pub const TOOL: &str = "FS.WalkDir";

fn main() -> io::Result<()> {
    std::thread::Builder::new().stack_size(256 << 20).spawn(serve)?.join().unwrap()
}

fn serve() -> io::Result<()> {
    let mut output = io::stdout();
    let mut state = State::default();
    for line in io::stdin().lock().lines() {
        let request = Json::read(&line?);
        let params = request.get("params");
        let method = request.get("method").text();
        let result = match method {
            Some("initialize") => initialize(),
            Some("describe") => describe(params.get("tool").text().unwrap_or("")),
            Some("call") => call(params, &mut state),
            _ => Json::Null,
        };
        writeln!(output, r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request.get("id"))?;
        output.flush()?;
        if method == Some("shutdown") {
            std::process::exit(0);
        }
    }
    Ok(())
}

pub fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

pub fn text(value: impl ToString) -> Json {
    Json::Text(value.to_string())
}

fn initialize() -> Json {
    Json::read(
        r#"{"protocol": 1, "candidate": {"name": "walkdir-in-rust", "version": "0.1.0", "language": "rust"},
        "tools": {"FS.WalkDir": "fs_walkdir@0.1", "NeuroScript": "fs_walkdir@0.1"}, "capabilities": ["log"]}"#,
    )
}

fn describe(tool: &str) -> Json {
    if tool == "NeuroScript" {
        return Json::read(
            r#"{"name": "NeuroScript", "aliases": [], "description": "Runs a script and returns what it emits.",
            "input_schema": {"type": "object", "properties": {"script": {"type": "string"}}, "required": ["script"]}}"#,
        );
    }
    let name = if b("syn_name_short") {
        "WalkDir"
    } else if b("syn_name_version") {
        "FS.WalkDir (v0.1)"
    } else if b("syn_name_snake") {
        "fs_walk_dir"
    } else {
        TOOL
    };
    let mut definition = Json::read(
        r#"{"name": "", "aliases": ["TOOL.WalkDir"],
        "description": "Recursively walks a directory tree and returns a list of its files and subdirectories.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string", "minLength": 1}},
                         "required": ["path"], "additionalProperties": false},
        "is_side_effecting": false}"#,
    );
    if let Json::Object(members) = &mut definition {
        members[0].1 = text(name);
    }
    definition
}

fn failure(kind: &str, message: &str) -> Json {
    object(vec![
        ("status", text("error")),
        ("error", object(vec![("kind", text(kind)), ("message", text(message))])),
    ])
}

fn call(params: &Json, state: &mut State) -> Json {
    let tool = params.get("tool").text().unwrap_or("").to_string();
    let root = params.get("context").get("roots").texts().first().unwrap_or(&"/").to_string();
    let arguments = params.get("arguments");
    let known = if b("syn_only_internal") { tool == "TOOL.WalkDir" } else { tool == TOOL || tool == "TOOL.WalkDir" };
    let answer = if known {
        walk_dir(arguments, &root, state, false)
    } else if tool == "NeuroScript" {
        match arguments.get("script").text() {
            Some(source) => script::run(source, &root, state),
            None => return failure("BadArgs", "script must be a string"),
        }
    } else {
        return failure("UnknownTool", &format!("there is no tool {tool}"));
    };
    let mut result = match &answer.value {
        Ok(Json::Null) if b("nil_as_empty_text") => object(vec![("status", text("ok")), ("content", text(""))]),
        Ok(Json::List(items)) if items.is_empty() && b("empty_no_text") && known => {
            object(vec![("status", text("ok")), ("content", text(""))])
        }
        Ok(value) => {
            INNER.store(true, Ordering::Relaxed);
            let content = value.to_string();
            INNER.store(false, Ordering::Relaxed);
            object(vec![("status", text("ok")), ("content", Json::Text(content))])
        }
        Err((kind, message)) => failure(kind, message),
    };
    if let Json::Object(members) = &mut result {
        members.push(("log".to_string(), Json::List(answer.log)));
    }
    result
}

/// One call of FS.WalkDir, from JSON or from a script.
pub fn walk_dir(arguments: &Json, root: &str, state: &mut State, scripted: bool) -> Answer {
    let mut log = vec![];
    let mut wanted = String::new();
    let outcome = argument(arguments, state, scripted).and_then(|path| {
        wanted = path.clone();
        state.last_path = Some(path.clone());
        if b("poisoned_after_error") && state.poisoned {
            return stop(Tag::Walk, "the walker is not usable");
        }
        let root = if b("root_cached") { state.root.get_or_insert(root.to_string()).clone() } else { root.to_string() };
        walk::run(&path, &root, state)
    });
    let value = match outcome {
        Ok(items) => Ok(finished(items, state)),
        Err(Stop::Missing) => {
            state.missing.insert(format!("{root}\0{wanted}"));
            if b("missing_logged") || (b("missing_nested_logged") && wanted.trim_end_matches('/').contains('/')) {
                log.push(record("error", &format!("{TOOL}: {wanted}: no such file or directory")));
            }
            if b("missing_call_error") {
                Err(("ExecutionFailed".to_string(), format!("{wanted} does not exist")))
            } else if b("missing_empty_list") {
                Ok(Json::List(vec![]))
            } else {
                Ok(Json::Null)
            }
        }
        Err(Stop::Fail(tag, message)) => {
            if tag == Tag::Walk {
                state.poisoned = true;
            }
            let silent = (tag == Tag::Walk && b("log_not_walk"))
                || (tag == Tag::Outside && b("log_not_outside"))
                || (tag == Tag::NotDir && b("log_not_file"))
                || (tag == Tag::Stat && b("log_not_stat"))
                || (tag == Tag::Args && b("log_not_args"))
                || (b("log_first_only") && state.logged_once);
            state.logged_once = true;
            if !silent {
                let message = if b("log_no_details") { String::new() } else { format!("{TOOL}: {message}") };
                log.push(record("error", &message));
            }
            failed(tag, &message)
        }
    };
    if b("log_accumulates") {
        state.log.extend(log);
        log = state.log.clone();
    }
    if let Ok(Json::List(items)) = &value {
        if !items.is_empty() {
            state.last_list = Some(value.as_ref().unwrap().clone());
        }
    }
    Answer { value, log }
}

/// The value after an error.
fn failed(tag: Tag, message: &str) -> Result<Json, (String, String)> {
    let error = |kind: &str| Err((kind.to_string(), message.to_string()));
    match tag {
        Tag::Outside if b("outside_call_error") => error("SandboxViolation"),
        Tag::Outside if b("outside_empty_list") => Ok(Json::List(vec![])),
        Tag::NotDir if b("file_call_error") => error("ExecutionFailed"),
        Tag::NotDir if b("file_empty_list") => Ok(Json::List(vec![])),
        Tag::Stat if b("stat_call_error") => error("ExecutionFailed"),
        Tag::Stat if b("stat_empty_list") => Ok(Json::List(vec![])),
        Tag::Walk if b("nonutf8_call_error") && message.contains("not UTF-8") => error("ExecutionFailed"),
        Tag::Walk if b("walk_call_error") => error("ExecutionFailed"),
        Tag::Walk if b("walk_empty_list") => Ok(Json::List(vec![])),
        Tag::Walk if b("nil_as_message") => Ok(Json::Text(format!("error: {message}"))),
        Tag::Walk if b("nil_as_object") => Ok(object(vec![("error", text(message))])),
        _ => Ok(Json::Null),
    }
}

/// The list of a successful walk.
fn finished(items: Vec<Json>, state: &mut State) -> Json {
    if b("results_accumulate") {
        state.all.extend(items);
        return Json::List(state.all.clone());
    }
    if items.is_empty() {
        if b("empty_nil") {
            return Json::Null;
        }
        if b("empty_stale") {
            return state.last_list.clone().unwrap_or(Json::List(items));
        }
        if b("empty_list_of_map") {
            return Json::List(vec![Json::Object(vec![])]);
        }
    }
    if items.len() == 1 && b("single_unwrapped") {
        return items.into_iter().next().unwrap();
    }
    if b("grouped_in_map") && items.len() > 1 {
        let pairs = items.into_iter().map(|item| (item.get("path").text().unwrap_or("").to_string(), item));
        return Json::Object(pairs.collect());
    }
    if b("all_hidden_nil") && !items.is_empty() && items.iter().all(|i| i.get("name").text().unwrap_or("").starts_with('.')) {
        return Json::Null;
    }
    Json::List(items)
}

fn record(level: &str, message: &str) -> Json {
    object(vec![("level", text(level)), ("message", text(message))])
}

/// The one argument.
fn argument(arguments: &Json, state: &State, scripted: bool) -> Result<String, Stop> {
    if let Json::List(items) = arguments {
        if b("arg_list_first") && items.len() > 1 {
            if let Some(Json::Text(path)) = items.first() {
                return Ok(path.clone());
            }
        }
    }
    let Json::Object(members) = arguments else {
        return stop(Tag::Args, "the arguments must be an object");
    };
    let mut members = members.clone();
    if b("arg_extra_ignored") && members.iter().any(|(name, _)| name == "path") {
        members.retain(|(name, _)| name == "path");
    }
    if b("arg_extra_null_ignored") {
        members.retain(|(name, value)| name == "path" || *value != Json::Null);
    }
    if b("arg_extra_options") {
        members.retain(|(name, _)| !["recursive", "max_depth", "depth", "followSymlinks"].contains(&name.as_str()));
    }
    if b("arg_cases_merged") && members.len() > 1 && members.iter().all(|(name, _)| name.eq_ignore_ascii_case("path")) {
        members = vec![("path".to_string(), members.pop().unwrap().1)];
    }
    if members.is_empty() {
        if b("arg_missing_root") {
            return Ok(".".to_string());
        }
        if let (true, Some(path)) = (b("arg_missing_last"), &state.last_path) {
            return Ok(path.clone());
        }
    }
    if members.len() != 1 || members[0].0 != "path" {
        return stop(Tag::Args, "expected exactly one argument, path");
    }
    let path = match &members[0].1 {
        Json::Text(path) => path.clone(),
        Json::Number(digits) if b("arg_number_text") => digits.clone(),
        Json::Bool(value) if b("arg_bool_text") => value.to_string(),
        Json::Bool(true) if b("arg_true_root") => ".".to_string(),
        Json::Null if b("arg_null_root") => ".".to_string(),
        Json::Null if b("arg_null_text") => "null".to_string(),
        Json::List(items) if b("arg_list_joined") && items.len() > 1 => arguments.get("path").texts().join("/"),
        Json::List(items) if b("arg_list_single") && items.len() == 1 => arguments.get("path").texts().join("/"),
        Json::Object(_) if b("arg_object_path") => arguments.get("path").get("path").text().unwrap_or("").to_string(),
        Json::BrokenText(path) if b("arg_surrogate_replaced") => path.clone(),
        _ => return stop(Tag::Args, "the argument path must be a string"),
    };
    if path.is_empty() {
        if b("arg_empty_root") || (b("arg_empty_root_script") && scripted) {
            return Ok(".".to_string());
        }
        return stop(Tag::Args, "the argument path must not be empty");
    }
    Ok(path)
}
