use std::io::{BufWriter, Stdout, Write, stdout};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// Writes a line for each request, those of many requests at once.
pub struct Log {
    output: Mutex<BufWriter<Stdout>>,
    pid: u32,
    hostname: String,
}

/// What a line tells of a request.
#[derive(Serialize)]
pub struct Request<'a> {
    pub request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin_key_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    pub method: &'a str,
    pub route: Option<&'a str>,
    pub status: u16,
    pub duration_ms: f64,
}

#[derive(Serialize)]
struct Line<'a> {
    level: u8,
    time: u128,
    pid: u32,
    hostname: &'a str,
    #[serde(flatten)]
    request: Request<'a>,
    msg: &'a str,
}

const INFO: u8 = 30;

impl Log {
    pub fn new() -> Self {
        Log {
            output: Mutex::new(BufWriter::with_capacity(64 * 1024, stdout())),
            pid: std::process::id(),
            hostname: gethostname::gethostname().to_string_lossy().into_owned(),
        }
    }

    pub fn write(&self, request: Request) {
        let time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        let (pid, hostname) = (self.pid, self.hostname.as_str());
        let line = Line {
            level: INFO,
            time,
            pid,
            hostname,
            request,
            msg: "request",
        };
        let mut output = self.output.lock().unwrap();
        // No request fails for a line that can't be written.
        let _ = serde_json::to_writer(&mut *output, &line);
        let _ = output.write_all(b"\n");
    }

    pub fn flush(&self) {
        let _ = self.output.lock().unwrap().flush();
    }
}
