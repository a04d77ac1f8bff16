//! A small interpreter: CALL, SET, EMIT, IF/ELSE, FOR EACH, WHILE.
use crate::json::Json;
use crate::{b, text, walk_dir, Answer, State, TOOL};
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Text(String),
    Number(String),
    Word(String),
    Sign(String),
}

enum Line {
    Call(String, Vec<Token>),
    Set(String, Vec<Token>),
    Emit(Vec<Token>),
    If(Vec<Token>, Vec<Line>, Vec<Line>),
    Each(String, Vec<Token>, Vec<Line>),
    While(Vec<Token>, Vec<Line>),
    Return,
}

struct Script<'a> {
    root: &'a str,
    state: &'a mut State,
    values: HashMap<String, Json>,
    aliases: Vec<String>,
    emitted: Vec<String>,
    log: Vec<Json>,
    ended: bool,
}

type Outcome<T> = Result<T, (String, String)>;

fn wrong<T>(message: impl ToString) -> Outcome<T> {
    Err(("ExecutionFailed".to_string(), message.to_string()))
}

pub fn run(source: &str, root: &str, state: &mut State) -> Answer {
    let lines: Vec<&str> = source.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#') && !l.starts_with("--")).collect();
    let mut at = 0;
    let block = match parse(&lines, &mut at) {
        Ok((block, _)) => block,
        Err(error) => return Answer { value: Err(error), log: vec![] },
    };
    let last = if b("last_kept_between_scripts") { state.globals.clone().unwrap_or(Json::Null) } else { Json::Null };
    let values = HashMap::from([("LAST".to_string(), last)]);
    let mut script = Script { root, state, values, aliases: vec![], emitted: vec![], log: vec![], ended: false };
    let outcome = script.block(&block);
    let value = outcome.map(|()| Json::List(script.emitted.iter().map(text).collect()));
    let log = script.log;
    let last = script.values.get("LAST").cloned();
    state.globals = last;
    Answer { value, log }
}

fn tokens(line: &str) -> Outcome<Vec<Token>> {
    let chars: Vec<char> = line.chars().collect();
    let (mut found, mut at) = (vec![], 0);
    while at < chars.len() {
        let c = chars[at];
        if c.is_whitespace() {
            at += 1;
        } else if c == '#' {
            break;
        } else if c == '"' || c == '\'' {
            let mut out = String::new();
            at += 1;
            loop {
                match chars.get(at) {
                    None => return wrong("a text does not end"),
                    Some(end) if *end == c => break,
                    Some('\\') => {
                        at += 1;
                        match chars.get(at) {
                            Some('n') => out.push('\n'),
                            Some('t') => out.push('\t'),
                            Some('r') => out.push('\r'),
                            Some('u') => {
                                let digits: String = chars.iter().skip(at + 1).take(4).collect();
                                out.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{FFFD}'));
                                at += 4;
                            }
                            Some(other) => out.push(*other),
                            None => return wrong("a text does not end"),
                        }
                    }
                    Some(other) => out.push(*other),
                }
                at += 1;
            }
            at += 1;
            found.push(Token::Text(out));
        } else if c.is_ascii_digit() || (c == '-' && chars.get(at + 1).is_some_and(char::is_ascii_digit)) {
            let start = at;
            at += 1;
            while chars.get(at).is_some_and(|c| c.is_ascii_digit() || *c == '.') {
                at += 1;
            }
            found.push(Token::Number(chars[start..at].iter().collect()));
        } else if c.is_alphabetic() || c == '_' {
            let start = at;
            while chars.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_' || *c == '.') {
                at += 1;
            }
            found.push(Token::Word(chars[start..at].iter().collect()));
        } else {
            let two: String = chars[at..(at + 2).min(chars.len())].iter().collect();
            let sign = if ["==", "!=", "<=", ">="].contains(&two.as_str()) { two } else { c.to_string() };
            at += sign.len();
            found.push(Token::Sign(sign));
        }
    }
    Ok(found)
}

fn word(token: Option<&Token>) -> String {
    if let Some(Token::Word(word)) = token { word.clone() } else { String::new() }
}

