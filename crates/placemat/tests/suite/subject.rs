//! The library as the tests use it: every form, encoding and policy with its counterpart in the
//! oracle, and one function that drives any transcoder through any pieces with any output size.

use crate::data::hex;
use crate::oracle::{self, Conversion, Converted, Counts, Form, Order, Policy, Span, Trouble, Unmappable};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use placemat::forms::Repertoire;
pub(crate) use placemat::forms::{
    Ascii, Bocu1, ByBom, I8, Imap, Latin1, Scsu, Ucs2, Ucs2ByBom, Ucs4, Ucs4ByBom, Utf7, Utf7Strict, Utf8,
    Utf8Bom, Utf16, Utf16ByBom, Utf32, Utf32ByBom, UtfEbcdic,
};
pub(crate) use placemat::forms::{
    Cesu8, Cesu8Mixed, FssUtf1992, JavaUtf, ModifiedUtf8, PerlUtf8, TclUtf8, Utf1, Utf8Bits31, Utf8Mb3, Wtf8,
};
use placemat::policy::Spanning;
use placemat::stream::{FormTranscoder, Progress, Status, Tally, Transcoder};
pub(crate) use placemat::{Be, Le, Native};
use placemat::{
    CodeUnit, Encoding, EncodingForm, ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement,
    UnmappablePolicy,
};
use std::sync::LazyLock;

/// A code unit that the tests can construct.
pub(crate) trait Unit: CodeUnit + Send + Sync {
    /// Bytes in a unit.
    const WIDTH: usize = Self::BYTES;

    /// Reads code units from bytes, most significant byte first.
    fn from_bytes(bytes: &[u8]) -> Vec<Self>;
    /// Writes code units as bytes, most significant byte first.
    fn to_bytes(units: &[Self]) -> Vec<u8>;
}

macro_rules! unit {
    ($($unit:ty),*) => {$(
        impl Unit for $unit {
            fn from_bytes(bytes: &[u8]) -> Vec<Self> {
                let (units, rest) = bytes.as_chunks();
                assert!(rest.is_empty(), "a unit was cut");
                units.iter().map(|bytes| Self::from_be_bytes(*bytes)).collect()
            }
            fn to_bytes(units: &[Self]) -> Vec<u8> {
                units.iter().flat_map(|unit| unit.to_be_bytes()).collect()
            }
        }
    )*};
}
unit!(u8, u16, u32);

/// A form of the library, with the oracle's form for it. Units that are not bytes are compared as the bytes of their
/// big-endian scheme.
pub(crate) trait Tested: EncodingForm<Unit: Unit> {
    const FORM: Form;

    /// Returns the name for messages.
    fn name() -> String {
        format!("{} in {} bits", Self::NAMES.name, 8 * Self::Unit::BYTES)
    }
}

/// An action to run on each form.
pub(crate) trait EachForm {
    fn call<F: Tested>(&self);
}

/// An action to run on each form whose code units are bytes.
pub(crate) trait EachByteForm {
    fn call<F: Tested<Unit = u8>>(&self);
}

