//! Repairs the text in the fields of a struct, keeps a record of each change, and takes it back.
//!
//! `cargo run -p placemat --features examples --example repair_struct` repairs a customer of its
//! own and prints
//!
//! ```text
//! name: "Ã©" -> "é" (mojibake, windows-1252, 100 % sure)
//! name: "Ã¼" -> "ü" (mojibake, windows-1252, 100 % sure)
//! note: "â€™" -> "’" (mojibake, windows-1252, 100 % sure)
//! still damaged: ["visit"]
//! ```
//!
//! The visit has lost bytes that a repair would have to guess.

use core::error::Error;
use placemat::Encoding;
use placemat::repair::{Change, Repairer, UndoError, undo};

/// The data of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Customer {
    id: u64,
    name: String,
    city: String,
    note: String,
    visit: String,
}

impl Customer {
    /// The fields with text, by name.
    fn texts(&mut self) -> [(&'static str, &mut String); 4] {
        let Self { name, city, note, visit, .. } = self;
        [("name", name), ("city", city), ("note", note), ("visit", visit)]
    }
}

/// The changes of one field, from which [`Record::undo`] makes the old text again.
struct Record {
    field: &'static str,
    encoding: Encoding,
    changes: Vec<Change>,
}

impl Record {
    /// Puts the old text into the field.
    fn undo(&self, customer: &mut Customer) -> Result<(), UndoError> {
        for (field, text) in customer.texts() {
            if field == self.field {
                let old = undo(text.as_bytes(), self.encoding, &self.changes)?;
                // The old text was a string, so these bytes are well-formed.
                *text = String::from_utf8_lossy(&old).into_owned();
            }
        }
        Ok(())
    }
}

/// Repairs the fields of a customer. Returns the records of those that changed, and the names of
/// those that stay damaged, because their repair would be a guess.
fn repair(customer: &mut Customer) -> (Vec<Record>, Vec<&'static str>) {
    let mut repairer = Repairer::new().min_confidence(0.95);
    let (mut records, mut doubtful) = (Vec::new(), Vec::new());
    for (field, text) in customer.texts() {
        let repaired = repairer.repair(text.as_bytes());
        if repaired.changes.is_empty() {
            continue;
        }
        if repaired.changes.iter().any(|change| change.lossy) {
            doubtful.push(field);
            continue;
        }
        *text = repaired.text;
        records.push(Record { field, encoding: repaired.encoding, changes: repaired.changes });
    }
    (records, doubtful)
}

fn print(record: &Record) {
    for change in &record.changes {
        let before = String::from_utf8_lossy(&change.before);
        let layers: Vec<_> = change.encodings.iter().map(|encoding| encoding.name()).collect();
        let (step, layers, sure) = (change.step, layers.join(" and "), 100.0 * change.confidence);
        println!("{}: {before:?} -> {:?} ({step}, {layers}, {sure:.0} % sure)", record.field, change.after);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // UTF-8 that another program read as windows-1252. The city is right as it is, and the visit
    // has lost the second byte of each "à".
    let damaged = Customer {
        id: 7,
        name: "RenÃ©e MÃ¼ller".into(),
        city: "Besançon".into(),
        note: "donâ€™t call before noon".into(),
        visit: "Ã 10 h Ã l'hÃ´tel".into(),
    };
    let mut customer = damaged.clone();
    let (records, doubtful) = repair(&mut customer);
    records.iter().for_each(print);
    println!("still damaged: {doubtful:?}");
    assert_eq!((&*doubtful, &customer.visit), (&["visit"][..], &damaged.visit));
    assert_eq!((&*customer.name, &*customer.city), ("Renée Müller", "Besançon"));
    assert_eq!(customer.note, "don’t call before noon");

    // A second repair finds no more to do, and the records lead back to the old text.
    assert!(repair(&mut customer).0.is_empty());
    for record in &records {
        record.undo(&mut customer)?;
    }
    assert_eq!(customer, damaged);
    Ok(())
}

#[test]
fn repairs_its_own_customer() -> Result<(), Box<dyn Error>> {
    main()
}
