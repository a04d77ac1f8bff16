//! The document within the budget.
use crate::args::Wanted;
use crate::json::Json;
use crate::walk::Entry;
use crate::{b, fail, number, text, Failure, COUNTER, INNER};
use std::sync::atomic::Ordering;

fn limit(context: &Json, name: &str, default: u64) -> u64 {
    match context.get(name) {
        Json::Number(digits) => {
            if b("budget_32_bits") {
                return digits.bytes().fold(0u32, |sum, digit| sum.wrapping_mul(10).wrapping_add(u32::from(digit.wrapping_sub(b'0')))).into();
            }
            if b("budget_signed") {
                return digits.parse::<i64>().map_or(default, |value| value as u64);
            }
            digits.parse().unwrap_or(u64::MAX)
        }
        _ => default,
    }
}

pub fn budget(context: &Json) -> u64 {
    let out_default = if b("budget_default_small") { 4096 } else { 102_400 };
    let room_default = if b("budget_default_large") { 102_400 } else { 65_536 };
    let mut out = limit(context, "max_output_bytes", out_default);
    let mut room = limit(context, "available_capacity_bytes", room_default);
    if b("budget_zero_unlimited") {
        out = if out == 0 { u64::MAX } else { out };
        room = if room == 0 { u64::MAX } else { room };
    }
    if b("budget_output_only") {
        room = u64::MAX;
    }
    if b("budget_capacity_only") {
        out = u64::MAX;
    }
    if b("budget_larger") {
        return out.max(room);
    }
    if b("budget_floor") {
        return out.min(room).max(256);
    }
    if b("budget_sum") {
        return out.saturating_add(room) / 2;
    }
    out.min(room)
}

fn spelled(value: &Json) -> String {
    INNER.store(true, Ordering::Relaxed);
    let spelled = value.to_string();
    INNER.store(false, Ordering::Relaxed);
    spelled
}

fn entry(item: &Entry) -> String {
    let some = |value: &Option<String>| value.as_ref().map_or(Json::Null, text);
    let mut size = item.size.map_or(Json::Null, number);
    let mut modified = item.modified.map_or(Json::Null, number);
    if b("size_zero_null") && item.size == Some(0) {
        size = Json::Null;
    }
    if b("size_as_text") && item.size.is_some_and(|size| size > 1 << 53) {
        size = text(item.size.unwrap());
    }
    if b("time_zero_null") && item.modified == Some(0) {
        modified = Json::Null;
    }
    let mut error = some(&item.error);
    let mut code = some(&item.code);
    if b("error_empty_text") && item.error.is_none() {
        error = text("");
    }
    if b("error_code_ok") && item.code.is_none() {
        code = text("ok");
    }
    if b("error_counted") && item.error.is_some() {
        error = text(format!("failure {}", COUNTER.fetch_add(1, Ordering::Relaxed)));
    }
    let mut members = vec![
        ("name", text(&item.name)), ("path", text(&item.path)), ("depth", number(item.depth)), ("type", text(item.kind)),
        ("size_bytes", size), ("modified_epoch_ms", modified), ("is_hidden", Json::Bool(item.hidden)), ("error_code", code), ("error", error),
    ];
    if b("doc_nulls_omitted") {
        members.retain(|(name, value)| !(name.starts_with("error") && *value == Json::Null));
    }
    if b("doc_size_null_omitted") {
        members.retain(|(name, value)| !(*name == "size_bytes" && *value == Json::Null));
    }
    if b("doc_order_size") {
        members.swap(4, 5);
    }
    if b("doc_order_error") && item.error.is_some() {
        members.swap(7, 8);
    }
    if b("doc_extra_target") && item.kind == "symlink" {
        members.push(("target", Json::Null));
    }
    if b("doc_hidden_omitted") && !item.hidden {
        members.retain(|(name, _)| *name != "is_hidden");
    }
    spelled(&Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect()))
}