/// Implements [`Tested`] for forms, and makes the lists of them.
macro_rules! tested {
    (encodings { $($constant:ident: $form:ty = $oracle:expr;)* }
     others of bytes { $($bytes:ty = $bytes_oracle:expr;)* }
     others { $($other:ty = $other_oracle:expr;)* }) => {
        $(impl Tested for $form { const FORM: Form = $oracle; })*
        $(impl Tested for $bytes { const FORM: Form = $bytes_oracle; })*
        $(impl Tested for $other { const FORM: Form = $other_oracle; })*

        /// Calls `each` with every form.
        pub(crate) fn with_each_form(each: &impl EachForm) {
            struct Bytes<'a, E>(&'a E);
            impl<E: EachForm> EachByteForm for Bytes<'_, E> {
                fn call<F: Tested<Unit = u8>>(&self) {
                    self.0.call::<F>();
                }
            }
            with_each_byte_form(&Bytes(each));
            $(each.call::<$other>();)*
        }

        /// Calls `each` with every form whose code units are bytes.
        pub(crate) fn with_each_byte_form(each: &impl EachByteForm) {
            $(each.call::<$form>();)*
            $(each.call::<$bytes>();)*
        }

        /// Returns the oracle's form for an encoding; the test of each encoding fails for one that has none.
        pub(crate) fn form(encoding: Encoding) -> Form {
            let known = [$((Encoding::$constant, <$form as Tested>::FORM)),*];
            match known.into_iter().find(|(known, _)| *known == encoding) {
                Some((_, form)) => form,
                None if is_single_byte(encoding) => {
                    Form::named(encoding.name()).expect("the source has the table")
                }
                None => panic!("the oracle does not know {encoding}"),
            }
        }
    };
}
tested! {
    encodings {
        UTF_8: Utf8 = Form::Utf8;
        UTF_8_BOM: Utf8Bom = Form::Utf8Bom;
        UTF_16: Utf16ByBom = Form::Utf16Bom(Order::Little);
        UTF_16LE: Utf16<Le> = Form::Utf16(Order::Little);
        UTF_16BE: Utf16<Be> = Form::Utf16(Order::Big);
        UTF_32: Utf32ByBom = Form::Utf32Bom(Order::Little);
        UTF_32LE: Utf32<Le> = Form::Utf32(Order::Little);
        UTF_32BE: Utf32<Be> = Form::Utf32(Order::Big);
        UCS_2: Ucs2ByBom = Form::Ucs2Bom(Order::Little);
        UCS_2LE: Ucs2<Le> = Form::Ucs2(Order::Little);
        UCS_2BE: Ucs2<Be> = Form::Ucs2(Order::Big);
        UCS_4: Ucs4ByBom = Form::Ucs4Bom(Order::Big);
        UCS_4LE: Ucs4<Le> = Form::Ucs4(Order::Little);
        UCS_4BE: Ucs4<Be> = Form::Ucs4(Order::Big);
        UTF_8_BMP_ONLY: Utf8Mb3 = Form::Utf8Mb3;
        CESU_8: Cesu8 = Form::Cesu8;
        MODIFIED_UTF_8: ModifiedUtf8 = Form::Mutf8;
        JAVA_UTF: JavaUtf = Form::JavaUtf;
        TCL_UTF_8: TclUtf8 = Form::TclUtf8;
        WTF_8: Wtf8 = Form::Wtf8;
        UTF_8_31_BIT: Utf8Bits31 = Form::Utf8Bits31;
        UTF_8_PERL: PerlUtf8 = Form::PerlUtf8;
        FSS_UTF_1992: FssUtf1992 = Form::Fss1992;
        UTF_1: Utf1 = Form::Utf1;
        UTF_7: Utf7 = Form::Utf7;
        UTF_7_D: Utf7Strict = Form::Utf7Strict;
        UTF_7_IMAP: Imap = Form::Imap;
        UTF_EBCDIC: UtfEbcdic = Form::UtfEbcdic;
        I8: I8 = Form::I8;
        SCSU: Scsu = Form::Scsu;
        BOCU_1: Bocu1 = Form::Bocu1;
        US_ASCII: Ascii = Form::Ascii;
        ISO_8859_1: Latin1 = Form::Latin1;
    }
    others of bytes {
        ByBom<Utf16<Be>, Utf16<Le>> = Form::Utf16Bom(Order::Big);
        ByBom<Utf32<Be>, Utf32<Le>> = Form::Utf32Bom(Order::Big);
        Cesu8Mixed = Form::Cesu8Mixed;
    }
    others {
        Utf16<Native> = Form::Utf16(Order::Big);
        Utf32<Native> = Form::Utf32(Order::Big);
        Ucs2<Native> = Form::Ucs2(Order::Big);
        Ucs4<Native> = Form::Ucs4(Order::Big);
    }
}

