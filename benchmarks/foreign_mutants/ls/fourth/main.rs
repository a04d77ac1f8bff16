// LS 2.0.0 over stdio. TREEPROOF_BUG=<switch> selects one wrong behaviour; unset: right.
mod glob;
mod json;
mod list;
mod paths;
use json::{n, obj, s, J};
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::sync::OnceLock;

static BUG: OnceLock<String> = OnceLock::new();
pub fn b(name: &str) -> bool {
    BUG.get_or_init(|| std::env::var("TREEPROOF_BUG").unwrap_or_default()) == name
}

/// What the process keeps between calls: nothing that the right tool would read.
#[derive(Default)]
pub struct State {
    pub calls: u64,
    pub first_cwd: Option<String>,
    pub prev_params: Vec<(Vec<u8>, J)>,
    pub cursor: Option<(Vec<u8>, i128)>,
    pub last_hidden: Option<bool>,
    pub patterns: Vec<Vec<u8>>,
    pub wds: HashMap<Vec<u8>, Vec<u8>>,
    pub allowed: HashMap<Vec<u8>, Vec<u8>>,
    pub cache: HashMap<Vec<u8>, (i64, Vec<(Vec<u8>, u8)>)>,
}

pub enum Fail {
    Env(&'static str, Vec<u8>),
    Proto(&'static str, &'static str),
}
pub fn bad(m: &str) -> Fail {
    Fail::Env("INVALID_PARAM", m.as_bytes().to_vec())
}

#[derive(Default)]
pub struct Params {
    pub path: Vec<u8>,
    pub path_given: bool,
    pub offset: i128,
    pub limit: i128,
    pub hidden: bool,
    pub ignore: Vec<Vec<u8>>,
    pub ignore_given: bool,
    pub recursive: bool,
}

/// The integer that a JSON number is, saturated at about 100 bits; None if it is no integer.
fn integer(t: &str) -> Option<i128> {
    let d = t.strip_prefix('-').unwrap_or(t);
    if d.is_empty() || !d.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    if d.len() > 30 {
        let top = 10i128.pow(30);
        return Some(if t.starts_with('-') { -top } else { top });
    }
    t.parse().ok()
}

fn parse_offset(v: &J) -> Option<i128> {
    let i = match v {
        J::Num(t) if b("offset_minus_zero") && t == "-0" => return None,
        J::Num(t) => match integer(t) {
            Some(i) => i,
            None if b("offset_fraction") => {
                let f: f64 = t.parse().ok()?;
                f.floor() as i128
            }
            None => return None,
        },
        J::Bool(false) if b("offset_false") => 0,
        J::Arr(a) if b("offset_array") => match a.as_slice() {
            [] => 0,
            [one @ J::Num(_)] => parse_offset(one)?,
            _ => return None,
        },
        _ => return None,
    };
    if b("offset_wrap64") && i >= 1 << 64 && i < 1 << 70 {
        return Some(i & ((1 << 64) - 1));
    }
    if i == -1 && b("offset_minus_one") {
        return Some(0);
    }
    if i < 0 && !b("offset_negative_slice") {
        return None;
    }
    Some(i)
}

fn parse_limit(v: &J, offset: i128) -> Option<i128> {
    let mut i = match v {
        J::Num(t) => integer(t)?,
        J::Bool(true) if b("limit_true") => 1,
        J::Str(t) if b("limit_empty_text") && t.iter().all(|c| *c == b' ') => 100,
        _ => return None,
    };
    if b("limit_wrap32") {
        i = i as i32 as i128;
    }
    if i == 0 && b("limit_zero_default") {
        i = 100;
    }
    if i == -1 && b("limit_minus_one_all") {
        i = 1 << 40;
        return Some(i);
    }
    if i > 200 && b("limit_unchecked_later") && offset > 0 {
        return Some(i);
    }
    if (i == 200 && b("limit_200_refused")) || (i == 1 && b("limit_one_refused")) {
        return None;
    }
    if b("limit_clamped_far") && i > 1000 {
        return Some(200);
    }
    if (1..=200).contains(&i) { Some(i) } else { None }
}

fn parse_ignore(v: &J) -> Result<Option<Vec<Vec<u8>>>, Fail> {
    let wrong = || bad("ignore must be a list of strings.");
    match v {
        J::Null if b("ignore_null_refused") => Err(wrong()),
        J::Null => Ok(None),
        J::Bool(false) if b("ignore_false") => Ok(None),
        J::Str(t) if b("ignore_text") => {
            Ok(Some(t.split(|c| *c == b'\n').map(|x| x.to_vec()).collect()))
        }
        J::Obj(m) if b("ignore_object_values") && m.iter().all(|(_, v)| matches!(v, J::Str(_))) => {
            Ok(Some(m.iter().map(|(_, v)| if let J::Str(t) = v { t.clone() } else { vec![] }).collect()))
        }
        J::Arr(a) => {
            if a.is_empty() && b("ignore_empty_refused") {
                return Err(wrong());
            }
            let mut out = Vec::new();
            for (i, x) in a.iter().enumerate() {
                match x {
                    J::Str(t) => {
                        if b("surrogate_pattern") && json::cps(t).iter().any(|c| (0xD800..0xE000).contains(c)) {
                            return Err(Fail::Proto("ExecutionFailed", "the pattern is no valid text"));
                        }
                        out.push(t.clone())
                    }
                    _ if b("ignore_first_checked") && i > 0 => {}
                    J::Num(t) if b("ignore_numbers") => out.push(t.as_bytes().to_vec()),
                    J::Null if b("ignore_null_element") => {}
                    J::Arr(y) if b("ignore_flattened") && y.iter().all(|z| matches!(z, J::Str(_))) => {
                        for z in y {
                            if let J::Str(t) = z {
                                out.push(t.clone())
                            }
                        }
                    }
                    _ if b("ignore_element_internal") => {
                        return Err(Fail::Env("INTERNAL_ERROR", b"Failed to list directory - pattern is no text".to_vec()))
                    }
                    _ => return Err(wrong()),
                }
            }
            Ok(Some(out))
        }
        _ => Err(wrong()),
    }
}

fn parse_params(args: &J, st: &mut State, key: &[u8]) -> Result<Params, Fail> {
    let members = match args {
        J::Obj(m) => m.clone(),
        J::Arr(a) if a.is_empty() && b("args_empty_list") => vec![],
        _ if b("args_badargs") => return Err(Fail::Proto("BadArgs", "arguments must be an object")),
        _ => return Err(bad("The parameters must be an object.")),
    };
    let known = ["path", "offset", "limit", "include_hidden", "ignore"];
    let get = |k: &str| {
        members
            .iter()
            .find(|(name, _)| name == k.as_bytes() || (b("unknown_case") && name.eq_ignore_ascii_case(k.as_bytes())))
            .map(|(_, v)| v)
    };
    if b("unknown_internal") && members.iter().any(|(k, _)| !known.iter().any(|x| x.as_bytes() == &k[..])) {
        return Err(Fail::Env("INTERNAL_ERROR", b"Failed to list directory - unknown field".to_vec()));
    }
    let mut p = Params { path: b".".to_vec(), limit: 100, ..Default::default() };
    p.recursive = b("unknown_recursive") && get("recursive") == Some(&J::Bool(true));
    match get("path") {
        None => {}
        Some(J::Str(t)) => {
            p.path = t.clone();
            p.path_given = true;
            if t.contains(&0) {
                if b("nul_escapes") {
                    return Err(Fail::Proto("ExecutionFailed", "the path holds a NUL"));
                }
                return Err(bad("path must be a valid string."));
            }
            if t.len() > 4096 && b("path_long_escapes") {
                return Err(Fail::Proto("ExecutionFailed", "the path is too long"));
            }
        }
        Some(J::Bool(false)) if b("path_falsy") => {}
        Some(J::Num(t)) if b("path_falsy") && t == "0" => {}
        Some(J::Num(t)) if b("path_number") => p.path = t.as_bytes().to_vec(),
        Some(J::Arr(a)) if b("path_segments") && !a.is_empty() && a.iter().all(|x| matches!(x, J::Str(_))) => {
            let parts: Vec<String> = a.iter().map(|x| x.str()).collect();
            p.path = parts.join("/").into_bytes();
        }
        Some(_) => return Err(bad("path must be a valid string.")),
    }
    if let Some(v) = get("offset") {
        match parse_offset(v) {
            Some(i) => p.offset = i,
            None => return Err(bad("offset must be an integer of at least 0.")),
        }
    }
    match get("limit") {
        None => {
            if b("default_limit_later") && p.offset > 0 {
                p.limit = 50;
            }
        }
        Some(v) => match parse_limit(v, p.offset) {
            Some(i) => p.limit = i,
            None => return Err(bad("limit must be an integer from 1 to 200.")),
        },
    }
    match get("include_hidden") {
        None => {
            if b("sticky_hidden") {
                p.hidden = st.last_hidden.unwrap_or(false);
            }
        }
        Some(J::Bool(x)) => p.hidden = *x,
        Some(J::Str(t)) if b("hidden_text_true") && (t.eq_ignore_ascii_case(b"true") || t.eq_ignore_ascii_case(b"false")) => {
            p.hidden = t.eq_ignore_ascii_case(b"true")
        }
        Some(J::Num(t)) if b("hidden_zero_one") && (t == "0" || t == "1") => p.hidden = t == "1",
        Some(J::Arr(a)) if b("hidden_array") => p.hidden = !a.is_empty(),
        Some(J::Obj(_)) if b("hidden_array") => p.hidden = true,
        Some(_) => return Err(bad("include_hidden must be a boolean.")),
    }
    st.last_hidden = Some(p.hidden);
    if let Some(v) = get("ignore") {
        if let Some(list) = parse_ignore(v)? {
            p.ignore = list;
            p.ignore_given = true;
        }
    }
    if b("sticky_ignore") {
        for x in &p.ignore {
            if !st.patterns.contains(x) {
                st.patterns.push(x.clone());
            }
        }
        p.ignore = st.patterns.clone();
    }
    if b("default_cursor") && get("offset").is_none() {
        let mut k = key.to_vec();
        k.extend(&p.path);
        if let Some((path, next)) = &st.cursor {
            if *path == k {
                p.offset = *next;
            }
        }
    }
    Ok(p)
}

/// What `params_input` shows.
fn echo(args: &J, st: &mut State, failed: Option<&str>) -> J {
    let J::Obj(m) = args else { return J::Obj(vec![]) };
    let mut m = m.clone();
    if b("params_missing_denied") && failed == Some("ACCESS_DENIED") {
        return J::Obj(vec![]);
    }
    if b("params_php_empty") && m.is_empty() {
        return J::Arr(vec![]);
    }
    if b("params_null_dropped") {
        m.retain(|(_, v)| *v != J::Null);
    }
    if b("params_zero_dropped") {
        m.retain(|(_, v)| !(*v == J::Bool(false) || *v == J::Num("0".into()) || *v == J::Arr(vec![])));
    }
    if b("params_unknown_dropped") {
        let known: [&[u8]; 5] = [b"path", b"offset", b"limit", b"include_hidden", b"ignore"];
        m.retain(|(k, _)| known.contains(&&k[..]));
    }
    if b("params_path_normal") {
        for (k, v) in m.iter_mut() {
            if let (b"path", J::Str(t)) = (&k[..], &mut *v) {
                let abs = t.starts_with(b"/");
                let parts: Vec<&[u8]> = t.split(|c| *c == b'/').filter(|c| !c.is_empty() && *c != b".").collect();
                let mut j = parts.join(&b'/');
                if abs {
                    j.insert(0, b'/');
                }
                if j.is_empty() {
                    j = b".".to_vec();
                }
                *v = J::Str(j);
            }
        }
    }
    if b("params_ignore_expanded") {
        for (k, v) in m.iter_mut() {
            if let (b"ignore", J::Arr(a)) = (&k[..], v) {
                let mut more = vec![];
                for x in a.iter() {
                    if let J::Str(t) = x {
                        if t.starts_with(b"**/") {
                            more.push(J::Str(t[3..].to_vec()));
                        }
                    }
                }
                a.extend(more);
            }
        }
    }
    if b("params_ignore_sorted") {
        for (k, v) in m.iter_mut() {
            if let (b"ignore", J::Arr(a)) = (&k[..], v) {
                a.sort_by_key(|x| x.str());
            }
        }
    }
    if b("params_surrogate_lossy") {
        for (_, v) in m.iter_mut() {
            if let J::Str(t) = v {
                *t = String::from_utf8_lossy(t).into_owned().into_bytes();
            }
        }
    }
    if b("params_nested_text") {
        for (k, v) in m.iter_mut() {
            if k != b"ignore" && matches!(v, J::Obj(_) | J::Arr(_)) {
                let mut t = vec![];
                json::write(v, &mut t, false);
                *v = J::Str(t);
            }
        }
    }
    if b("params_merged") {
        let own = m.clone();
        for (k, v) in st.prev_params.iter() {
            if !m.iter().any(|(x, _)| x == k) {
                m.push((k.clone(), v.clone()));
            }
        }
        st.prev_params = own;
    }
    J::Obj(m)
}

fn call(args: &J, context: &J, st: &mut State) -> Result<J, (String, String)> {
    let started = std::time::Instant::now();
    let bytes = |v: Option<&J>| -> Vec<u8> {
        match v {
            Some(J::Str(t)) => paths::to_os(t).unwrap_or_default(),
            _ => vec![],
        }
    };
    let first = match context.get("roots") {
        Some(J::Arr(a)) => a.first(),
        _ => None,
    };
    let given_root = bytes(first);
    let mut given_wd = bytes(context.get("working_dir"));
    if b("wd_first_call") {
        given_wd = st.wds.entry(given_root.clone()).or_insert(given_wd).clone();
    }
    let root = paths::walk(&given_root).comps;
    let wd = paths::walk(&given_wd).comps;
    let mut cwd = paths::relpath(&wd, &root);
    if b("cwd_textual") {
        cwd = paths::relpath(&paths::lexical(&given_wd), &root);
    }
    st.calls += 1;
    let mut ctx = list::Ctx { root, wd, given_root, given_wd, resolved: None, base: vec![] };
    let outcome = match parse_params(args, st, &ctx.given_root.clone()) {
        Err(f) => Err((f, true)),
        Ok(p) => {
            let r = list::run(&p, &mut ctx, st);
            if b("cwd_target") && ctx.resolved.is_some() {
                cwd = ctx.resolved.clone().unwrap();
            }
            r.map_err(|f| (f, false))
        }
    };
    let mut cwd = String::from_utf8_lossy(&cwd).into_owned();
    if b("cwd_empty") && cwd == "." {
        cwd.clear();
    }
    if b("cwd_basename") {
        cwd = cwd.rsplit('/').next().unwrap_or("").to_string();
    }
    if b("cwd_first_call") {
        cwd = st.first_cwd.get_or_insert(cwd).clone();
    }
    let code = match &outcome {
        Err((Fail::Env(c, _), _)) => Some(*c),
        _ => None,
    };
    let params = echo(args, st, code);
    let mut c = vec![("cwd", s(&cwd)), ("params_input", params)];
    if b("cwd_missing_invalid") && code == Some("INVALID_PARAM") {
        c.remove(0);
    }
    let absolute = matches!(args.get("path"), Some(J::Str(t)) if t.starts_with(b"/"));
    if let Some(r) = &ctx.resolved {
        if !(b("resolved_missing_absolute") && absolute) {
            c.push(("path_resolved", J::Str(paths::show(r))));
        }
    }
    let ms = started.elapsed().as_millis() as i128;
    let time = if b("time_text") { s(&format!("{} ms", ms)) } else { n(ms) };
    let mut top: Vec<(&str, J)> = Vec::new();
    match outcome {
        Err((Fail::Proto(k, m), _)) => return Err((k.into(), m.into())),
        Err((Fail::Env(code, message), early)) => {
            let mut code = code;
            if b("code_not_a_directory") && message.windows(15).any(|w| w == b"not a directory") {
                code = "NOT_A_DIRECTORY";
            }
            let mut text = message.clone();
            if b("text_empty_invalid_ignore") && message.starts_with(b"ignore") {
                text.clear();
            }
            if b("text_generic") && code == "NOT_FOUND" {
                text = b"The directory could not be listed.".to_vec();
            }
            if b("text_of_other_denial") && code == "ACCESS_DENIED" {
                text = list::OUTSIDE.as_bytes().to_vec();
            }
            let data = if b("error_data_null") { J::Null } else { J::Obj(vec![]) };
            let mut stats = vec![("time_ms", time)];
            if b("error_time_missing") && early {
                stats.clear();
            }
            top.push(("status", s(if b("status_denied") && code == "ACCESS_DENIED" { "denied" } else { "error" })));
            top.push(("data", data));
            top.push(("text", J::Str(text)));
            top.push(("stats", obj(stats)));
            if b("error_string") && code == "INTERNAL_ERROR" {
                top.push(("error", J::Str(message)));
            } else {
                let mut e = vec![("code", s(code)), ("message", J::Str(message))];
                if b("error_message_missing") && early {
                    e.pop();
                }
                top.push(("error", obj(e)));
            }
        }
        Ok(page) => {
            let mut stats = vec![("time_ms", time)];
            stats.extend(page.stats);
            top.push(("status", s(page.status)));
            top.push(("data", page.data));
            top.push(("text", J::Str(page.text)));
            if !(b("stats_missing_empty") && page.total == 0) {
                top.push(("stats", obj(stats)));
            }
            if b("error_null") {
                top.push(("error", J::Null));
            }
            if b("warnings_on_partial") && page.status == "partial" {
                top.push(("warnings", J::Arr(vec![s("The list was cut off.")])));
            }
        }
    }
    top.push(("context", obj(c)));
    Ok(obj(top))
}

fn describe() -> J {
    let prop = |t: &str, d: &str, default: Option<J>| {
        let mut m = vec![("type", s(t)), ("description", s(d))];
        if let Some(v) = default {
            m.push(("default", v));
        }
        obj(m)
    };
    let zero = |v: J| if b("schema_zero_defaults_missing") { None } else { Some(v) };
    let mut properties = vec![
        ("path", prop("string", "Directory path to list (relative to project root or absolute within it).", Some(s(".")))),
        ("offset", prop("integer", "Pagination start index (>=0).", zero(n(0)))),
        (
            "limit",
            prop(
                if b("schema_limit_number") { "number" } else { "integer" },
                if b("schema_limit_words") { "Max items to return (1-100)." } else { "Max items to return (1-200)." },
                Some(n(100)),
            ),
        ),
        ("include_hidden", prop("boolean", "Whether to include hidden files (starting with '.').", zero(J::Bool(false)))),
        (
            "ignore",
            prop(
                "array",
                "Optional list of glob patterns to ignore.",
                Some(if b("schema_ignore_default_list") { J::Arr(vec![]) } else { J::Null }),
            ),
        ),
    ];
    if b("schema_recursive") {
        properties.push(("recursive", prop("boolean", "Whether to list subdirectories.", Some(J::Bool(false)))));
    }
    let required = if b("schema_path_required") { vec![s("path")] } else { vec![] };
    obj(vec![
        ("name", s(if b("name_lower") { "ls" } else { "LS" })),
        ("aliases", J::Arr(vec![])),
        (
            "description",
            s(if b("description_words") {
                "List files and directories in a given path with pagination."
            } else {
                "List files and directories in a given path with pagination and filters."
            }),
        ),
        ("input_schema", obj(vec![("type", s("object")), ("properties", obj(properties)), ("required", J::Arr(required))])),
        ("is_side_effecting", J::Bool(false)),
    ])
}

fn serve() {
    let mut st = State::default();
    let stdin = std::io::stdin();
    let mut input = stdin.lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
            return;
        }
        let Some(req) = json::parse(&line) else { continue };
        let null = J::Null;
        let params = req.get("params").unwrap_or(&null);
        let method = req.get("method").map(|m| m.str()).unwrap_or_default();
        let result = match method.as_str() {
            "initialize" => obj(vec![
                ("protocol", n(1)),
                ("candidate", obj(vec![("name", s("rust-ls")), ("version", s("2.0.0")), ("language", s("rust"))])),
                ("tools", obj(vec![("LS", s("ls@2.0.0"))])),
                ("capabilities", J::Arr(vec![s("working_dir")])),
                (
                    "interpretations",
                    obj(vec![
                        ("AMB-LS-05", s("a")),
                        ("AMB-LS-07", s("a")),
                        ("AMB-LS-14", s("a")),
                        ("AMB-LS-67", s("forbidden")),
                        ("AMB-LS-73", s("a")),
                        ("AMB-LS-74", s("a")),
                    ]),
                ),
            ]),
            "describe" => describe(),
            "call" => {
                let tool = params.get("tool").map(|t| t.str()).unwrap_or_default();
                let error = |k: &str, m: &str| {
                    obj(vec![("status", s("error")), ("error", obj(vec![("kind", s(k)), ("message", s(m))]))])
                };
                if tool != "LS" {
                    error("UnknownTool", "there is no such tool")
                } else {
                    match call(params.get("arguments").unwrap_or(&null), params.get("context").unwrap_or(&null), &mut st) {
                        Ok(envelope) => {
                            let mut content = Vec::new();
                            json::write(&envelope, &mut content, true);
                            if b("json_bom") && !content.is_ascii() {
                                content.splice(0..0, [0xEF, 0xBB, 0xBF]);
                            }
                            obj(vec![("status", s("ok")), ("content", J::Str(content))])
                        }
                        Err((k, m)) => error(&k, &m),
                    }
                }
            }
            _ => J::Null,
        };
        let response = obj(vec![("jsonrpc", s("2.0")), ("id", req.get("id").unwrap_or(&null).clone()), ("result", result)]);
        let mut out = Vec::new();
        json::write(&response, &mut out, false);
        out.push(b'\n');
        let mut o = std::io::stdout().lock();
        if o.write_all(&out).and_then(|_| o.flush()).is_err() || method == "shutdown" {
            return;
        }
    }
}

fn main() {
    let t = std::thread::Builder::new().stack_size(256 << 20).spawn(serve).unwrap();
    let _ = t.join();
}