fn frame(wanted: &Wanted, entries: &[String], returned: usize, truncated: bool, reason: Option<&str>) -> String {
    let path = spelled(&text(&wanted.shown));
    let list = entries.join(if b("doc_blank_between") { ", " } else { "," });
    let reason = match reason {
        None if b("reason_empty") => "\"\"".to_string(),
        None if b("reason_none") => "\"none\"".to_string(),
        None => "null".to_string(),
        Some("max_entries") if b("reason_entries_word") => "\"max_entries_reached\"".to_string(),
        Some(_) if b("reason_null") => "null".to_string(),
        Some(reason) => format!("\"{reason}\""),
    };
    let returned = if b("returned_text") { format!("\"{returned}\"") } else { returned.to_string() };
    let entries = wanted.shown_entries;
    if b("doc_order_flags") {
        return format!(r#"{{"path":{path},"entries":[{list}],"max_entries":{entries},"returned":{returned},"truncated":{truncated},"truncated_reason":{reason}}}"#);
    }
    if b("doc_reason_omitted") && reason == "null" {
        return format!(r#"{{"path":{path},"entries":[{list}],"returned":{returned},"max_entries":{entries},"truncated":{truncated}}}"#);
    }
    let mut whole = format!(r#"{{"path":{path},"entries":[{list}],"returned":{returned},"max_entries":{entries},"truncated":{truncated},"truncated_reason":{reason}}}"#);
    if b("doc_line_feed") {
        whole.push('\n');
    }
    if b("doc_byte_order_mark") {
        whole.insert(0, '\u{FEFF}');
    }
    if b("doc_extra_depth") {
        whole.pop();
        whole.push_str(&format!(",\"max_depth\":{}}}", wanted.depth));
    }
    whole
}

/// The length that counts.
fn length(whole: &str) -> u64 {
    let length = if b("length_characters") {
        whole.chars().count()
    } else if b("length_units") {
        whole.encode_utf16().count()
    } else if b("length_unescaped") {
        whole.len() - whole.matches("\\\"").count() - whole.matches("\\\\").count() - whole.matches("\\n").count()
    } else {
        whole.len()
    };
    length as u64
}

/// `cut` is whether max_entries has cut the walk.
pub fn written(wanted: &Wanted, mut items: Vec<Entry>, cut: bool, total: usize, context: &Json) -> Result<String, Failure> {
    let mut budget = budget(context);
    if b("budget_less_one") {
        budget = budget.saturating_sub(1);
    }
    if b("budget_more_one") {
        budget = budget.saturating_add(1);
    }
    if b("budget_margin") && budget < u64::MAX {
        budget -= budget / 20;
    }
    if b("cut_walk_order") || b("cut_from_front") || b("cut_largest") {
        return cut_differently(wanted, items, cut, budget);
    }
    order(&mut items);
    let texts: Vec<String> = items.iter().map(entry).collect();
    let whole_reason = if cut { Some(if b("reason_entries_as_bytes") { "max_output_bytes" } else { "max_entries" }) } else { None };
    let flagged = cut && !b("truncated_entries_false");
    let whole = if b("reason_always_entries") {
        frame(wanted, &texts, texts.len(), flagged, Some("max_entries"))
    } else if b("returned_total") {
        frame(wanted, &texts, total, flagged, whole_reason)
    } else if b("returned_plain_files") {
        frame(wanted, &texts, items.iter().filter(|item| item.kind != "unknown").count(), flagged, whole_reason)
    } else if b("truncated_errors") && items.iter().any(|item| item.kind == "unknown") {
        frame(wanted, &texts, texts.len(), true, Some("max_entries"))
    } else {
        frame(wanted, &texts, texts.len(), flagged, whole_reason)
    };
    if texts.is_empty() && b("minimal_longer") && frame(wanted, &[], 0, true, Some("max_output_bytes")).len() as u64 > budget {
        return too_small(wanted, &texts, budget, whole);
    }
    if length(&whole) <= budget || b("budget_ignored") {
        return Ok(whole);
    }
    if b("budget_fails") {
        return fail("ExecutionFailed", "output budget too small");
    }
    let reason = if cut && b("reason_not_overridden") {
        "max_entries"
    } else if b("reason_bytes_word") {
        "output_bytes"
    } else if b("reason_bytes_as_entries") {
        "max_entries"
    } else {
        "max_output_bytes"
    };
    let shown = |kept: usize| {
        let returned = if b("returned_before_cut") { texts.len() } else { kept };
        if b("truncated_bytes_false") {
            frame(wanted, &texts[..kept], returned, cut, if cut { Some("max_entries") } else { None })
        } else if b("truncated_bytes_no_reason") {
            frame(wanted, &texts[..kept], returned, true, None)
        } else {
            frame(wanted, &texts[..kept], returned, true, Some(reason))
        }
    };
    let measured = |kept: usize| {
        if b("fit_untruncated_frame") {
            length(&frame(wanted, &texts[..kept], kept, false, None))
        } else if b("fit_old_returned") {
            length(&frame(wanted, &texts[..kept], texts.len(), true, Some(reason)))
        } else if b("fit_comma_each") {
            length(&frame(wanted, &texts[..kept], kept, true, Some(reason))) + u64::from(kept > 0)
        } else if b("fit_no_commas") {
            length(&frame(wanted, &texts[..kept], kept, true, Some(reason))) - kept.saturating_sub(1) as u64
        } else if b("fit_path_plain") {
            length(&frame(wanted, &texts[..kept], kept, true, Some(reason))) - (spelled(&text(&wanted.shown)).len() - 2 - wanted.shown.chars().count()) as u64
        } else if b("fit_entries_only") {
            texts[..kept].iter().map(|text| text.len() as u64 + 1).sum()
        } else {
            length(&shown(kept))
        }
    };
    let mut kept = texts.len();
    if b("fit_estimated") {
        let average = texts.iter().map(|text| text.len() + 1).max().unwrap_or(1) as u64;
        let room = budget.saturating_sub(measured(0));
        kept = kept.min((room / average) as usize);
    }
    // the length grows with the number of entries
    while kept > 0 && measured(kept) > budget {
        if b("cut_halves") {
            kept /= 2;
        } else if b("cut_tens") {
            kept = kept.saturating_sub(10);
        } else {
            // a step that is certainly too small
            let over = (measured(kept) - budget) as usize;
            let longest = texts.iter().map(|text| text.len() + 1).max().unwrap_or(1);
            kept -= (over / (longest + 8)).max(1).min(kept);
        }
    }
    if b("cut_one_more") && kept > 0 {
        kept -= 1;
    }
    if b("cut_keeps_one") && kept == 0 && !texts.is_empty() {
        kept = 1;
        return Ok(shown(kept));
    }
    if kept == 0 && b("cut_to_nothing_fails") && !texts.is_empty() {
        return fail("ExecutionFailed", "output budget too small");
    }
    if b("cut_whole_directories") && kept > 0 && kept < texts.len() {
        while kept > 0 && items[kept].depth > 1 {
            kept -= 1;
        }
    }
    if measured(kept) > budget || texts.is_empty() {
        return too_small(wanted, &texts, budget, whole);
    }
    Ok(shown(kept))
}

fn too_small(wanted: &Wanted, _texts: &[String], budget: u64, whole: String) -> Result<String, Failure> {
    if b("small_empty_object") && budget >= 2 {
        return Ok("{}".to_string());
    }
    if b("small_empty_text") {
        return Ok(String::new());
    }
    if b("small_cut_through") {
        return Ok(String::from_utf8_lossy(&whole.as_bytes()[..(budget as usize).min(whole.len())]).into_owned());
    }
    if b("small_minimal_anyway") {
        return Ok(frame(wanted, &[], 0, true, Some("max_output_bytes")));
    }
    if b("small_as_empty") {
        let plain = frame(wanted, &[], 0, false, None);
        if plain.len() as u64 <= budget {
            return Ok(plain);
        }
    }
    if b("small_path_cut") {
        let mut wanted = wanted.clone();
        wanted.shown = ".".to_string();
        let plain = frame(&wanted, &[], 0, true, Some("max_output_bytes"));
        if plain.len() as u64 <= budget {
            return Ok(plain);
        }
    }
    let kind = if b("small_bad_args") { "BadArgs" } else { "ExecutionFailed" };
    fail(kind, if b("small_no_message") { String::new() } else { format!("output budget too small: {budget} bytes") })
}

/// Bugs that drop other entries than the last ones.
fn cut_differently(wanted: &Wanted, mut items: Vec<Entry>, cut: bool, budget: u64) -> Result<String, Failure> {
    let reason = |short: bool| if short { Some("max_output_bytes") } else if cut { Some("max_entries") } else { None };
    let all = items.len();
    loop {
        let mut sorted = items.clone();
        order(&mut sorted);
        let texts: Vec<String> = sorted.iter().map(entry).collect();
        let short = items.len() < all;
        let whole = frame(wanted, &texts, texts.len(), short || cut, reason(short));
        if whole.len() as u64 <= budget {
            return Ok(whole);
        }
        if items.is_empty() {
            return too_small(wanted, &[], budget, whole);
        }
        if b("cut_walk_order") {
            items.pop();
        } else if b("cut_from_front") {
            let first = sorted[0].raw.clone();
            items.retain(|item| item.raw != first);
        } else {
            let largest = items.iter().map(|item| entry(item).len()).enumerate().max_by_key(|(_, length)| *length).unwrap().0;
            items.remove(largest);
        }
    }
}

fn natural_key(text: &str) -> Vec<(u64, String)> {
    let mut key = vec![];
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 {
            key.push((rest[..digits].parse().unwrap_or(u64::MAX), String::new()));
            rest = &rest[digits..];
        } else {
            let end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
            key.push((u64::MAX, rest[..end].to_string()));
            rest = &rest[end..];
        }
    }
    key
}

pub fn natural(one: &str, two: &str) -> std::cmp::Ordering {
    natural_key(one).cmp(&natural_key(two)).then(one.cmp(two))
}

pub fn folded(text: &str) -> String {
    text.to_lowercase()
}

pub fn local() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or(set("LC_COLLATE")).or(set("LANG")).unwrap_or_default();
    !(locale.is_empty() || locale == "C" || locale == "POSIX" || locale.starts_with("C."))
}

/// FR-LD-OUT-01; entries of the same text stay in the order of their bytes.
fn order(items: &mut Vec<Entry>) {
    if b("order_walk") {
        return;
    }
    items.sort_by(|one, two| one.path.cmp(&two.path).then(one.raw.cmp(&two.raw)));
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    if b("order_units") {
        items.sort_by_key(|item| units(&item.path));
    } else if b("order_any_case") {
        items.sort_by_key(|item| folded(&item.path));
    } else if b("order_locale") && local() {
        items.sort_by_key(|item| folded(&item.path));
    } else if b("order_natural") {
        items.sort_by(|one, two| natural(&one.path, &two.path));
    } else if b("order_components") {
        items.sort_by(|one, two| one.path.split('/').cmp(two.path.split('/')));
    } else if b("order_name") {
        items.sort_by(|one, two| one.name.cmp(&two.name));
    } else if b("order_directories_first") {
        items.sort_by_key(|item| item.kind != "dir");
    } else if b("order_depth") {
        items.sort_by_key(|item| item.depth);
    } else if b("order_raw") {
        items.sort_by(|one, two| one.raw.cmp(&two.raw));
    } else if b("order_dot_last") {
        items.sort_by_key(|item| item.hidden);
    } else if b("order_directory_slash") {
        items.sort_by_key(|item| if item.kind == "dir" { format!("{}/", item.path) } else { item.path.clone() });
    } else if b("order_dots_ignored") {
        items.sort_by_key(|item| item.path.trim_start_matches(['.', '_']).to_string());
    } else if b("order_unknown_last") {
        items.sort_by_key(|item| item.kind == "unknown");
    } else if b("order_escaped") {
        items.sort_by_key(|item| spelled(&text(&item.path)));
    } else if b("order_bubble") {
        let mut sorted: Vec<Entry> = vec![];
        for item in items.drain(..).rev() {
            let mut at = 0;
            while at < sorted.len() && sorted[at].path.to_lowercase().to_uppercase() < item.path.to_lowercase().to_uppercase() {
                at += 1;
            }
            sorted.insert(at, item);
        }
        sorted.sort_by(|one, two| one.path.cmp(&two.path).then(one.raw.cmp(&two.raw)));
        *items = sorted;
    }
}
