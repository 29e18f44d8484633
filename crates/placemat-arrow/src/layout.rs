//! The layout of an array: the macro that takes it apart.

/// Calls the body with the column of an array of bytes or text; returns [`Error::Type`] for other arrays.
macro_rules! with_column {
    ($array:expr, $column:ident => $body:expr) => {{
        use arrow_array::cast::AsArray;
        use arrow_schema::DataType;
        let array: &dyn arrow_array::Array = $array;
        match array.data_type() {
            DataType::Binary => {
                let $column = $crate::offsets::Offsets::new(array.as_binary::<i32>())?;
                $body
            }
            DataType::LargeBinary => {
                let $column = $crate::offsets::Offsets::new(array.as_binary::<i64>())?;
                $body
            }
            DataType::Utf8 => {
                let $column = $crate::offsets::Offsets::new(array.as_string::<i32>())?;
                $body
            }
            DataType::LargeUtf8 => {
                let $column = $crate::offsets::Offsets::new(array.as_string::<i64>())?;
                $body
            }
            DataType::BinaryView => {
                let $column = $crate::views::Views::new(array.as_binary_view())?;
                $body
            }
            DataType::Utf8View => {
                let $column = $crate::views::Views::new(array.as_string_view())?;
                $body
            }
            other => return Err($crate::Error::Type(other.clone())),
        }
    }};
}
pub(crate) use with_column;