/// Calls a function that is generic over a form, for every form.
macro_rules! each_form {
    ($call:ident) => {{
        struct Each;
        impl crate::subject::EachForm for Each {
            fn call<F: Tested>(&self) {
                $call::<F>();
            }
        }
        crate::subject::with_each_form(&Each);
    }};
}
pub(crate) use each_form;

/// Returns encodings for tests of all pairs: those with their own form, and a few members of the
/// families that differ only in their tables.
pub(crate) fn encodings() -> Vec<Encoding> {
    let of_tables = [
        // ASCII, with undefined bytes; EBCDIC; ASCII characters a second time from 80 up.
        Encoding::ISO_8859_3,
        Encoding::IBM424,
        Encoding::X_MAC_ARABIC,
    ];
    let own = Encoding::ALL.iter().copied().filter(|&encoding| !is_table(encoding));
    own.chain(of_tables).collect()
}

/// Returns all encodings of the oracle: those written by rules, and the single-byte tables.
pub(crate) fn in_oracle() -> Vec<Encoding> {
    let has = |encoding: &Encoding| is_single_byte(*encoding) || !is_table(*encoding);
    Encoding::ALL.iter().copied().filter(has).collect()
}

/// Returns `true` if an encoding consists of tables; its oracle is other programs that also have
/// it.
fn is_table(encoding: Encoding) -> bool {
    is_single_byte(encoding) || encoding > Encoding::ISO_8859_1
}

/// Returns `true` for a member of the family of single-byte charsets, whose tables have 16 bits.
pub(crate) fn is_single_byte(encoding: Encoding) -> bool {
    encoding.repertoire() == Repertoire::Table && encoding.max_bytes() == 1 && encoding < Encoding::GBK
}

pub(crate) fn single_bytes() -> Vec<Encoding> {
    Encoding::ALL.iter().copied().filter(|&encoding| is_single_byte(encoding)).collect()
}

/// Returns the multi-byte encodings that the web does not read, which are adjacent in the list.
pub(crate) fn multi_bytes() -> Vec<Encoding> {
    let members = Encoding::ISO_2022_KR..=Encoding::BIG5_ETEN;
    Encoding::ALL.iter().copied().filter(|encoding| members.contains(encoding)).collect()
}

/// A policy for ill-formed input, as every test passes it.
pub(crate) type OnIllFormed = Spanning<ErrorPolicy<'static>>;

/// Returns the library's policy for ill-formed input that matches the oracle's.
pub(crate) fn error_policy(policy: Policy, span: Span) -> OnIllFormed {
    let policy = match policy {
        Policy::Stop => ErrorPolicy::Stop,
        Policy::FFFD => ErrorPolicy::Replace,
        Policy::SKIP => ErrorPolicy::Skip,
        Policy::Text(text) => ErrorPolicy::ReplaceWith(Replacement::new(text).expect("a short text")),
        Policy::Latin1 => ErrorPolicy::Latin1,
        Policy::Cp1252 => ErrorPolicy::Windows1252,
        Policy::BackslashReplace => ErrorPolicy::HexEscape,
        Policy::SurrogateEscape => ErrorPolicy::SurrogateEscape,
        Policy::Optu => ErrorPolicy::Optu,
        Policy::Optu16 => ErrorPolicy::Optu16,
        Policy::SurrogatePass => ErrorPolicy::SurrogatePass,
    };
    policy.spanning(match span {
        Span::Maximal => placemat::Span::Maximal,
        Span::Byte => placemat::Span::Unit,
        Span::Lead => placemat::Span::Lead,
        Span::Structural => placemat::Span::Structural,
    })
}

