//! JSON-RPC 2.0 and the methods of the Model Context Protocol: from a line to its answer.
//!
//! Two kinds of clients are served alike. Clients of the revisions up to 2025-11-25 begin with `initialize`. Clients of 2026-07-28
//! send the revision with each request, and may ask `server/discover`.

use super::tools::Tools;
use crate::json;
use serde_json::{Map, Value, json};

/// The longest message.
pub(super) const MAX_MESSAGE_BYTES: usize = 32 << 20;

/// The revision without `initialize`.
const STATELESS: &str = "2026-07-28";
/// The revisions with `initialize`, the newest first.
const WITH_INITIALIZE: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The fields of `_meta` that name the revision of a request, and this server.
const REVISION: &str = "io.modelcontextprotocol/protocolVersion";
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// The codes of errors.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const UNSUPPORTED_REVISION: i32 = -32022;

/// An error of the protocol.
struct Fault {
    code: i32,
    message: String,
    data: Option<Value>,
}

impl Fault {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

/// Returns the answer to a message, as a line. Notifications and answers of the client have none.
pub(super) fn answer(line: &[u8], tools: &mut Tools) -> Option<String> {
    if line.len() > MAX_MESSAGE_BYTES {
        let message = format!("the message has more than {MAX_MESSAGE_BYTES} bytes");
        return Some(failed(&Value::Null, Fault::new(INVALID_REQUEST, message)));
    }
    if line.trim_ascii().is_empty() {
        return None;
    }
    let message = match serde_json::from_slice(line) {
        Ok(Value::Object(message)) => message,
        Ok(_) => {
            let fault = Fault::new(
                INVALID_REQUEST,
                "a message is one object of JSON-RPC; send each on a line of its own",
            );
            return Some(failed(&Value::Null, fault));
        }
        Err(e) => return Some(failed(&Value::Null, Fault::new(PARSE_ERROR, format!("not JSON: {e}")))),
    };
    let id = match message.get("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
        // Without an id, it is a notification.
        None if message.contains_key("method") => return None,
        _ => Value::Null,
    };
    if message.contains_key("result") || message.contains_key("error") {
        return None;
    }
    let Some(method) = message.get("method").and_then(Value::as_str).filter(|_| !id.is_null()) else {
        let fault =
            Fault::new(INVALID_REQUEST, "a request has a `method`, and an `id` that is a string or a number");
        return Some(failed(&id, fault));
    };
    let empty = Map::new();
    let params = match message.get("params") {
        None => &empty,
        Some(Value::Object(params)) => params,
        Some(_) => return Some(failed(&id, Fault::new(INVALID_PARAMS, "`params` is an object"))),
    };
    Some(match request(method, params, tools) {
        Ok(result) => json::line(&json!({ "jsonrpc": "2.0", "id": id, "result": result })),
        Err(fault) => failed(&id, fault),
    })
}

fn failed(id: &Value, Fault { code, message, data }: Fault) -> String {
    let mut error = json!({ "code": code, "message": message });
    if let Some(data) = data {
        error["data"] = data;
    }
    json::line(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

/// Returns the result of a request.
fn request(method: &str, params: &Map<String, Value>, tools: &mut Tools) -> Result<Value, Fault> {
    let revision = params.get("_meta").and_then(|meta| meta.get(REVISION));
    let supported = || core::iter::once(STATELESS).chain(WITH_INITIALIZE).collect::<Vec<_>>();
    if let Some(revision) = revision
        && !revision.as_str().is_some_and(|revision| supported().contains(&revision))
    {
        let mut fault = Fault::new(UNSUPPORTED_REVISION, "unsupported protocol version");
        fault.data = Some(json!({ "supported": supported(), "requested": revision }));
        return Err(fault);
    }
    let is_stateless = revision.is_some_and(|revision| revision == STATELESS);
    let about = json!({ "name": "placemat", "title": "Placemat", "version": env!("CARGO_PKG_VERSION") });
    let instructions = || {
        format!(
            "Reads and changes text files in any encoding: windows-1251, Shift_JIS, UTF-16 and others. Use these tools for files \
             that are not UTF-8, or may not be: other tools destroy them. Text is UTF-8 here, with LF at the end of each line; \
             each file keeps its own encoding, signature and line ends. Directories: {}. Relative paths start in the first.",
            tools.roots.listed()
        )
    };
    let mut result = match method {
        "initialize" => {
            let wanted = params.get("protocolVersion").and_then(Value::as_str);
            let known = WITH_INITIALIZE.into_iter().find(|known| wanted == Some(known));
            json!({
                "protocolVersion": known.unwrap_or(WITH_INITIALIZE[0]),
                "capabilities": { "tools": {} },
                "serverInfo": about,
                "instructions": instructions(),
            })
        }
        "server/discover" => json!({
            "supportedVersions": supported(),
            "capabilities": { "tools": {} },
            "serverInfo": about,
            "instructions": instructions(),
            "ttlMs": 0,
            "cacheScope": "private",
        }),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": Tools::list(), "ttlMs": 0, "cacheScope": "private" }),
        "tools/call" => {
            let name = params.get("name").and_then(Value::as_str);
            let name = name.ok_or_else(|| Fault::new(INVALID_PARAMS, "`name` is the name of a tool"))?;
            let empty = Map::new();
            let arguments = match params.get("arguments") {
                None | Some(Value::Null) => &empty,
                Some(Value::Object(arguments)) => arguments,
                Some(_) => return Err(Fault::new(INVALID_PARAMS, "`arguments` is an object")),
            };
            let called = tools.call(name, arguments);
            let called = called.ok_or_else(|| {
                Fault::new(INVALID_PARAMS, format!("unknown tool: the tools are {}", Tools::NAMES.join(", ")))
            })?;
            let (texts, is_error) = match called {
                Ok(texts) => (texts, false),
                Err(message) => (vec![message], true),
            };
            let content: Vec<_> =
                texts.into_iter().map(|text| json!({ "type": "text", "text": text })).collect();
            json!({ "content": content, "isError": is_error })
        }
        _ => return Err(Fault::new(METHOD_NOT_FOUND, "there is no such method")),
    };
    if is_stateless {
        result["resultType"] = "complete".into();
        result["_meta"] = json!({ SERVER: about });
    }
    Ok(result)
}
