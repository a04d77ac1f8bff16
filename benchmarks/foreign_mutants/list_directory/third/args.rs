//! The arguments with the configuration's and the built-in defaults.
use crate::json::Json;
use crate::{b, fail, Failure};

#[derive(Clone)]
pub struct Wanted {
    /// As the sandbox checks and the walk opens it.
    pub path: String,
    /// As it was sent.
    pub raw: String,
    /// As the document shows it.
    pub shown: String,
    pub recursive: bool,
    pub depth: u64,
    pub entries: u64,
    pub shown_entries: u64,
    pub hidden: bool,
    pub files: bool,
    pub dirs: bool,
    pub symlinks: bool,
    pub other: bool,
}

fn bad<T>(message: impl ToString) -> Result<T, Failure> {
    fail("BadArgs", message)
}

/// The whole text of a JSON integer, of any length.
fn natural(digits: &str) -> Option<u64> {
    let (plain, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if b("arg_fraction_cut") && !fraction.is_empty() {
        return natural(plain);
    }
    if b("arg_negative_positive") {
        if let Some(rest) = digits.strip_prefix('-') {
            return natural(rest);
        }
    }
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if b("arg_wraps_64") {
        return Some(digits.bytes().fold(0u64, |sum, digit| sum.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'))));
    }
    if b("arg_wraps_32") {
        return Some(digits.bytes().fold(0u32, |sum, digit| sum.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))).into());
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}

fn integer(values: &Json, name: &str, kind: &str) -> Result<Option<u64>, Failure> {
    let found = match values.member(name) {
        None => return Ok(None),
        Some(Json::Null) if kind == "BadArgs" && b("arg_null_limit_absent") => return Ok(None),
        Some(Json::Null) if kind == "BadArgs" && b("arg_null_entries_absent") && name == "max_entries" => return Ok(None),
        Some(Json::Text(digits)) if b("arg_integer_text") && kind == "BadArgs" => natural(digits),
        Some(Json::Bool(true)) if b("arg_true_is_one") && kind == "BadArgs" => Some(1),
        Some(Json::List(items)) if b("arg_integer_list") && kind == "BadArgs" && items.len() == 1 => {
            if let Json::Number(digits) = &items[0] { natural(digits) } else { None }
        }
        Some(Json::Number(digits)) => natural(digits),
        Some(_) => None,
    };
    match found {
        Some(0) if kind == "BadArgs" && name == "max_entries" && b("arg_zero_entries_default") => Ok(None),
        Some(0) if kind == "BadArgs" && name == "max_depth" && b("arg_zero_depth_default") => Ok(None),
        Some(0) if kind == "BadArgs" && name == "max_entries" && b("arg_zero_entries_allowed") => Ok(Some(0)),
        Some(0) if kind == "BadArgs" && b("arg_zero_is_one") => Ok(Some(1)),
        Some(value) if value > 0 => Ok(Some(value)),
        _ if kind == "BadArgs" && b("arg_bad_limit_default") => Ok(None),
        _ => fail(kind, format!("{name} must be an integer of at least 1")),
    }
}

fn boolean(values: &Json, name: &str, kind: &str) -> Result<Option<bool>, Failure> {
    let lenient = kind == "BadArgs";
    match values.member(name) {
        None => Ok(None),
        Some(Json::Bool(value)) => Ok(Some(*value)),
        Some(Json::Null) if lenient && b("arg_null_switch_absent") => Ok(None),
        Some(Json::Null) if lenient && b("arg_null_recursive_absent") && name == "recursive" => Ok(None),
        Some(Json::Text(value)) if lenient && b("arg_boolean_text") && (value == "true" || value == "false") => Ok(Some(value == "true")),
        Some(Json::Text(value)) if lenient && b("arg_boolean_truthy") => Ok(Some(!value.is_empty())),
        Some(Json::Number(digits)) if lenient && b("arg_boolean_number") && (digits == "0" || digits == "1") => Ok(Some(digits == "1")),
        Some(_) if lenient && b("arg_other_unchecked") && name == "include_other" => Ok(None),
        Some(_) => fail(kind, format!("{name} must be true or false")),
    }
}

fn is_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    if b("drive_any_length") {
        return bytes.len() >= 2 && bytes.ends_with(b":") && bytes[..bytes.len() - 1].iter().all(u8::is_ascii_alphanumeric);
    }
    bytes.len() == 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

fn trimmed(path: &str) -> &str {
    if b("trim_blanks_only") {
        return path.trim_matches(' ');
    }
    if b("trim_start_only") {
        return path.trim_start();
    }
    if b("trim_one") {
        let path = path.strip_prefix(' ').unwrap_or(path);
        return path.strip_suffix(' ').unwrap_or(path);
    }
    path.trim()
}

/// FR-LD-VAL-10 for a text that has been trimmed.
fn tidied(text: &str) -> String {
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let joined = parts.join("/");
    if text.starts_with('/') {
        format!("/{joined}")
    } else if is_drive(&joined) && text.ends_with('/') {
        format!("{joined}/")
    } else if joined.is_empty() {
        ".".to_string()
    } else {
        joined
    }
}

/// The path in the document.
fn shown(raw: &str, text: &str, tidy: String) -> String {
    let slash_end = |path: &str| path.len() > 1 && path.ends_with('/');
    if b("shown_untrimmed") {
        let lead = &raw[..raw.len() - raw.trim_start().len()];
        let tail = &raw[raw.trim_end().len()..];
        return format!("{lead}{tidy}{tail}");
    }
    if b("shown_trailing_slash") && slash_end(text) && !tidy.ends_with('/') && tidy != "." {
        return format!("{tidy}/");
    }
    if b("shown_one_slash_cut") && text.ends_with("//") && tidy != "/" {
        return format!("{tidy}/");
    }
    if b("shown_lead_dot") && text.starts_with("./") && tidy != "." {
        return format!("./{tidy}");
    }
    if b("shown_inner_dot") && text.contains("/./") {
        return text.trim_start_matches("./").trim_end_matches('/').to_string();
    }
    if b("shown_slashes") && text.contains("//") {
        return text.trim_start_matches("./").trim_end_matches('/').to_string();
    }
    if b("shown_slashes_once") && text.contains("//") {
        let text = text.replace("//", "/");
        return if text.len() > 1 { text.trim_end_matches('/').to_string() } else { text };
    }
    if b("shown_dots_cut") {
        return if tidy == "." { tidy } else { tidy.replace("./", "") };
    }
    if b("shown_lead_stripped") && tidy != "." && !tidy.starts_with('/') {
        return tidy.trim_start_matches(['.', '/']).to_string();
    }
    if b("shown_root_empty") && tidy == "/" {
        return String::new();
    }
    if b("shown_dot_empty") && tidy == "." && text != "." {
        return String::new();
    }
    if b("shown_lower") {
        return tidy.to_lowercase();
    }
    if b("shown_backslash") {
        return tidy.replace('\\', "/");
    }
    if b("shown_components_trimmed") {
        return tidy.split('/').map(|part| if part.trim().is_empty() { part } else { part.trim() }).collect::<Vec<_>>().join("/");
    }
    if b("shown_blanks_merged") {
        return tidy.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    }
    if b("shown_encoded") {
        return tidy.replace('%', "%25").replace(' ', "%20").replace('#', "%23");
    }
    if b("shown_composed") {
        return tidy.replace("e\u{301}", "é").replace("a\u{308}", "ä").replace("u\u{308}", "ü").replace("o\u{308}", "ö").replace("a\u{30A}", "å").replace("A\u{30A}", "Å");
    }
    if b("shown_double_lead") && text.starts_with("//") && !text.starts_with("///") {
        return format!("/{tidy}");
    }
    if b("shown_last_only") && tidy.contains('/') && !tidy.starts_with('/') {
        return tidy.rsplit('/').next().unwrap_or("").to_string();
    }
    if b("shown_format_removed") {
        return tidy.replace(['\u{200B}', '\u{FEFF}', '\u{200E}', '\u{200F}', '\u{AD}'], "");
    }
    tidy
}

pub fn read(given: &Json, config: &Json) -> Result<Wanted, Failure> {
    let empty = Json::Object(vec![]);
    let given = match given {
        Json::Null if b("arg_null_object") => &empty,
        given => given,
    };
    let Json::Object(members) = given else {
        return bad("the arguments must be an object");
    };
    for (at, (name, _)) in members.iter().enumerate() {
        if members[..at].iter().any(|(earlier, _)| earlier == name) {
            return bad(format!("the argument {name} is given twice"));
        }
    }
    let known = [
        "path", "recursive", "max_depth", "max_entries", "include_hidden", "include_files", "include_dirs", "include_symlinks",
        "include_other",
    ];
    let mut given = given.clone();
    if let Json::Object(members) = &mut given {
        if b("arg_unknown_refused") && members.iter().any(|(name, _)| !known.contains(&name.as_str())) {
            return bad("there is an unknown argument");
        }
        if b("arg_unknown_include_refused") && members.iter().any(|(name, _)| name.starts_with("include_") && !known.contains(&name.as_str())) {
            return bad("there is an unknown switch");
        }
        if b("arg_any_case") {
            for (name, _) in members.iter_mut() {
                *name = name.to_lowercase();
            }
        }
        if b("arg_camel_case") {
            for (name, _) in members.iter_mut() {
                for plain in known {
                    if plain.replace('_', "") == name.to_lowercase() {
                        *name = plain.to_string();
                    }
                }
            }
        }
        if b("arg_depth_alias") {
            for (name, _) in members.iter_mut().filter(|(name, _)| name == "depth") {
                *name = "max_depth".to_string();
            }
        }
    }
    let given = &given;
    let raw = match given.get("path") {
        Json::Text(path) => path.clone(),
        Json::Number(digits) if b("arg_path_number") => digits.clone(),
        Json::BrokenText(path) if b("arg_path_surrogate") => path.clone(),
        Json::Null if b("arg_path_default") && given.member("path").is_none() => ".".to_string(),
        Json::Null if b("arg_path_null") && given.member("path").is_some() => ".".to_string(),
        Json::List(items) if b("arg_path_list") && items.len() == 1 => given.get("path").texts().concat(),
        _ => return bad("path is required and must be a string"),
    };
    let text = trimmed(&raw);
    if raw.is_empty() && b("path_empty_is_dot") {
        // goes on as the working directory
    } else if (text.is_empty() && !raw.is_empty() && (b("path_blank_is_dot") || b("path_blank_missing"))) || text.is_empty() && b("path_empty_failed") {
        if !b("path_blank_is_dot") {
            return fail("ExecutionFailed", "path does not exist");
        }
    } else if text.is_empty() {
        return bad("path must not be empty");
    }
    if text.contains('\0') {
        if !b("path_nul_cut") {
            return bad("path must not contain NUL");
        }
    }
    let text = if b("path_nul_cut") { text.split('\0').next().unwrap_or("") } else { text };
    let tidy = tidied(text);

    let tools = config.get("tools");
    let mut table = tools.get("list_directory").clone();
    if b("config_top_level") {
        table = config.get("list_directory").clone();
    }
    if b("config_camel_table") && table == Json::Null {
        table = tools.get("ls").clone();
    }
    if b("config_if_no_switches") && members.iter().any(|(name, _)| name.starts_with("include_")) {
        table = Json::Null;
    }
    if b("config_ignored") {
        table = Json::Null;
    }
    let keys = [
        "max_entries", "max_depth", "include_hidden_default", "include_symlinks_default", "include_files_default",
        "include_dirs_default", "include_other_default",
    ];
    if b("config_incomplete_absent") && keys.iter().any(|key| table.member(key).is_none()) {
        table = Json::Null;
    }
    if !matches!(table, Json::Null | Json::Object(_)) {
        return fail("ConfigInvalid", "tools.list_directory must be a table");
    }
    let present = table != Json::Null;
    let builtin_entries = if b("builtin_entries_100") { 100 } else if b("builtin_entries_1000") { 1000 } else { 200 };
    let builtin_depth = if b("builtin_depth_3") { 3 } else if b("builtin_depth_5") { 5 } else { 4 };
    let limit_kind = "ConfigInvalid";
    let mut cap_entries = integer(&table, "max_entries", limit_kind)?.unwrap_or(builtin_entries);
    let configured_depth = integer(&table, "max_depth", limit_kind)?;
    let cap_depth = configured_depth.unwrap_or(if b("config_depth_unbounded") && present { u64::MAX } else { builtin_depth });
    if b("config_entries_ignored") {
        cap_entries = builtin_entries;
    }
    if b("config_entries_under_builtin") {
        cap_entries = cap_entries.min(200);
    }
    if b("config_unbounded_without") && !present {
        cap_entries = u64::MAX;
    }
    let cap_depth = if b("config_depth_ignored") { builtin_depth } else { cap_depth };

    let recursive = boolean(given, "recursive", "BadArgs")?;
    let asked_depth = if b("arg_flat_depth_unchecked") && recursive != Some(true) { None } else { integer(given, "max_depth", "BadArgs")? };
    let asked_entries = integer(given, "max_entries", "BadArgs")?;
    let mut recursive_now = recursive.unwrap_or(b("recursive_by_default"));
    if (b("depth_means_recursive") && recursive.is_none() && asked_depth.is_some_and(|depth| depth > 1))
        || (b("depth_one_recursive") && recursive.is_none() && asked_depth == Some(1))
        || (b("depth_beats_false") && asked_depth.is_some_and(|depth| depth > 1))
    {
        recursive_now = true;
    }
    let flat_kind = if b("flat_depth_failed") { "ExecutionFailed" } else { "BadArgs" };
    let depth = if recursive_now {
        match asked_depth {
            None if b("default_depth_1") => 1,
            None if b("default_depth_unbounded") => u64::MAX,
            None if b("default_depth_builtin") => builtin_depth,
            None if b("default_depth_min") => cap_depth.min(4),
            None if b("default_depth_max") => cap_depth.max(4),
            None if b("default_depth_less") => cap_depth.saturating_sub(1).max(1),
            None => cap_depth,
            Some(asked) => {
                let cap = if b("depth_cap_builtin") {
                    4
                } else if b("depth_cap_less") {
                    cap_depth - 1
                } else if b("depth_cap_more") {
                    cap_depth.saturating_add(1)
                } else if b("depth_cap_only_configured") && configured_depth.is_none() {
                    u64::MAX
                } else {
                    cap_depth
                };
                if asked > cap && b("depth_clamped") {
                    cap
                } else if asked > cap {
                    return fail(if b("depth_kind_failed") { "ExecutionFailed" } else { "BadArgs" }, format!("max_depth must be at most {cap}"));
                } else {
                    asked
                }
            }
        }
    } else {
        match asked_depth {
            None => 1,
            Some(1) if b("flat_depth_one_refused") => return bad("max_depth needs recursive"),
            Some(1) => 1,
            Some(_) if b("flat_depth_ignored") || (b("flat_depth_ignored_absent") && recursive.is_none()) => 1,
            Some(asked) if b("flat_depth_cap") && asked <= cap_depth => 1,
            Some(_) => return fail(flat_kind, "max_depth must be absent or 1 when recursive is false"),
        }
    };
    let entry_cap = if b("entries_cap_builtin") {
        200
    } else if b("entries_cap_less") {
        cap_entries - 1
    } else if b("entries_cap_more") {
        cap_entries.saturating_add(1)
    } else if (b("entries_cap_recursive") && !recursive_now) || b("entries_uncapped") {
        u64::MAX
    } else {
        cap_entries
    };
    let entries = match asked_entries {
        Some(asked) if asked > entry_cap && b("entries_clamped") => entry_cap,
        Some(asked) if asked > entry_cap => {
            return fail(if b("entries_kind_failed") { "ExecutionFailed" } else { "BadArgs" }, format!("max_entries must be at most {cap_entries}"));
        }
        Some(_) if b("entries_argument_ignored") => cap_entries,
        Some(asked) => asked,
        None => cap_entries,
    };
    let shown_entries = if b("doc_entries_cap") {
        cap_entries
    } else if b("doc_entries_builtin") && asked_entries.is_none() {
        200
    } else {
        entries
    };

    let switch = |name: &str, builtin: bool| -> Result<bool, Failure> {
        let key = if b("config_no_suffix") { name.to_string() } else { format!("{name}_default") };
        let configured = boolean(&table, &key, "ConfigInvalid")?;
        let asked = boolean(given, name, "BadArgs")?;
        let builtin = if b("config_zero_values") && present { false } else { builtin };
        let configured = if b("config_true_only") && configured == Some(false) { None } else { configured };
        let configured = if b("config_false_only") && configured == Some(true) { None } else { configured };
        if b("switch_or") {
            return Ok(asked.unwrap_or(false) || configured.unwrap_or(builtin));
        }
        if b("switch_false_is_absent") && asked == Some(false) {
            return Ok(configured.unwrap_or(builtin));
        }
        if b("switch_config_wins") {
            return Ok(configured.or(asked).unwrap_or(builtin));
        }
        if b("switch_and") {
            return Ok(asked.unwrap_or(true) && configured.unwrap_or(builtin) || asked == Some(true) && configured.is_none());
        }
        Ok(asked.or(configured).unwrap_or(builtin))
    };
    // The switch of special entries is builtin_other.
    let builtin = |name: &str, value: bool| if b(&format!("builtin_{name}")) { !value } else { value };
    let mut hidden = switch("include_hidden", builtin("hidden", false))?;
    let files = switch("include_files", builtin("files", true))?;
    let dirs = switch("include_dirs", builtin("dirs", true))?;
    let symlinks = switch("include_symlinks", builtin("symlinks", true))?;
    let mut other = switch("include_other", builtin("other", false))?;
    if b("config_other_ignored") && given.member("include_other").is_none() {
        other = false;
    }
    if b("config_hidden_ignored") && given.member("include_hidden").is_none() {
        hidden = false;
    }
    let any = if b("kinds_other_counts") {
        files || dirs || symlinks || other
    } else if b("kinds_symlinks_forgotten") {
        files || dirs
    } else if b("kinds_explicit_only") {
        let off = |name: &str| given.get(name).bool() == Some(false);
        !(off("include_files") && off("include_dirs") && off("include_symlinks"))
    } else if b("kinds_unchecked") {
        true
    } else if b("kinds_dirs_alone_refused") {
        files || (dirs && symlinks) || (!dirs && symlinks && !files)
    } else if b("kinds_checked_if_flat") {
        recursive_now || files || dirs || symlinks
    } else {
        files || dirs || symlinks
    };
    if !any {
        return fail(
            if b("kinds_kind_failed") { "ExecutionFailed" } else { "BadArgs" },
            "at least one of include_files, include_dirs and include_symlinks must be true",
        );
    }
    let shown = shown(&raw, text, tidy.clone());
    Ok(Wanted { path: tidy, raw, shown, recursive: recursive_now, depth, entries, shown_entries, hidden, files, dirs, symlinks, other })
}