/// Returns the library's policy for unmappable text that matches the oracle's.
pub(crate) fn unmappable_policy(policy: Unmappable) -> UnmappablePolicy<'static> {
    match policy {
        Unmappable::Strict => UnmappablePolicy::Stop,
        Unmappable::Replace => UnmappablePolicy::Replace,
        Unmappable::Text(text) => {
            UnmappablePolicy::ReplaceWith(Replacement::new(text).expect("a short text"))
        }
        Unmappable::Ignore => UnmappablePolicy::Skip,
        Unmappable::XmlCharRefReplace => UnmappablePolicy::XmlReference,
        Unmappable::BackslashReplace => UnmappablePolicy::HexEscape,
        Unmappable::SurrogateEscape => UnmappablePolicy::SurrogateEscape,
        Unmappable::SurrogateEscapeUnchecked => UnmappablePolicy::SurrogateEscapeUnchecked,
        Unmappable::SurrogatePass => UnmappablePolicy::SurrogatePass,
        Unmappable::Optu => UnmappablePolicy::Optu,
        Unmappable::OptuUnchecked => UnmappablePolicy::OptuUnchecked,
        Unmappable::Optu16 => UnmappablePolicy::Optu16,
    }
}

/// Returns every sensible pair of policies for this pair of forms: OPTU-16 concerns UTF-8 only.
pub(crate) fn policies(from: Form, to: Form) -> Vec<(Policy, Span, Unmappable)> {
    let spans: &[Span] = if from.plain() == Form::Utf8 { &Span::ALL } else { &[Span::Maximal, Span::Byte] };
    let mut all = Vec::new();
    for policy in Policy::ALL.into_iter().filter(|&p| p != Policy::Optu16 || from == Form::Utf8) {
        // For the relatives of UTF-8, the other span rules need only one policy that stops and one
        // that does not.
        let telling = from.is_like_utf8() && matches!(policy, Policy::Stop | Policy::FFFD);
        let spans = if telling { &Span::ALL } else { spans };
        for &span in spans.iter().filter(|&&span| span == Span::Maximal || policy.span(span) == span) {
            for unmappable in Unmappable::ALL {
                if unmappable != Unmappable::Optu16 || to == Form::Utf8 {
                    all.push((policy, span, unmappable));
                }
            }
        }
    }
    all
}

/// Returns the statically chosen transcoder.
pub(crate) fn static_machine<F: Tested, T: Tested>(
    policy: Policy,
    span: Span,
    unmappable: Unmappable,
) -> FormTranscoder<F, T, OnIllFormed, UnmappablePolicy<'static>> {
    FormTranscoder::new().on_error(error_policy(policy, span)).on_unmappable(unmappable_policy(unmappable))
}

/// Returns the transcoder chosen at run time.
pub(crate) fn any_machine(
    from: Encoding,
    to: Encoding,
    (policy, span, unmappable): (Policy, Span, Unmappable),
) -> Transcoder<OnIllFormed, UnmappablePolicy<'static>> {
    Transcoder::new(from, to)
        .on_error(error_policy(policy, span))
        .on_unmappable(unmappable_policy(unmappable))
}

/// Returns the transcoder that only validates.
pub(crate) fn checker(from: Encoding, policy: Policy, span: Span) -> Transcoder<OnIllFormed> {
    Transcoder::checker(from).on_error(error_policy(policy, span))
}

/// Returns the oracle's result of a conversion from `F` to `T`.
pub(crate) fn expected<F: Tested, T: Tested>(
    src: &[F::Unit],
    (policy, span, unmappable): (Policy, Span, Unmappable),
) -> Converted {
    Conversion { from: F::FORM, span, policy, to: T::FORM, unmappable }.run(&F::Unit::to_bytes(src))
}

/// A converter that works piece by piece.
///
/// The helpers below take it as a trait object, so that they are compiled once for each pair of units rather than for
/// each of the hundreds of pairs of forms.
pub(crate) trait Machine {
    type Src: Unit;
    type Dst: Unit;
    fn convert(&mut self, src: &[Self::Src], dst: &mut [Self::Dst], last: bool) -> Progress;
    fn min_output(&self) -> usize;
    fn tally(&self) -> Tally;
    /// Returns a copy of the machine.
    fn boxed(&self) -> AnyMachine<'_, Self::Src, Self::Dst>;
}

/// A machine between these units, for any forms.
pub(crate) type AnyMachine<'a, S, D> = Box<dyn Machine<Src = S, Dst = D> + 'a>;

