//! `placemat mcp`: a server of the Model Context Protocol on standard input and output, so that agents read and change files
//! in their own encodings.

mod confined;
mod messages;
mod tools;

use crate::common::Common;
use crate::options::any_path;
use crate::outcome::Outcome;
use crate::streams;
use confined::Roots;
use messages::{MAX_MESSAGE_BYTES, answer};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use tools::Tools;

/// Let agents read and change files, by the Model Context Protocol
///
/// The server reads JSON-RPC messages from standard input, one a line, and answers on standard output. Its tools are
/// `read_text`, `edit_text`, `write_text`, `detect`, `check` and `repair`: they do what the commands do, and keep the encoding, the
/// signature and the line ends of each file, and all bytes outside of a change.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat mcp .                       serve the current directory
  placemat mcp --log edits.log src docs
  placemat repair -i --undo edits.log  take back the last change of each file

A path that leads out of the directories is refused, whether by .., by a symbolic link or by a change of the tree while \
the server runs. Devices, pipes and sockets are refused too, and files of more than 16 MiB.

Exit status:
  0  standard input ended
  2  a usage or I/O error")]
pub(crate) struct Args {
    /// The directories; relative paths start in the first one
    #[arg(value_name = "DIR", required = true, value_parser = any_path())]
    directories: Vec<PathBuf>,
    /// Record each change in a new file, for `placemat repair --undo`
    ///
    /// The file is created at the first change. If there is a file of that name, a number is added: edits.log.2.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Runs the server until standard input ends.
pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    crate::replace::survive_limits();
    let opened = Roots::open(&args.directories).and_then(|roots| {
        if args.log.as_deref().is_some_and(streams::is_stdin) {
            return Err("--log needs a file: standard output holds the answers".into());
        }
        Ok(Tools::new(roots, args.log.clone()))
    });
    let Some(mut tools) = common.ok(opened) else { return Outcome::Trouble };
    let streams = streams::stdin_file().and_then(|input| Ok((input, streams::stdout_file()?)));
    match streams.and_then(|(input, output)| serve(&mut tools, input, output)) {
        Ok(()) => Outcome::Clean,
        Err(e) => common.cannot_write(&crate::shown::Name::stdout(), &e),
    }
}

/// Answers each message.
fn serve(tools: &mut Tools, input: File, mut output: File) -> io::Result<()> {
    let mut lines = BufReader::new(input);
    let mut line = Vec::new();
    while read_message(&mut lines, &mut line)? {
        if let Some(answer) = answer(&line, tools) {
            // In one piece, and at once: the client waits.
            output.write_all(answer.as_bytes())?;
        }
    }
    Ok(())
}

/// Reads a line; returns whether there was one. Of a line that is too long, one byte more than allowed remains.
fn read_message(lines: &mut BufReader<File>, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = MAX_MESSAGE_BYTES as u64 + 1;
    if lines.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.len() as u64 == limit && !line.ends_with(b"\n") {
        loop {
            let piece = lines.fill_buf()?;
            let end = memchr::memchr(b'\n', piece);
            let len = end.map_or(piece.len(), |at| at + 1);
            lines.consume(len);
            if end.is_some() || len == 0 {
                break;
            }
        }
    }
    Ok(true)
}
