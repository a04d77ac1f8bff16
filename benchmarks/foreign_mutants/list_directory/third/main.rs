//! list_directory 1.1 over stdin and stdout: the glue and the policy. TREEPROOF_BUG selects one bug.
mod args;
mod document;
mod json;
mod sandbox;
mod walk;

use json::Json;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::OnceLock;

static BUG: OnceLock<String> = OnceLock::new();
/// Whether the text of the tool itself is being written.
pub static INNER: AtomicBool = AtomicBool::new(false);
pub static COUNTER: AtomicU64 = AtomicU64::new(0);

pub fn b(name: &str) -> bool {
    BUG.get_or_init(|| std::env::var("TREEPROOF_BUG").unwrap_or_default()) == name
}

#[derive(Clone)]
pub struct Failure {
    pub kind: String,
    pub message: String,
}

pub fn fail<T>(kind: &str, message: impl ToString) -> Result<T, Failure> {
    Err(Failure { kind: kind.to_string(), message: message.to_string() })
}

pub fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

pub fn text(value: impl ToString) -> Json {
    Json::Text(value.to_string())
}

pub fn number(value: impl ToString) -> Json {
    Json::Number(value.to_string())
}

/// What outlives a call; the right tool needs none of it.
#[derive(Default)]
pub struct State {
    pub config: Option<Json>,
    pub context: Option<Json>,
    pub denied: bool,
    pub broken: bool,
    pub answers: HashMap<String, String>,
    pub kept: Vec<walk::Entry>,
    pub leaked: Vec<std::fs::File>,
    pub seen: bool,
    pub visited: std::collections::HashSet<(u64, u64)>,
    pub times: HashMap<(u64, u64), i128>,
}

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
            Some("initialize") => Json::read(
                r#"{"protocol": 1, "candidate": {"name": "hunt3-list", "version": "1.0", "language": "rust"},
                "tools": {"list_directory": "list_directory@1.1"},
                "capabilities": ["config", "budget", "policy", "denied_patterns", "allow_absolute", "roots", "working_dir",
                                 "executor", "context"]}"#,
            ),
            Some("describe") => definition(),
            Some("call") => answer(params, &mut state),
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

fn definition() -> Json {
    let mut schema = Json::read(
        r#"{"type": "object", "properties": {
            "path": {"type": "string"},
            "recursive": {"type": "boolean", "default": false},
            "max_depth": {"type": "integer", "minimum": 1},
            "max_entries": {"type": "integer", "minimum": 1},
            "include_hidden": {"type": "boolean", "default": false},
            "include_files": {"type": "boolean", "default": true},
            "include_dirs": {"type": "boolean", "default": true},
            "include_symlinks": {"type": "boolean", "default": true},
            "include_other": {"type": "boolean", "default": false}},
        "required": ["path"]}"#,
    );
    fn set(schema: &mut Json, property: &str, member: &str, value: Option<Json>) {
        let Json::Object(members) = schema else { return };
        let Some((_, Json::Object(properties))) = members.iter_mut().find(|(name, _)| name == "properties") else { return };
        if member.is_empty() {
            properties.retain(|(name, _)| name != property);
            return;
        }
        let Some((_, Json::Object(found))) = properties.iter_mut().find(|(name, _)| name == property) else { return };
        found.retain(|(name, _)| name != member);
        found.extend(value.map(|value| (member.to_string(), value)));
    }
    if b("schema_depth_no_minimum") {
        set(&mut schema, "max_depth", "minimum", None);
    }
    if b("schema_entries_minimum_0") {
        set(&mut schema, "max_entries", "minimum", Some(number(0)));
    }
    if b("schema_entries_maximum") {
        set(&mut schema, "max_entries", "maximum", Some(number(200)));
    }
    if b("schema_entries_default") {
        set(&mut schema, "max_entries", "default", Some(number(200)));
    }
    if b("schema_depth_number") {
        set(&mut schema, "max_depth", "type", Some(text("number")));
    }
    if b("schema_other_true") {
        set(&mut schema, "include_other", "default", Some(Json::Bool(true)));
    }
    if b("schema_symlinks_no_default") {
        set(&mut schema, "include_symlinks", "default", None);
    }
    if b("schema_other_missing") {
        set(&mut schema, "include_other", "", None);
    }
    if b("schema_path_min_length") {
        set(&mut schema, "path", "minLength", Some(number(1)));
    }
    if let Json::Object(members) = &mut schema {
        if b("schema_closed") {
            members.push(("additionalProperties".to_string(), Json::Bool(false)));
        }
        if b("schema_recursive_required") {
            members.last_mut().unwrap().1 = Json::List(vec![text("path"), text("recursive")]);
        }
        if b("schema_nothing_required") {
            members.pop();
        }
    }
    let mut members = vec![
        ("name", text(if b("def_name_camel") { "listDirectory" } else { "list_directory" })),
        ("aliases", Json::List(vec![])),
        ("description", text(if b("def_description_period") { "List directory entries." } else { "List directory entries" })),
        ("input_schema", schema),
        ("is_side_effecting", Json::Bool(b("def_side_effecting"))),
        ("requires_approval", if b("def_approval_null") { Json::Null } else { Json::Bool(b("def_approval")) }),
        ("risk_level", text(if b("def_risk_medium") { "Medium" } else { "Low" })),
    ];
    if b("def_risk_missing") {
        members.pop();
    }
    object(members)
}