impl<F: Tested, T: Tested, D: OnError + Clone, U: OnUnmappable + Clone> Machine
    for FormTranscoder<F, T, D, U>
{
    type Src = F::Unit;
    type Dst = T::Unit;
    fn convert(&mut self, src: &[F::Unit], dst: &mut [T::Unit], last: bool) -> Progress {
        self.convert(src, dst, last)
    }
    fn min_output(&self) -> usize {
        self.min_output()
    }
    fn tally(&self) -> Tally {
        self.tally()
    }
    fn boxed(&self) -> AnyMachine<'_, F::Unit, T::Unit> {
        Box::new(self.clone())
    }
}

impl<D: OnError + Clone, U: OnUnmappable + Clone> Machine for Transcoder<D, U> {
    type Src = u8;
    type Dst = u8;
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.convert(src, dst, last)
    }
    fn min_output(&self) -> usize {
        self.min_output()
    }
    fn tally(&self) -> Tally {
        self.tally()
    }
    fn boxed(&self) -> AnyMachine<'_, u8, u8> {
        Box::new(self.clone())
    }
}

/// Two forms, for checks that are compiled once for each pair of units.
pub(crate) struct Pair<S, D> {
    pub(crate) from: Form,
    pub(crate) to: Form,
    /// The name for messages.
    pub(crate) name: String,
    /// The longest sequence of the target.
    pub(crate) max_units: usize,
    /// The transcoder between them; the last argument is whether it counts.
    pub(crate) machine: fn(Policy, Span, Unmappable, bool) -> AnyMachine<'static, S, D>,
}

impl<S: Unit, D: Unit> Pair<S, D> {
    pub(crate) fn of<F: Tested<Unit = S>, T: Tested<Unit = D>>() -> Self {
        Self {
            from: F::FORM,
            to: T::FORM,
            name: format!("{} to {}", F::name(), T::name()),
            max_units: T::FACTS.max_units,
            machine: |policy, span, unmappable, counts| {
                let machine = static_machine::<F, T>(policy, span, unmappable);
                Box::new(if counts { machine.counting() } else { machine })
            },
        }
    }

    /// Returns the oracle's result of the conversion.
    pub(crate) fn expected(
        &self,
        src: &[S],
        (policy, span, unmappable): (Policy, Span, Unmappable),
    ) -> Converted {
        Conversion { from: self.from, span, policy, to: self.to, unmappable }.run(&S::to_bytes(src))
    }
}

/// The division of a text into pieces, and the size of output buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The ends of the pieces, in units, without the end of the text.
    pub(crate) cuts: Vec<usize>,
    /// Output units available in each call; ample if `None`. If it is less than `min_output` and a
    /// call makes no progress, it grows by a unit until one does.
    pub(crate) room: Option<usize>,
    /// Whether an empty piece precedes each.
    pub(crate) empty_pieces: bool,
}

impl Plan {
    pub(crate) fn whole() -> Self {
        Self::default()
    }
    pub(crate) fn cut(cuts: &[usize]) -> Self {
        Self { cuts: cuts.to_vec(), ..Self::default() }
    }
    pub(crate) fn room(room: usize) -> Self {
        Self { room: Some(room), ..Self::default() }
    }
}

/// The result of a transcoder. Each stop has the number of units written before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Trace<U> {
    pub(crate) out: Vec<U>,
    pub(crate) troubles: Vec<(Status, usize)>,
    pub(crate) tally: Tally,
}

