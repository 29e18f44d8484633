//! Reads lines from a connection in a legacy encoding and answers in it, without blocking: an old
//! client speaks EUC-JP, the program works with `str`.
//!
//! `cargo run -p placemat --features examples --example tokio_lines` serves a client of its own and
//! prints
//!
//! ```text
//! 3 lines, 2 errors
//! < 2 characters: 日本
//! < 4 characters: 5 円?
//! < 3 characters: ? !
//! ```
//!
//! In place of `duplex`, use a `tokio::net::TcpStream`.

use core::error::Error;
use placemat::stream::Transcoder;
use placemat::stream::aio::{Reader, Writer};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use std::io;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// The encoding of the connection, in both directions.
const LEGACY: Encoding = Encoding::EUC_JP;

/// Answers each line that arrives, until the client ends. Returns the number of lines and of errors
/// in them.
async fn serve(from: impl AsyncRead + Unpin, to: impl AsyncWrite + Unpin) -> io::Result<(u64, u64)> {
    // Damaged bytes are no reason to hang up, and neither is a character that EUC-JP lacks.
    let decoder = Transcoder::new(LEGACY, Encoding::UTF_8).on_error(ErrorPolicy::Replace);
    let encoder = Transcoder::new(Encoding::UTF_8, LEGACY).on_unmappable(UnmappablePolicy::Replace);
    let (mut reader, mut writer) = (Reader::new(from, decoder), Writer::new(to, encoder));
    let (mut line, mut lines) = (String::new(), 0);
    while reader.read_line(&mut line).await? > 0 {
        let text = line.trim_end();
        let answer = format!("{} characters: {text}\n", text.chars().count());
        writer.write_all(answer.as_bytes()).await?;
        // The client waits for this line, not for a full buffer.
        writer.flush().await?;
        line.clear();
        lines += 1;
    }
    // This ends the text, which matters for encodings with shifts, and then the connection.
    writer.shutdown().await?;
    Ok((lines, reader.tally().replaced.count))
}

/// Sends a text in pieces that split characters, and returns what the server answers.
async fn client(stream: tokio::io::DuplexStream) -> io::Result<Vec<u8>> {
    let (mut from, mut to) = tokio::io::split(stream);
    // "日本", "5 円" with half a character, and a character that EUC-JP lacks.
    for piece in [&b"\xC6"[..], b"\xFC\xCB", b"\xDC\n5 \xB1", b"\xDF\xB1\n", b"\xFF !\n"] {
        to.write_all(piece).await?;
        to.flush().await?;
        tokio::task::yield_now().await;
    }
    to.shutdown().await?;
    let mut answers = Vec::new();
    from.read_to_end(&mut answers).await?;
    Ok(answers)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (ours, theirs) = tokio::io::duplex(64);
    let (from, to) = tokio::io::split(ours);
    let ((lines, errors), answers) = tokio::try_join!(serve(from, to), client(theirs))?;
    println!("{lines} lines, {errors} errors");
    let text = LEGACY.decode(&answers, ErrorPolicy::Stop)?;
    for line in text.lines() {
        println!("< {line}");
    }
    assert_eq!((lines, errors), (3, 2));
    assert_eq!(text, "2 characters: 日本\n4 characters: 5 円?\n3 characters: ? !\n");
    Ok(())
}

#[test]
fn serves_its_own_client() -> Result<(), Box<dyn Error>> {
    main()
}
