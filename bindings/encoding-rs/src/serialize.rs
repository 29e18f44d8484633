//! An encoding in serialized data: its name, and any of its labels when it is read.

use crate::Encoding;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Encoding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Label;
        impl Visitor<'_> for Label {
            type Value = &'static Encoding;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a label of an encoding of the web")
            }
            fn visit_str<E: Error>(self, label: &str) -> Result<Self::Value, E> {
                let encoding = Encoding::for_label(label.as_bytes());
                encoding.ok_or_else(|| E::invalid_value(Unexpected::Str(label), &self))
            }
        }
        deserializer.deserialize_str(Label)
    }
}