/// Converts all of `src` by the plan, continues after each stop, and checks every call against its
/// contract.
pub(crate) fn drive<S: Unit, D: Unit>(
    machine: &mut dyn Machine<Src = S, Dst = D>,
    src: &[S],
    plan: &Plan,
) -> Trace<D> {
    let least = machine.min_output();
    let room = plan.room.unwrap_or(least + src.len() * 4);
    let mut buffer = vec![D::default(); room.max(least) + 16];
    let mut out = Vec::new();
    let mut troubles = Vec::new();
    let mut feed = |piece: &[S], last: bool| {
        let mut read = 0;
        let mut size = room;
        loop {
            let p = machine.convert(&piece[read..], &mut buffer[..size], last);
            assert!(p.read <= piece.len() - read && p.written <= size, "{p:?}");
            out.extend_from_slice(&buffer[..p.written]);
            read += p.read;
            match p.status {
                Status::Done | Status::NeedInput => {
                    assert_eq!(p.status == Status::Done, last, "the end is the end: {p:?}");
                    assert_eq!(read, piece.len(), "all was read: {p:?}");
                    return;
                }
                Status::NeedOutput if p.read + p.written > 0 => size = room,
                Status::NeedOutput => {
                    assert!(size < least, "no progress with {size} units of room where {least} do: {p:?}");
                    size += 1;
                }
                Status::IllFormed(_) | Status::Unmappable(_) => {
                    troubles.push((p.status, out.len()));
                    size = room;
                }
            }
        }
    };
    let mut start = 0;
    for &end in &plan.cuts {
        if plan.empty_pieces {
            feed(&[], false);
        }
        feed(&src[start..end], false);
        start = end;
    }
    if plan.empty_pieces {
        feed(&[], false);
        feed(&src[start..], false);
        start = src.len();
    }
    feed(&src[start..], true);
    Trace { out, troubles, tally: machine.tally() }
}

/// Returns an error of the library in the words of the oracle; `width` is the width of a unit.
pub(crate) fn fault(e: &IllFormed, width: usize) -> oracle::Fault {
    let start = e.valid_up_to() * width;
    assert_eq!(e.offset(), (start / width) as u64);
    oracle::Fault { start, end: start + e.len() * width, kind: e.code() }
}

impl<U: Unit> Trace<U> {
    /// Returns the result in the words of the oracle, where a unit of the source has `width` bytes. If code points
    /// were not counted, `decoded` is their number.
    pub(crate) fn in_bytes(&self, width: usize, decoded: u64) -> Converted {
        let scaled = |offset: u64| usize::try_from(offset).expect("a short text") * width;
        let count = |count: placemat::stream::Count| oracle::Count {
            count: count.count,
            first: count.first.map(scaled),
        };
        let trouble = |status: &Status| match status {
            Status::IllFormed(e) => Trouble::IllFormed(fault(e, width)),
            Status::Unmappable(e) => Trouble::Unmappable {
                offset: scaled(e.offset()),
                code_point: e.code_point().value(),
                kind: e.code(),
            },
            other => panic!("{other:?} is no trouble"),
        };
        Converted {
            bytes: U::to_bytes(&self.out),
            troubles: self.troubles.iter().map(|(t, written)| (trouble(t), written * U::WIDTH)).collect(),
            counts: Counts {
                decoded: self.tally.decoded.unwrap_or(decoded),
                replaced: count(self.tally.replaced),
                ignored: count(self.tally.ignored),
                unmappable: count(self.tally.unmappable),
            },
        }
    }
}

/// Drives a machine and compares the result with the expected one.
#[track_caller]
pub(crate) fn check<S: Unit, D: Unit>(
    what: &dyn Fn() -> String,
    machine: &dyn Machine<Src = S, Dst = D>,
    src: &[S],
    plan: &Plan,
    expected: &Converted,
) {
    let found = drive(&mut *machine.boxed(), src, plan).in_bytes(S::WIDTH, expected.counts.decoded);
    if found != *expected {
        let src = S::to_bytes(src);
        panic!(
            "{}\n  source   {}\n  as       {plan:?}\n{}",
            what(),
            excerpt(&src, 0),
            differences(&found, expected)
        );
    }
}

/// Checks the law of streaming: one call gives the expected result, and each plan gives the result
/// of that call, including the code units that each error shows.
#[track_caller]
pub(crate) fn check_all<S: Unit, D: Unit>(
    what: &dyn Fn() -> String,
    machine: &dyn Machine<Src = S, Dst = D>,
    src: &[S],
    plans: &mut dyn Iterator<Item = Plan>,
    expected: &Converted,
) {
    check(what, machine, src, &Plan::whole(), expected);
    let whole = drive(&mut *machine.boxed(), src, &Plan::whole());
    for plan in plans {
        if drive(&mut *machine.boxed(), src, &plan) != whole {
            check(what, machine, src, &plan, expected);
            panic!(
                "{}\n  source   {}\n  as       {plan:?}: errors show other units",
                what(),
                excerpt(&S::to_bytes(src), 0)
            );
        }
    }
}

