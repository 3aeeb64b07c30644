use std::cell::OnceCell;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::config::DbConfig;
use rusqlite::types::ToSql;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use crate::error::ApiError;
use crate::page::{self, Page};
use crate::page_sql::{self, Shape};
use crate::query::{Direction, Query};

/// As Keyroster's.
const CACHE_KIB: i64 = 8192;

const ADMIN_KEY: &str = "SELECT organizations.number, organizations.id, admin_keys.id
    FROM admin_keys JOIN organizations ON organizations.number = admin_keys.organization
    WHERE digest = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)
        AND disabled_at IS NULL AND networks IS NULL AND workspace_id IS NULL";
const CURSOR_TIME: &str = "SELECT created_at FROM api_keys WHERE organization = ?1 AND id = ?2";

/// A connection to a store of Keyroster's. Each thread has its own.
pub struct Store {
    database: Connection,
    /// By the index of the shape.
    page_sql: [OnceCell<String>; Shape::COUNT],
}

pub struct Caller {
    organization: i64,
    pub organization_id: String,
    pub admin_key_id: String,
}

impl Store {
    pub fn open(file: &Path) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = Connection::open_with_flags(file, flags)?;
        database.pragma_update(None, "cache_size", -CACHE_KIB)?;
        // Otherwise SQLite prepares a statement again for each value that might change its plan.
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        database.set_prepared_statement_cache_capacity(Shape::COUNT + 2);
        Ok(Store {
            database,
            page_sql: [const { OnceCell::new() }; Shape::COUNT],
        })
    }

    /// Finds whom an admin key belongs to.
    pub fn authenticate(&self, secret: &[u8]) -> Result<Caller, ApiError> {
        let not_valid = || ApiError::unauthorized("x-api-key: not a valid admin key");
        if !has_checksum(secret) {
            return Err(not_valid());
        }
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_micros() as i64;
        let digest = Sha256::digest(secret);
        let caller = |row: &Row| {
            Ok(Caller {
                organization: row.get(0)?,
                organization_id: row.get(1)?,
                admin_key_id: row.get(2)?,
            })
        };
        let mut statement = self.database.prepare_cached(ADMIN_KEY)?;
        statement
            .query_row(params![&digest[..], now], caller)
            .optional()?
            .ok_or_else(not_valid)
    }

    /// Reads a page and renders its JSON. One row more than the limit tells whether there are more.
    pub fn page(&self, caller: &Caller, query: &Query) -> Result<Page, ApiError> {
        let created_at = self.cursor_time(caller, query)?;
        let shape = Shape::of(query);
        let sql = self.page_sql[shape.index()].get_or_init(|| shape.sql());
        let mut statement = self.database.prepare_cached(sql)?;
        let values: [(&str, &dyn ToSql); 7] = [
            (page_sql::ORGANIZATION, &caller.organization),
            (page_sql::ROWS, &(query.limit as i64 + 1)),
            (page_sql::CREATED_AT, &created_at),
            (
                page_sql::ID,
                &query.cursor.as_ref().map(|cursor| &*cursor.id),
            ),
            (page_sql::STATUS, &query.status),
            (page_sql::WORKSPACE, &query.workspace.as_deref()),
            (page_sql::CREATOR, &query.creator.as_deref()),
        ];
        for (name, value) in values {
            if let Some(index) = statement.parameter_index(name)? {
                statement.raw_bind_parameter(index, value)?;
            }
        }
        match &query.cursor {
            Some(cursor) if cursor.direction == Direction::Before => {
                page::reversed(statement.raw_query(), query.limit)
            }
            _ => page::in_order(statement.raw_query(), query.limit),
        }
    }

    /// It never changes, so it may be read before the page.
    fn cursor_time(&self, caller: &Caller, query: &Query) -> Result<Option<i64>, ApiError> {
        let Some(cursor) = &query.cursor else {
            return Ok(None);
        };
        let mut statement = self.database.prepare_cached(CURSOR_TIME)?;
        let time = statement
            .query_row(params![caller.organization, cursor.id], |row| row.get(0))
            .optional()?;
        let name = if cursor.direction == Direction::Before {
            "before_id"
        } else {
            "after_id"
        };
        time.map(Some).ok_or_else(|| {
            ApiError::bad_request(format!("{name}: not an API key of this organization"))
        })
    }
}

/// Tells a mistyped key without a lookup: its last characters are the CRC-32 of the others in base 62.
fn has_checksum(secret: &[u8]) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const KIND: &[u8] = b"-admin01-";
    const BODY_LENGTH: usize = 49;
    const CHECKSUM_LENGTH: usize = 6;
    if secret.len() > 128 || secret.len() <= KIND.len() + BODY_LENGTH {
        return false;
    }
    let (start, body) = secret.split_at(secret.len() - BODY_LENGTH);
    let is_vendor = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    if !start.ends_with(KIND)
        || !start.iter().all(is_vendor)
        || !body.iter().all(u8::is_ascii_alphanumeric)
    {
        return false;
    }
    let (signed, checksum) = secret.split_at(secret.len() - CHECKSUM_LENGTH);
    let mut rest = crc32fast::hash(signed);
    checksum.iter().rev().all(|character| {
        let digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
        *character == digit
    })
}