/// Parses lines up to the end of a block. The answer's second part is what ended it: ELSE, ENDBLOCK or nothing.
fn parse(lines: &[&str], at: &mut usize) -> Outcome<(Vec<Line>, String)> {
    let mut block = vec![];
    while *at < lines.len() {
        let line = tokens(lines[*at])?;
        *at += 1;
        if line.is_empty() {
            continue;
        }
        let first = word(line.first()).to_uppercase();
        let rest = |drop: usize, last: &str| {
            let end = if !last.is_empty() && word(line.last()).to_uppercase() == last { line.len() - 1 } else { line.len() };
            line[drop.min(end)..end].to_vec()
        };
        match first.as_str() {
            "CALL" => block.push(Line::Call(word(line.get(1)), rest(2, ""))),
            "SET" => block.push(Line::Set(word(line.get(1)), rest(3, ""))),
            "EMIT" => block.push(Line::Emit(rest(1, ""))),
            "RETURN" => block.push(Line::Return),
            "IF" => {
                let (yes, ended) = parse(lines, at)?;
                let no = if ended == "ELSE" { parse(lines, at)?.0 } else { vec![] };
                block.push(Line::If(rest(1, "THEN"), yes, no));
            }
            "FOR" => {
                let name = word(line.get(2));
                let list = rest(4, "DO");
                block.push(Line::Each(name, list, parse(lines, at)?.0));
            }
            "WHILE" => {
                let condition = rest(1, "DO");
                block.push(Line::While(condition, parse(lines, at)?.0));
            }
            "ELSE" | "ENDBLOCK" | "ENDIF" | "ENDFOR" | "ENDWHILE" | "END" => return Ok((block, first)),
            _ => return wrong(format!("unknown statement: {first}")),
        }
    }
    Ok((block, String::new()))
}

fn shown(value: &Json) -> String {
    match value {
        Json::Text(text) => text.clone(),
        Json::Null => "nil".to_string(),
        other => other.to_string(),
    }
}

fn truthy(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(value) => *value,
        Json::Text(text) => !text.is_empty(),
        Json::Number(digits) => digits != "0",
        Json::List(items) => !items.is_empty(),
        _ => true,
    }
}

