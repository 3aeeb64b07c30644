use rusqlite::{Row, Rows};

use crate::error::ApiError;

/// About the size of a record, to reserve memory for a page.
const RECORD_BYTES: usize = 320;

pub struct Page {
    pub body: Vec<u8>,
    pub rows: usize,
}

pub fn in_order(mut rows: Rows, limit: usize) -> Result<Page, ApiError> {
    let mut body = Vec::with_capacity(limit * RECORD_BYTES + 128);
    let (mut first, mut last) = (String::new(), String::new());
    let mut count = 0;
    let mut has_more = false;
    body.extend_from_slice(b"{\"data\":[");
    while let Some(row) = rows.next()? {
        if count == limit {
            has_more = true;
            break;
        }
        let (id, record) = columns(row)?;
        if count == 0 {
            first.push_str(id);
        } else {
            body.push(b',');
        }
        body.extend_from_slice(record.as_bytes());
        last.clear();
        last.push_str(id);
        count += 1;
    }
    push_end(&mut body, &first, &last, has_more);
    Ok(Page { body, rows: count })
}

/// For a page before a cursor, which is read oldest first.
pub fn reversed(mut rows: Rows, limit: usize) -> Result<Page, ApiError> {
    let mut items: Vec<(String, String)> = Vec::with_capacity(limit + 1);
    while let Some(row) = rows.next()? {
        let (id, record) = columns(row)?;
        items.push((id.to_owned(), record.to_owned()));
    }
    let has_more = items.len() > limit;
    items.truncate(limit);
    items.reverse();
    let mut body = Vec::with_capacity(items.len() * RECORD_BYTES + 128);
    body.extend_from_slice(b"{\"data\":[");
    for (at, (_, record)) in items.iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        body.extend_from_slice(record.as_bytes());
    }
    let id_of =
        |item: Option<&(String, String)>| item.map(|(id, _)| id.clone()).unwrap_or_default();
    push_end(
        &mut body,
        &id_of(items.first()),
        &id_of(items.last()),
        has_more,
    );
    Ok(Page {
        body,
        rows: items.len(),
    })
}

fn columns<'a>(row: &'a Row) -> rusqlite::Result<(&'a str, &'a str)> {
    Ok((row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?))
}

fn push_end(body: &mut Vec<u8>, first: &str, last: &str, has_more: bool) {
    let quoted = |id: &str| {
        if id.is_empty() {
            "null".to_owned()
        } else {
            format!("\"{id}\"")
        }
    };
    let (first, last) = (quoted(first), quoted(last));
    let end = format!("],\"first_id\":{first},\"last_id\":{last},\"has_more\":{has_more}}}");
    body.extend_from_slice(end.as_bytes());
}