/// Both sides of the first difference of each kind between two conversions.
fn differences(found: &Converted, expected: &Converted) -> String {
    let mut text = String::new();
    let mut line = |what: &str, found: String, expected: String| {
        if found != expected {
            text += &format!("  {what} found    {found}\n  {what} expected {expected}\n");
        }
    };
    let same = found.bytes.iter().zip(&expected.bytes).take_while(|(a, b)| a == b).count();
    line("output", excerpt(&found.bytes, same), excerpt(&expected.bytes, same));
    let same = found.troubles.iter().zip(&expected.troubles).take_while(|(a, b)| a == b).count();
    let trouble =
        |of: &Converted| format!("{:x?} as number {same} of {}", of.troubles.get(same), of.troubles.len());
    line("errors", trouble(found), trouble(expected));
    line("counts", format!("{:?}", found.counts), format!("{:?}", expected.counts));
    text
}

/// Returns the bytes around an offset, in hex.
fn excerpt(bytes: &[u8], at: usize) -> String {
    let start = at.saturating_sub(8);
    let end = (at + 120).min(bytes.len());
    format!("{} ({start}.. of {})", hex(&bytes[start..end]), bytes.len())
}

/// Returns `true` if the sweeps take all of their cases, as those of `exhaustive` do in
/// `.ci/thorough`. Otherwise each takes a part that covers every class of bytes, every form and
/// every policy.
pub(crate) fn thorough() -> bool {
    static THOROUGH: LazyLock<bool> =
        LazyLock::new(|| long() || std::env::var_os("PLACEMAT_THOROUGH").is_some());
    *THOROUGH
}

/// Returns `true` if the sweeps take every possible case, which takes minutes for each.
pub(crate) fn long() -> bool {
    static IS_LONG_RUN: LazyLock<bool> = LazyLock::new(|| std::env::var_os("PLACEMAT_LONG").is_some());
    *IS_LONG_RUN
}

/// Returns the number of cases of a test in a run that is short, thorough or long.
pub(crate) fn cases(of_short: usize, of_thorough: usize, of_long: usize) -> usize {
    match (long(), thorough()) {
        (true, _) => of_long,
        (_, true) => of_thorough,
        _ => of_short,
    }
}

/// Returns `true` if the tests try a code point: the alphabets at the start of the first plane, the
/// surrogates, the ends of each plane, and a few of all others, which all forms treat alike. A
/// thorough run tries all of the planes with characters, a long one tries all.
pub(crate) fn is_tried(c: u32) -> bool {
    let near_an_end = !(0x80..=0xFF7F).contains(&(c & 0xFFFF));
    let of_the_rest = if c < 0x2_0000 { c % 67 < 2 } else { c % 257 < 2 };
    let few = c < 0x3000 || (0xD7C0..0xE040).contains(&c) || near_an_end || of_the_rest;
    few || (!(0x3_0000..0xE_0000).contains(&c) && thorough()) || long()
}

/// Returns `true` if case number `case` is due: one of `of` in turn, and every one in a thorough run.
pub(crate) fn in_turn(case: usize, of: usize) -> bool {
    case.is_multiple_of(of) || thorough()
}

/// Calls `check` for each of `0..count`, on as many threads as there are processors.
pub(crate) fn in_parallel(count: usize, check: impl Fn(usize) + Sync) {
    run_in_parallel(count, &check);
}

/// Runs the threads; a separate function, compiled once rather than for each check.
fn run_in_parallel(count: usize, check: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Relaxed);
                    if i >= count {
                        break;
                    }
                    check(i);
                }
            });
        }
    });
}
