use axum::http::StatusCode;
use serde::Serialize;

/// What the caller is told.
#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    kind: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Body<'a> {
    r#type: &'a str,
    error: Described<'a>,
    request_id: &'a str,
}

#[derive(Serialize)]
struct Described<'a> {
    r#type: &'a str,
    message: &'a str,
}

impl ApiError {
    pub fn bad_request(message: impl Into<String>) -> Self {
        ApiError {
            status: StatusCode::BAD_REQUEST,
            kind: "invalid_request_error",
            message: message.into(),
        }
    }

    pub fn method_not_allowed() -> Self {
        ApiError {
            status: StatusCode::METHOD_NOT_ALLOWED,
            ..Self::bad_request("method: must be GET or HEAD")
        }
    }

    pub fn unauthorized(message: &str) -> Self {
        ApiError {
            status: StatusCode::UNAUTHORIZED,
            kind: "authentication_error",
            message: message.into(),
        }
    }

    pub fn not_found(message: String) -> Self {
        ApiError {
            status: StatusCode::NOT_FOUND,
            kind: "not_found_error",
            message,
        }
    }

    pub fn body(&self, request_id: &str) -> Vec<u8> {
        let error = Described {
            r#type: self.kind,
            message: &self.message,
        };
        serde_json::to_vec(&Body {
            r#type: "error",
            error,
            request_id,
        })
        .unwrap_or_default()
    }
}

/// The caller is told nothing of what is inside.
impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> Self {
        eprintln!("request failed: {error}");
        ApiError {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            kind: "api_error",
            message: "an internal error; the request_id finds it in the log".into(),
        }
    }
}
