//! The guard pages end a process that reads or writes past its buffers. This is the only test of
//! this program, because a child of `fork` inherits the locks of other threads.

use contract::answer::Memory;
use contract::library::{Glibc, Iconv};
use contract::mutants::{Mistake, Mutant};
use contract::table;

/// Runs the probes in a child, and returns the signal that ended it.
fn signal(library: &dyn Iconv) -> Option<i32> {
    let mut memory = Memory::new();
    // SAFETY: the child only converts, and leaves by _exit.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let _ = table::probes()[0].answers(library, &mut memory);
        // SAFETY: ends the child.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: the child exists, and `status` is valid.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(waited, child);
    libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))
}

#[test]
fn guard_pages_end_what_goes_beyond() {
    assert_eq!(signal(&Glibc), None);
    for mistake in Mistake::DEADLY {
        assert_eq!(signal(&Mutant(*mistake)), Some(libc::SIGSEGV), "{mistake:?}");
    }
}