fn answer(params: &Json, state: &mut State) -> Json {
    let mut asked = false;
    let outcome = call(params, state, &mut asked);
    let mut cut = false;
    let mut members = match &outcome {
        Ok(content) => {
            cut = content.contains("\"truncated\":true");
            vec![("status", text("ok")), ("content", text(content))]
        }
        Err(failure) => {
            let message = if b("error_no_message") && failure.kind == "BadArgs" { "" } else { failure.message.as_str() };
            vec![("status", text("error")), ("error", object(vec![("kind", text(&failure.kind)), ("message", text(message))]))]
        }
    };
    if outcome.as_ref().is_err_and(|failure| failure.kind == "ExecutionFailed") {
        state.broken = true;
    }
    members.push(("approval_requested", Json::Bool(asked)));
    let flag = b("truncation_allowed")
        || (b("truncation_allowed_if_whole") && !cut)
        || (b("truncation_allowed_if_cut") && cut)
        || (b("truncation_cleared_once") && state.seen);
    state.seen = true;
    if !b("truncation_not_set") {
        members.push(("context", object(vec![("allow_truncation", Json::Bool(flag))])));
    }
    object(members)
}

const NAME: &str = "list_directory";

fn named(list: &Json, bug: &str) -> bool {
    list.texts().into_iter().any(|name| {
        name == NAME
            || (b(bug) && name.starts_with(NAME))
            || (b("policy_wildcard") && name == "*")
            || (b("policy_any_case") && name.eq_ignore_ascii_case(NAME))
    })
}

fn call(params: &Json, state: &mut State, asked: &mut bool) -> Result<String, Failure> {
    let name = params.get("tool").text().unwrap_or("");
    if name != NAME {
        return fail("UnknownTool", format!("there is no tool {name}"));
    }
    let mut context = params.get("context").clone();
    if b("context_kept") {
        context = state.context.get_or_insert(context).clone();
    }
    let mut config = context.get("config").clone();
    if b("config_kept") {
        if state.config.is_none() && config != Json::Null {
            state.config = Some(config.clone());
        }
        config = state.config.clone().unwrap_or(Json::Null);
    }
    if b("broken_after_failure") && state.broken {
        return fail("ExecutionFailed", "the tool is not usable");
    }
    let policy = context.get("policy").clone();
    let mode = policy.get("mode").text().unwrap_or("auto").to_string();
    let listed_denied = named(policy.get("denylist"), "policy_denylist_prefix");
    let allowed = named(policy.get("allowlist"), "policy_allowlist_prefix");
    let wanted = args::read(params.get("arguments"), &config)?;
    let denial = if b("policy_kind_failed") { "ExecutionFailed" } else { "PolicyDenied" };
    if policy.get("enabled").bool() == Some(false) && !b("policy_enabled_ignored") && !(b("policy_allowlist_beats_disabled") && allowed) {
        return fail(denial, "the policy disables all tools");
    }
    if b("policy_denial_kept") && state.denied {
        return fail(denial, "the policy denies list_directory");
    }
    if listed_denied
        && !b("policy_denylist_ignored")
        && !(b("policy_denylist_needs_mode") && mode == "auto")
        && !(b("policy_denylist_not_in_prompt") && mode == "prompt")
        && !(b("policy_allowlist_first") && allowed)
    {
        state.denied = true;
        return fail(denial, "the policy denies list_directory");
    }
    let run = |state: &mut State| -> Result<sandbox::Target, Failure> { sandbox::check(&wanted, &context, state) };
    let target = run(state)?;
    let nobody = policy.get("allowlist").texts().is_empty();
    if mode == "deny" && !allowed && !b("policy_deny_mode_ignored") && !(b("policy_empty_allowlist_is_all") && nobody) {
        return fail(denial, "the policy does not allow list_directory");
    }
    if mode == "auto" && !nobody && !allowed && b("policy_allowlist_in_auto") {
        return fail(denial, "the policy does not allow list_directory");
    }
    let approve = context.get("approval").text() == Some("approve");
    if mode == "prompt" {
        if b("policy_prompt_not_heard") && !allowed {
            *asked = true;
        }
        if b("policy_prompt_refuses") && !allowed {
            return fail("ApprovalDenied", "the user was not asked");
        }
        if b("policy_prompt_listed_asked") && allowed {
            *asked = true;
            if !approve {
                return fail("ApprovalDenied", "the user did not approve list_directory");
            }
        }
        if b("policy_prompt_approved_denied") && !allowed {
            *asked = true;
            return fail("ApprovalDenied", "the user did not approve list_directory");
        }
    }
    if mode == "auto" && b("policy_auto_asks") {
        *asked = true;
        if !approve {
            return fail("ApprovalDenied", "the user did not approve list_directory");
        }
    }
    walk::run(&wanted, target, &context, state)
}