impl Script<'_> {
    fn block(&mut self, lines: &[Line]) -> Outcome<()> {
        for line in lines {
            if self.ended {
                return Ok(());
            }
            match line {
                Line::Return => self.ended = true,
                Line::Emit(tokens) => {
                    let value = self.value(tokens)?;
                    self.emitted.push(shown(&value));
                }
                Line::Set(name, tokens) => {
                    let value = self.value(tokens)?;
                    if *tokens == [Token::Word("LAST".to_string())] {
                        self.aliases.push(name.clone());
                    } else {
                        self.aliases.retain(|alias| alias != name);
                    }
                    self.values.insert(name.clone(), value);
                }
                Line::If(condition, yes, no) => {
                    let value = self.value(condition)?;
                    self.block(if truthy(&value) { yes } else { no })?;
                }
                Line::Each(name, tokens, body) => {
                    let items = match self.value(tokens)? {
                        Json::List(items) => items,
                        Json::Null => vec![],
                        other => return wrong(format!("FOR EACH needs a list, not {other}")),
                    };
                    for item in items {
                        self.values.insert(name.clone(), item);
                        self.block(body)?;
                    }
                }
                Line::While(condition, body) => {
                    for _ in 0..100_000 {
                        if !truthy(&self.value(condition)?) || self.ended {
                            break;
                        }
                        self.block(body)?;
                    }
                }
                Line::Call(name, tokens) => self.call(name, tokens)?,
            }
        }
        Ok(())
    }

    /// The arguments in parentheses: names (empty if there is none) and values.
    fn arguments(&mut self, tokens: &[Token]) -> Outcome<Vec<(String, Json)>> {
        let sign = |sign: &str| Token::Sign(sign.to_string());
        if tokens.first() != Some(&sign("(")) || tokens.last() != Some(&sign(")")) {
            return wrong("a call needs parentheses");
        }
        let (mut found, mut depth) = (vec![], 0);
        let inner = &tokens[1..tokens.len() - 1];
        let mut parts: Vec<Vec<Token>> = vec![vec![]];
        for token in inner {
            if let Token::Sign(text) = token {
                depth += i32::from("([{".contains(text.as_str())) - i32::from(")]}".contains(text.as_str()));
                if text == "," && depth == 0 {
                    parts.push(vec![]);
                    continue;
                }
            }
            parts.last_mut().unwrap().push(token.clone());
        }
        if inner.is_empty() {
            return Ok(vec![]);
        }
        for part in parts {
            let named = matches!(part.first(), Some(Token::Word(_))) && matches!(part.get(1), Some(Token::Sign(s)) if s == ":" || s == "=");
            if named && b("script_names_refused") {
                return wrong("a call takes no names of arguments");
            }
            let name = if named { word(part.first()) } else { String::new() };
            let value = self.value(&part[if named { 2 } else { 0 }..])?;
            found.push((name, value));
        }
        Ok(found)
    }

    fn call(&mut self, name: &str, tokens: &[Token]) -> Outcome<()> {
        let mut given = self.arguments(tokens)?;
        let known = if b("script_internal_name") { name == "TOOL.WalkDir" } else { name == TOOL || name == "TOOL.WalkDir" };
        if known {
            if b("script_extra_ignored") {
                given.truncate(1);
            }
            let members = given.into_iter().enumerate().map(|(at, (name, value))| {
                let place = if at == 0 { "path".to_string() } else { format!("argument{}", at + 1) };
                (if name.is_empty() { place } else { name }, value)
            });
            let arguments = Json::Object(members.collect());
            let before = self.values.get("LAST").cloned().unwrap_or(Json::Null);
            let answer = walk_dir(&arguments, self.root, self.state, true);
            let failed = !answer.log.is_empty();
            let details = answer.log.last().map(|record| record.get("message").clone());
            self.log.extend(answer.log);
            let mut value = answer.value?;
            if value == Json::Null && b("script_ends_on_nil") {
                self.ended = true;
            }
            if value == Json::Null && b("script_nil_fails") {
                return wrong("FS.WalkDir failed");
            }
            if failed && b("last_details") {
                value = details.unwrap_or(Json::Null);
            }
            if value == Json::Null && ((failed && b("last_kept_on_error")) || (!failed && b("last_kept_on_missing"))) {
                value = before.clone();
            }
            if b("last_kept_on_empty") && value == Json::List(vec![]) {
                value = before.clone();
            }
            if b("last_as_json_text") && matches!(value, Json::List(_)) {
                value = Json::Text(value.to_string());
            }
            if b("last_first_only") && before != Json::Null {
                value = before.clone();
            }
            if b("last_appended") {
                if let (Json::List(old), Json::List(new)) = (&before, &value) {
                    value = Json::List(old.iter().chain(new).cloned().collect());
                }
            }
            if b("last_aliased") {
                for alias in &self.aliases {
                    self.values.insert(alias.clone(), value.clone());
                }
            }
            self.values.insert("LAST".to_string(), value);
            return Ok(());
        }
        let value = |at: usize| given.get(at).and_then(|(_, value)| value.text()).unwrap_or("").to_string();
        let place = std::path::Path::new(self.root).join(value(0).trim_start_matches('/'));
        let inside = !value(0).split('/').any(|part| part == "..");
        let done = match name {
            "FS.Mkdir" | "TOOL.Mkdir" if inside => std::fs::create_dir_all(&place),
            "FS.WriteFile" | "TOOL.WriteFile" if inside => std::fs::write(&place, value(1)),
            _ => return wrong(format!("unknown tool: {name}")),
        };
        self.values.insert("LAST".to_string(), if done.is_ok() { text("OK") } else { Json::Null });
        Ok(())
    }

    fn value(&mut self, tokens: &[Token]) -> Outcome<Json> {
        let mut at = 0;
        let value = self.either(tokens, &mut at)?;
        if at < tokens.len() {
            return wrong(format!("unexpected: {:?}", tokens[at]));
        }
        Ok(value)
    }

    fn either(&mut self, t: &[Token], at: &mut usize) -> Outcome<Json> {
        let mut left = self.comparison(t, at)?;
        loop {
            match word(t.get(*at)).to_uppercase().as_str() {
                "AND" => {
                    *at += 1;
                    let right = self.comparison(t, at)?;
                    left = Json::Bool(truthy(&left) && truthy(&right));
                }
                "OR" => {
                    *at += 1;
                    let right = self.comparison(t, at)?;
                    left = Json::Bool(truthy(&left) || truthy(&right));
                }
                _ => return Ok(left),
            }
        }
    }

    fn comparison(&mut self, t: &[Token], at: &mut usize) -> Outcome<Json> {
        if word(t.get(*at)).eq_ignore_ascii_case("not") {
            *at += 1;
            let value = self.comparison(t, at)?;
            return Ok(Json::Bool(!truthy(&value)));
        }
        let left = self.sum(t, at)?;
        let Some(Token::Sign(sign)) = t.get(*at) else { return Ok(left) };
        if !["==", "!=", "<", ">", "<=", ">="].contains(&sign.as_str()) {
            return Ok(left);
        }
        *at += 1;
        let right = self.sum(t, at)?;
        let number = |value: &Json| if let Json::Number(digits) = value { digits.parse::<f64>().ok() } else { None };
        let order = match (number(&left), number(&right)) {
            (Some(one), Some(two)) => one.partial_cmp(&two),
            _ => Some(shown(&left).cmp(&shown(&right))),
        };
        let equal = match (number(&left), number(&right)) {
            (Some(one), Some(two)) => one == two,
            _ => left == right,
        };
        use std::cmp::Ordering::*;
        Ok(Json::Bool(match sign.as_str() {
            "==" => equal,
            "!=" => !equal,
            "<" => order == Some(Less),
            ">" => order == Some(Greater),
            "<=" => order != Some(Greater),
            _ => order != Some(Less),
        }))
    }

    fn sum(&mut self, t: &[Token], at: &mut usize) -> Outcome<Json> {
        let mut left = self.primary(t, at)?;
        while t.get(*at) == Some(&Token::Sign("+".to_string())) {
            *at += 1;
            let right = self.primary(t, at)?;
            left = match (&left, &right) {
                (Json::Number(one), Json::Number(two)) => {
                    let sum = one.parse::<i128>().unwrap_or(0) + two.parse::<i128>().unwrap_or(0);
                    Json::Number(sum.to_string())
                }
                _ => Json::Text(format!("{}{}", shown(&left), shown(&right))),
            };
        }
        Ok(left)
    }

    fn primary(&mut self, t: &[Token], at: &mut usize) -> Outcome<Json> {
        let token = t.get(*at).cloned();
        *at += 1;
        let mut value = match token {
            Some(Token::Text(text)) => Json::Text(text),
            Some(Token::Number(digits)) => Json::Number(digits),
            Some(Token::Sign(sign)) if sign == "(" => {
                let value = self.either(t, at)?;
                *at += 1;
                value
            }
            Some(Token::Sign(sign)) if sign == "[" => {
                let mut items = vec![];
                while t.get(*at).is_some_and(|token| *token != Token::Sign("]".to_string())) {
                    items.push(self.either(t, at)?);
                    if t.get(*at) == Some(&Token::Sign(",".to_string())) {
                        *at += 1;
                    }
                }
                *at += 1;
                Json::List(items)
            }
            Some(Token::Sign(sign)) if sign == "{" => {
                let mut members = vec![];
                while t.get(*at).is_some_and(|token| *token != Token::Sign("}".to_string())) {
                    let key = self.primary(t, at)?;
                    *at += 1;
                    members.push((shown(&key), self.either(t, at)?));
                    if t.get(*at) == Some(&Token::Sign(",".to_string())) {
                        *at += 1;
                    }
                }
                *at += 1;
                Json::Object(members)
            }
            Some(Token::Word(name)) => match name.to_lowercase().as_str() {
                "nil" | "null" => Json::Null,
                "true" => Json::Bool(true),
                "false" => Json::Bool(false),
                "len" if t.get(*at) == Some(&Token::Sign("(".to_string())) => {
                    *at += 1;
                    let value = self.either(t, at)?;
                    *at += 1;
                    let length = match &value {
                        Json::List(items) => items.len(),
                        Json::Object(members) => members.len(),
                        Json::Text(text) => text.chars().count(),
                        _ => 0,
                    };
                    Json::Number(length.to_string())
                }
                _ => match self.values.get(&name) {
                    Some(value) => value.clone(),
                    None => return wrong(format!("unknown variable: {name}")),
                },
            },
            _ => return wrong("an expression is missing"),
        };
        while t.get(*at) == Some(&Token::Sign("[".to_string())) {
            *at += 1;
            let key = self.either(t, at)?;
            *at += 1;
            value = match (&value, &key) {
                (Json::Object(_), Json::Text(name)) => value.get(name).clone(),
                (Json::List(items), Json::Number(digits)) => {
                    digits.parse::<usize>().ok().and_then(|at| items.get(at).cloned()).unwrap_or(Json::Null)
                }
                _ => return wrong("there is nothing to index"),
            };
        }
        Ok(value)
    }
}

