//! One question for each error, however often the engine tries to write the answer.
//!
//! The engine asks a policy, may then find that the answer does not fit, and tries again when there
//! is room. A policy that counts, or whose second answer differs, must not notice. So the last
//! answers are kept here, between calls too, until they are written. Policies whose answers never
//! change (`Hints::repeats`) are asked again, which costs less than keeping anything.
//!
//! Without the feature `alloc` the answers cannot be stored, and the engine asks again. So does a
//! build for size (`--cfg small`): such programs have only stock policies, whose answers
//! never change.

#[cfg(any(small, not(feature = "alloc")))]
pub use asked_again::{Answers, Once};
#[cfg(all(feature = "alloc", not(small)))]
pub use kept::{Answers, Once};

#[cfg(all(feature = "alloc", not(small)))]
mod kept {
    use crate::ground::error::{IllFormed, Unmappable};
    use crate::ground::hints::{Engine, Hints, Substitutes};
    use crate::ground::patch::Patch;
    use crate::ground::policy::{
        Action, CodePoints, OnError, OnUnmappable, Otherwise, Replacement, Span, Substitute,
    };
    use alloc::boxed::Box;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// The answers that may still have to be written.
    #[derive(Clone, Debug, Default)]
    pub struct Answers {
        /// `None` if the policy was never asked, or if its answers never change.
        error: Option<Box<Error>>,
        unmappable: Option<Box<AllUnmappable>>,
    }

    impl Answers {
        /// Wraps both policies so that each is asked once about each error.
        #[inline]
        pub fn once<'a, D: ?Sized, U: ?Sized>(
            &'a mut self,
            on_error: &'a mut D,
            on_unmappable: &'a mut U,
        ) -> (Once<'a, D, Error>, Once<'a, U, AllUnmappable>) {
            let Self { error, unmappable } = self;
            (Once { policy: on_error, kept: error }, Once { policy: on_unmappable, kept: unmappable })
        }
    }

    /// A policy, with its answers that may still have to be written.
    #[allow(missing_debug_implementations, reason = "policies have none")]
    pub struct Once<'a, P: ?Sized, K> {
        policy: &'a mut P,
        kept: &'a mut Option<Box<K>>,
    }

    /// An answer of a policy that owns its text.
    #[derive(Clone, Debug)]
    enum Answer {
        Stop,
        Default,
        Text(String),
        CodePoints(CodePoints),
        Patterns(CodePoints),
        Byte { value: u8, checked: bool },
    }

    /// The last error and the answer to it.
    #[derive(Clone, Debug)]
    pub struct Error {
        about: IllFormed,
        passes: bool,
        answer: Answer,
        /// The next question may be about the same error.
        is_due: bool,
    }

    impl Error {
        /// Returns `true` if the kept answer is about `error`. Since then, more of its code units
        /// may have arrived.
        fn is_about(&self, error: &IllFormed) -> bool {
            let key = |error: &IllFormed| (error.offset(), error.kind(), error.len());
            key(&self.about) == key(error)
        }
    }

    impl<P: OnError + ?Sized> OnError for Once<'_, P, Error> {
        fn handle(&mut self, error: &IllFormed) -> Action<'_> {
            if self.policy.hints(Engine).repeats {
                return self.policy.handle(error);
            }
            let is_known = self.kept.as_ref().is_some_and(|kept| kept.is_due && kept.is_about(error));
            if !is_known {
                let action = self.policy.handle(error);
                let passes = matches!(action, Action::Pass(_));
                let answer = match Otherwise::from(action) {
                    Otherwise::Stop => Answer::Stop,
                    Otherwise::Text(text) => Answer::Text(text.text().into()),
                    Otherwise::CodePoints(all) => Answer::CodePoints(all),
                };
                let kept = Error { about: *error, passes, answer, is_due: false };
                match self.kept {
                    Some(place) => **place = kept,
                    None => *self.kept = Some(Box::new(kept)),
                }
            }
            let Some(kept) = self.kept else { return Action::Stop };
            kept.is_due = false;
            let otherwise = match &kept.answer {
                Answer::Text(text) => Replacement::new(text).map_or(Otherwise::Stop, Otherwise::Text),
                Answer::CodePoints(all) => Otherwise::CodePoints(*all),
                _ => Otherwise::Stop,
            };
            if kept.passes { Action::Pass(otherwise) } else { otherwise.into() }
        }
        fn span(&self) -> Span {
            self.policy.span()
        }
        fn longest(&self) -> usize {
            self.policy.longest()
        }
        fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
            self.policy.hints(engine)
        }
        fn ask_again(&mut self, _: Engine) {
            if let Some(kept) = self.kept {
                kept.is_due = true;
            }
        }
    }

    /// The code points of the last step that the target cannot represent, in order, with the answers.
    #[derive(Clone, Debug, Default)]
    pub struct AllUnmappable {
        answers: Vec<(Unmappable, Answer)>,
        /// The number of answers that were given in this attempt.
        given: usize,
    }

    impl<P: OnUnmappable + ?Sized> OnUnmappable for Once<'_, P, AllUnmappable> {
        fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
            if self.policy.hints(Engine).repeats {
                return self.policy.handle(unmappable);
            }
            let kept = self.kept.get_or_insert_default();
            if kept.answers.get(kept.given).is_none_or(|(about, _)| about != unmappable) {
                let is_same_step =
                    kept.answers.first().is_some_and(|(about, _)| about.offset() == unmappable.offset());
                kept.answers.truncate(if is_same_step { kept.given } else { 0 });
                let answer = match self.policy.handle(unmappable) {
                    Substitute::Stop => Answer::Stop,
                    Substitute::Default => Answer::Default,
                    Substitute::Text(text) => Answer::Text(text.text().into()),
                    Substitute::CodePoints(all) => Answer::CodePoints(all),
                    Substitute::Patterns(all) => Answer::Patterns(all),
                    Substitute::Byte { value, checked } => Answer::Byte { value, checked },
                };
                kept.given = kept.answers.len();
                kept.answers.push((*unmappable, answer));
            }
            let answer = kept.answers.get(kept.given);
            kept.given += 1;
            match answer {
                None | Some((_, Answer::Stop)) => Substitute::Stop,
                Some((_, Answer::Default)) => Substitute::Default,
                Some((_, Answer::Text(text))) => {
                    Replacement::new(text).map_or(Substitute::Stop, Substitute::Text)
                }
                Some((_, Answer::CodePoints(all))) => Substitute::CodePoints(*all),
                Some((_, Answer::Patterns(all))) => Substitute::Patterns(*all),
                Some(&(_, Answer::Byte { value, checked })) => Substitute::Byte { value, checked },
            }
        }
        fn longest(&self) -> usize {
            self.policy.longest()
        }
        fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
            self.policy.hints(engine)
        }
        fn ask_again(&mut self, _: Engine) {
            if let Some(kept) = self.kept {
                kept.given = 0;
            }
        }
    }
}

#[cfg(any(small, not(feature = "alloc")))]
mod asked_again {
    /// Keeps no answers.
    #[derive(Clone, Debug, Default)]
    pub struct Answers {}

    /// The policy itself, without answers kept.
    pub type Once<'a, P> = &'a mut P;

    impl Answers {
        /// Returns both policies as they are.
        #[inline]
        pub fn once<'a, D: ?Sized, U: ?Sized>(
            &'a mut self,
            on_error: &'a mut D,
            on_unmappable: &'a mut U,
        ) -> (Once<'a, D>, Once<'a, U>) {
            (on_error, on_unmappable)
        }
    }
}
