use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use axum::routing::get;
use uuid::Uuid;

use crate::error::ApiError;
use crate::log::{self, Log};
use crate::page::Page;
use crate::query::Query;
use crate::store::{Caller, Store};

const LIST_PATH: &str = "/v1/organizations/api_keys";
const SUPPORTED_VERSION: &str = "2023-06-01";
const ADMIN_KEY: HeaderName = HeaderName::from_static("x-api-key");
const VERSION: HeaderName = HeaderName::from_static("vendor-version");
const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");
const ORGANIZATION_ID: HeaderName = HeaderName::from_static("vendor-organization-id");

#[derive(Clone)]
struct Api {
    file: Arc<Path>,
    log: Arc<Log>,
}

pub fn router(file: PathBuf, log: Arc<Log>) -> Router {
    let api = Api {
        file: file.into(),
        log,
    };
    Router::new()
        .route(LIST_PATH, get(list).fallback(method_not_allowed))
        .fallback(not_found)
        .with_state(api)
}

/// A read takes microseconds, so it is made on the thread of the request.
async fn list(State(api): State<Api>, request: Request) -> Response<Body> {
    api.answer(&request, Some(LIST_PATH), |answer| {
        api.with_store(|store| answer.list(store, &request))
    })
}

async fn method_not_allowed(State(api): State<Api>, request: Request) -> Response<Body> {
    let mut response = api.answer(&request, Some(LIST_PATH), |_| {
        Err(ApiError::method_not_allowed())
    });
    response
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

async fn not_found(State(api): State<Api>, request: Request) -> Response<Body> {
    let message = format!("path: not found; API keys are listed at {LIST_PATH}");
    api.answer(&request, None, |_| Err(ApiError::not_found(message)))
}

/// What the log tells of a request, filled in as its checks pass.
#[derive(Default)]
struct Answer {
    caller: Option<Caller>,
    rows: Option<usize>,
}

impl Api {
    /// Each thread has its own connection.
    fn with_store<T>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        thread_local! { static STORE: OnceCell<Store> = const { OnceCell::new() } }
        STORE.with(|cell| {
            if cell.get().is_none() {
                let _ = cell.set(Store::open(&self.file)?);
            }
            work(cell.get().expect("it was opened"))
        })
    }

    fn answer(
        &self,
        request: &Request,
        route: Option<&str>,
        work: impl FnOnce(&mut Answer) -> Result<Page, ApiError>,
    ) -> Response<Body> {
        let start = Instant::now();
        let request_id = format!("req_{}", Uuid::new_v4().simple());
        let mut answer = Answer::default();
        let (status, body) = match work(&mut answer) {
            Ok(page) => {
                answer.rows = Some(page.rows);
                (StatusCode::OK, page.body)
            }
            Err(error) => (error.status, error.body(&request_id)),
        };
        let organization_id = answer
            .caller
            .as_ref()
            .map(|caller| caller.organization_id.as_str());
        let mut response = Response::new(Body::from(body)); // hyper adds content-length and date
        *response.status_mut() = status;
        fill_headers(response.headers_mut(), &request_id, organization_id);
        self.log.write(log::Request {
            request_id: &request_id,
            organization_id,
            admin_key_id: answer
                .caller
                .as_ref()
                .map(|caller| caller.admin_key_id.as_str()),
            rows: answer.rows,
            method: request.method().as_str(),
            route,
            status: status.as_u16(),
            duration_ms: start.elapsed().as_micros() as f64 / 1000.0,
        });
        response
    }
}

impl Answer {
    /// The checks are in the order of the contract.
    fn list(&mut self, store: &Store, request: &Request) -> Result<Page, ApiError> {
        let headers = request.headers();
        let caller = self.caller.insert(authenticate(store, headers)?);
        require_version(headers)?;
        let query = Query::parse(request.uri().query().unwrap_or_default())?;
        store.page(caller, &query)
    }
}

fn authenticate(store: &Store, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let mut values = headers.get_all(ADMIN_KEY).iter();
    match (values.next(), values.next()) {
        (None, _) => Err(ApiError::unauthorized("x-api-key: header is required")),
        (Some(secret), None) => store.authenticate(secret.as_bytes()),
        (Some(_), Some(_)) => Err(ApiError::unauthorized("x-api-key: not a valid admin key")),
    }
}

fn require_version(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut values = headers.get_all(VERSION).iter();
    let problem = match (values.next(), values.next()) {
        (Some(version), None) if version == SUPPORTED_VERSION => return Ok(()),
        (None, _) => "header is required",
        _ => "not a supported version",
    };
    Err(ApiError::bad_request(format!(
        "{VERSION}: {problem}; supported: {SUPPORTED_VERSION}"
    )))
}

fn fill_headers(headers: &mut HeaderMap, request_id: &str, organization_id: Option<&str>) {
    let value = |text: &str| HeaderValue::from_str(text).expect("an ID is printable ASCII");
    headers.insert(REQUEST_ID, value(request_id));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(id) = organization_id {
        headers.insert(ORGANIZATION_ID, value(id));
    }
}
