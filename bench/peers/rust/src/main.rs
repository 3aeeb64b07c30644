//! The list endpoint in Rust, to measure Keyroster against: axum (hyper, tokio) and rusqlite, over a store of Keyroster's,
//! whose records are JSON already. It makes the same checks in the same order, answers with the same bodies and headers and
//! writes the same log line. It has no rate limits, no overload protection, no cache of pages, one version of the API and no
//! suggestion for a misspelled parameter.
//!
//! Usage: keyroster-bench-peer FILE PORT

mod api;
mod error;
mod log;
mod page;
mod page_sql;
mod query;
mod store;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::runtime;

use crate::log::Log;

const FLUSH_INTERVAL: Duration = Duration::from_millis(100);

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, port] = arguments.as_slice() else {
        eprintln!("usage: keyroster-bench-peer FILE PORT");
        std::process::exit(2);
    };
    let port: u16 = port.parse().expect("PORT is a number");
    runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(serve(PathBuf::from(file), port))
}

async fn serve(file: PathBuf, port: u16) -> std::io::Result<()> {
    let log = Arc::new(Log::new());
    let listener = TcpListener::bind(("127.0.0.1", port))
        .await?
        .tap_io(|socket| {
            let _ = socket.set_nodelay(true);
        });
    let flushed = Arc::clone(&log);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(FLUSH_INTERVAL).await;
            flushed.flush();
        }
    });
    axum::serve(listener, api::router(file, log)).await
}
