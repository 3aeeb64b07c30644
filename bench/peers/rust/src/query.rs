use std::borrow::Cow;
use std::collections::HashSet;

use percent_encoding::percent_decode_str;

use crate::error::ApiError;

const DEFAULT_LIMIT: usize = 20;
const MAX_LIMIT: usize = 1000;
const MAX_ID_LENGTH: usize = 128;
const NAMES: [&str; 6] = [
    "limit",
    "after_id",
    "before_id",
    "workspace_id",
    "created_by_user_id",
    "status",
];

/// A request for a page.
pub struct Query<'a> {
    pub limit: usize,
    pub cursor: Option<Cursor<'a>>,
    /// As it is stored.
    pub status: Option<u8>,
    pub workspace: Option<Cow<'a, str>>,
    pub creator: Option<Cow<'a, str>>,
}

pub struct Cursor<'a> {
    pub id: Cow<'a, str>,
    pub direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    After,
    Before,
}

impl<'a> Query<'a> {
    /// Parses a query string, and tells of every parameter that breaks a rule.
    pub fn parse(text: &'a str) -> Result<Self, ApiError> {
        let mut query = Query {
            limit: DEFAULT_LIMIT,
            cursor: None,
            status: None,
            workspace: None,
            creator: None,
        };
        let mut problems = Vec::new();
        let mut seen = HashSet::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let Some(name) = decode(name) else {
                problems.push("a parameter name: malformed percent-encoding".to_owned());
                continue;
            };
            // Generated SDKs append it.
            if name == "beta" {
                continue;
            }
            let set = match decode(value) {
                _ if !seen.insert(name.clone()) => Err("given more than once"),
                Some(value) => query.set(&name, value),
                None => Err("malformed percent-encoding"),
            };
            if let Err(rule) = set {
                problems.push(format!("{name}: {rule}"));
            }
        }
        if seen.contains("after_id") && seen.contains("before_id") {
            problems.push("after_id, before_id: give one of them, not both".to_owned());
        }
        if problems.is_empty() {
            Ok(query)
        } else {
            Err(ApiError::bad_request(problems.join("; ")))
        }
    }

    fn set(&mut self, name: &str, value: Cow<'a, str>) -> Result<(), &'static str> {
        if !NAMES.contains(&name) {
            return Err("unknown parameter");
        }
        if value.is_empty() {
            return Err("must not be empty");
        }
        match name {
            "limit" => self.limit = limit(&value)?,
            "after_id" => {
                self.cursor = Some(Cursor {
                    id: id(value)?,
                    direction: Direction::After,
                })
            }
            "before_id" => {
                self.cursor = Some(Cursor {
                    id: id(value)?,
                    direction: Direction::Before,
                })
            }
            "workspace_id" => self.workspace = Some(id(value)?),
            "created_by_user_id" => self.creator = Some(id(value)?),
            _ => self.status = Some(stored_status(&value)?),
        }
        Ok(())
    }
}

fn limit(text: &str) -> Result<usize, &'static str> {
    // `parse` also takes a sign and leading zeros.
    let starts_well = matches!(text.as_bytes().first(), Some(b'1'..=b'9'));
    match text.parse() {
        Ok(limit) if starts_well && limit <= MAX_LIMIT => Ok(limit),
        _ => Err("must be a whole number from 1 to 1000"),
    }
}

fn stored_status(text: &str) -> Result<u8, &'static str> {
    match text {
        "active" => Ok(0),
        "inactive" => Ok(1),
        "archived" => Ok(2),
        _ => Err("must be one of active, inactive, archived"),
    }
}

fn id(text: Cow<str>) -> Result<Cow<str>, &'static str> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if text.len() > MAX_ID_LENGTH || !text.bytes().all(is_allowed) {
        return Err("must be 1 to 128 of A-Z a-z 0-9 _ -");
    }
    Ok(text)
}

/// `None` when the percent-encoding is malformed.
fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['%', '+']) {
        return Some(Cow::Borrowed(text));
    }
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    let malformed =
        |at: usize| bytes[at] == b'%' && !(is_hex(bytes.get(at + 1)) && is_hex(bytes.get(at + 2)));
    if (0..bytes.len()).any(malformed) {
        return None;
    }
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().ok()?;
    Some(Cow::Owned(decoded.into_owned()))
}
