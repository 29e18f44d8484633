//! The styles of messages, reports and help.

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::builder::Styles;

/// The styles of messages and reports; all plain if the stream takes no colors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    /// The style of errors.
    pub(crate) error: Style,
    /// The style of warnings.
    pub(crate) warning: Style,
    /// Places: file, line, column.
    pub(crate) place: Style,
    /// The style of names and headings.
    pub(crate) name: Style,
    /// The style of secondary text.
    pub(crate) dim: Style,
    /// Lines of a diff that were added.
    pub(crate) added: Style,
    /// Lines of a diff that were removed.
    pub(crate) removed: Style,
}

impl Palette {
    /// The styles of the output of clap: the help, and errors in arguments.
    pub(crate) const HELP: Styles = Styles::plain()
        .header(Self::COLORED.name)
        .usage(Self::COLORED.name)
        .literal(Self::COLORED.place)
        .placeholder(Self::COLORED.place)
        .error(Self::COLORED.error)
        .valid(Self::COLORED.place)
        .invalid(Self::COLORED.warning);

    /// Returns the styles for a stream, by `--color`, `NO_COLOR`, `CLICOLOR_FORCE` and whether it is a
    /// terminal.
    pub(crate) fn for_stream(choice: ColorChoice, stream: &impl RawStream) -> Self {
        if takes_colors(choice, stream) { Self::COLORED } else { Self::default() }
    }

    pub(crate) const COLORED: Self = Self {
        error: AnsiColor::Red.on_default().bold(),
        warning: AnsiColor::Yellow.on_default().bold(),
        place: AnsiColor::Cyan.on_default(),
        name: Style::new().bold(),
        dim: Style::new().dimmed(),
        added: AnsiColor::Green.on_default(),
        removed: AnsiColor::Red.on_default(),
    };
}

/// Returns `true` if a stream takes colors, by `--color`, `NO_COLOR`, `CLICOLOR_FORCE` and whether it is a
/// terminal.
pub(crate) fn takes_colors(choice: ColorChoice, stream: &impl RawStream) -> bool {
    match choice {
        // `anstream` treats a value of 0 as set, but it forces nothing.
        ColorChoice::Auto if std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value == "0") => {
            stream.is_terminal()
                && !anstyle_query::no_color()
                && anstyle_query::clicolor().unwrap_or_else(anstyle_query::term_supports_color)
        }
        ColorChoice::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
        ColorChoice::Never => false,
    }
}
