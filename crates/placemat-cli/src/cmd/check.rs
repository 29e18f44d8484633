//! `placemat check`: finds and explains every ill-formed sequence in files and directories, and runs the lints that are
//! asked for.

mod args;
mod baseline;
mod declared;
mod file;
mod findings;
mod kept;
mod limits;
mod lint;
mod names;
mod nature;
mod outlet;
mod picture;
mod queue;
mod readings;
mod report;
mod skipped;
mod suppress;
mod threads;
mod total;
mod units;

pub(crate) use args::Args;

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::progress;
use crate::replace::Output;
use crate::shown::{Name, grouped};
use crate::walk::Skipped;
use args::CheckFormat;
use baseline::Baseline;
use lint::Wanted;
use outlet::Outlet;
use report::Report;
use total::Total;

pub(crate) fn run(mut args: Args, common: &Common) -> Outcome {
    let Some(paths) = common.ok(args.names.all(&args.paths, args.files_with_findings)) else {
        return Outcome::Trouble;
    };
    args.paths = paths;
    if common.ok(args.choose_newline()).is_none() {
        return Outcome::Trouble;
    }
    let args = &mut args;
    if args.file_names {
        return names::run(args, &args.paths, common);
    }
    progress::start(
        common.quiet,
        if args.paths.iter().any(|path| path.is_dir()) { &[] } else { &args.paths },
    );
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose();
    let Some(baseline) = common.ok(baseline) else { return Outcome::Trouble };
    let Some(path) = args.write_baseline.take() else {
        let checked = Data::stdout().map(|data| check(args, data, common, baseline.as_ref()).0);
        return common.written(checked);
    };
    args.format = CheckFormat::Baseline;
    let written = Output::open(Some(&path)).and_then(|output| {
        let data = Data::to(output.file().try_clone()?);
        let (outcome, findings) = check(args, data, common, None);
        let name = Name::new(&path);
        output.put(&mut |what| common.warn(format_args!("{name}: {what}")))?;
        let s = if findings == 1 { "" } else { "s" };
        common.line(format_args!("{name}: {} finding{s} written", grouped(findings)));
        // Findings are what was asked for.
        Ok(if outcome == Outcome::Findings { Outcome::Clean } else { outcome })
    });
    written.unwrap_or_else(|e| common.cannot_write(&Name::new(&path), &e))
}

/// Checks all files. Returns the outcome and the number of findings.
fn check(args: &Args, data: Data, common: &Common, baseline: Option<&Baseline>) -> (Outcome, u64) {
    let wanted = Wanted::new(&args.lints);
    let entries = Skipped::new(args.verbose.verbose);
    let outlet = Outlet::new(data, common, args.format.is_list());
    if !common.quiet {
        outlet.open(Report::head(args.format));
    }
    let styles = common.data_styles();
    threads::check_all(args, wanted, common, styles, &outlet, baseline, &entries);
    let is_tree = args.paths.iter().any(|path| path.is_dir());
    let is_several = args.paths.len() > 1 || is_tree;
    let matters = wanted.any() || args.bom.is_some();
    let sums_up = |total: &Total| {
        let is_text = args.format == CheckFormat::Text && !args.files_with_findings;
        args.summary || is_text && is_several && total.summary.findings > 0 && total.summary.files > 1
    };
    // The last line of the text says it, too.
    let is_said = |total: &Total| args.format == CheckFormat::Text && sums_up(total);
    outlet.say_skipped(&entries, |total| {
        let is_asked = if args.files_with_findings {
            matters && total.summary.skipped.binary() > 0
        } else {
            matters || is_tree
        };
        is_asked && !is_said(total)
    });
    let mut findings = 0;
    let outcome = outlet.close(|total| {
        findings = total.summary.findings;
        if common.quiet {
            return String::new();
        }
        if args.summary && args.format == CheckFormat::Gitlab {
            // A JSON array has no place for the summary.
            common.line(Report::summary(&total.summary));
        }
        Report::new(args.format, styles).foot(sums_up(total), total)
    });
    (outcome, findings)
}
