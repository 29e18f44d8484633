//! `placemat check`: finds and explains every ill-formed sequence in files and directories, and runs the lints that are
//! asked for.

mod args;
mod file;
mod first_cr;
mod lint;
mod outlet;
mod picture;
mod queue;
mod readings;
mod report;
mod threads;
mod total;
mod units;

pub(crate) use args::Args;

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::progress;
use args::CheckFormat;
use lint::Wanted;
use outlet::Outlet;
use report::Report;

pub(crate) fn run(mut args: Args, common: &Common) -> Outcome {
    let Some(paths) = common.ok(args.names.all(&args.paths, args.files_with_findings)) else {
        return Outcome::Trouble;
    };
    args.paths = paths;
    let args = &args;
    progress::start(
        common.quiet,
        if args.paths.iter().any(|path| path.is_dir()) { &[] } else { &args.paths },
    );
    let checked = Data::stdout().map(|data| {
        let wanted = Wanted::new(&args.lints);
        let outlet = Outlet::new(data, common, args.format.is_list());
        if !common.quiet {
            outlet.open(Report::head(args.format));
        }
        let styles = common.data_styles();
        threads::check_all(args, wanted, common, styles, &outlet);
        outlet.say_skipped(wanted.any() || args.bom.is_some());
        outlet.close(|total| {
            if common.quiet {
                return String::new();
            }
            if args.summary && args.format == CheckFormat::Gitlab {
                // A JSON array has no place for the summary.
                common.line(Report::summary(&total.summary));
            }
            Report::new(args.format, styles).foot(args.summary, total)
        })
    });
    common.written(checked)
}
