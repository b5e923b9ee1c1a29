//! Strings across the boundary, as UTF-16 code units: exact for lone surrogates, and the fastest way for most texts.

use std::ptr;

use napi::bindgen_prelude::{FromNapiValue, Result, ToNapiValue, TypeName, ValidateNapiValue};
use napi::{ValueType, check_status, sys};

use crate::text::{Text, TextBuf};

/// Reads a JavaScript string into `units`, replacing what was there.
fn read_units(env: sys::napi_env, value: sys::napi_value, units: &mut Vec<u16>) -> Result<()> {
    let mut length = 0;
    units.clear();
    // SAFETY: a null buffer asks for the length only.
    let status = unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &mut length) };
    check_status!(status, "expected a string")?;
    // One more for the terminating zero that N-API writes.
    units.reserve(length + 1);
    // SAFETY: the buffer has room for `length + 1` units, of which `length` are initialised by a successful call.
    unsafe {
        let status = sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr(), length + 1, &mut length);
        check_status!(status, "expected a string")?;
        units.set_len(length);
    }
    Ok(())
}

/// A string that came from JavaScript.
pub struct Units(pub Vec<u16>);

impl TypeName for Units {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ValidateNapiValue for Units {}

impl FromNapiValue for Units {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        let mut units = Vec::new();
        read_units(env, value, &mut units)?;
        Ok(Units(units))
    }
}

impl From<Units> for TextBuf {
    fn from(units: Units) -> Self {
        let mut text = TextBuf::new();
        text.push_units(&units.0);
        text
    }
}

/// An array of strings that is read one string at a time, through one buffer.
pub struct StringArray {
    env: sys::napi_env,
    array: sys::napi_value,
    length: u32,
}

impl TypeName for StringArray {
    fn type_name() -> &'static str {
        "string[]"
    }

    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl ValidateNapiValue for StringArray {}

impl FromNapiValue for StringArray {
    unsafe fn from_napi_value(env: sys::napi_env, array: sys::napi_value) -> Result<Self> {
        let mut length = 0;
        // SAFETY: both handles are those of the running callback.
        check_status!(unsafe { sys::napi_get_array_length(env, array, &mut length) }, "expected an array of strings")?;
        Ok(StringArray { env, array, length })
    }
}

impl StringArray {
    /// The number of strings.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Shows each string to `visit`.
    pub fn for_each(&self, mut visit: impl FnMut(usize, &[u16])) -> Result<()> {
        let mut units = Vec::new();
        for index in 0..self.length {
            let mut scope = ptr::null_mut();
            let mut value = ptr::null_mut();
            // SAFETY: the array is an argument of the running callback. The scope keeps the handles of long arrays from
            // piling up; it is closed whether or not the string could be read.
            unsafe {
                check_status!(sys::napi_open_handle_scope(self.env, &mut scope))?;
                let read = check_status!(sys::napi_get_element(self.env, self.array, index, &mut value))
                    .and_then(|()| read_units(self.env, value, &mut units));
                check_status!(sys::napi_close_handle_scope(self.env, scope))?;
                read?;
            }
            visit(index as usize, &units);
        }
        Ok(())
    }
}

/// A text on its way to JavaScript.
pub struct JsText<T>(pub T);

impl<T: AsText> TypeName for JsText<T> {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

/// What a text can be read from.
pub trait AsText {
    /// The text.
    fn text(&self) -> Text<'_>;
}

impl AsText for Text<'_> {
    fn text(&self) -> Text<'_> {
        *self
    }
}

impl AsText for TextBuf {
    fn text(&self) -> Text<'_> {
        self.as_text()
    }
}

impl AsText for std::sync::Arc<TextBuf> {
    fn text(&self) -> Text<'_> {
        self.as_text()
    }
}

impl<T: AsText> ToNapiValue for JsText<T> {
    unsafe fn to_napi_value(env: sys::napi_env, value: Self) -> Result<sys::napi_value> {
        let text = value.0.text();
        let mut string = ptr::null_mut();
        // SAFETY: pointer and length are those of a live slice. ASCII is the same in Latin-1, which is what V8 stores.
        let status = unsafe {
            match text.units() {
                Some(units) => sys::napi_create_string_utf16(env, units.as_ptr(), units.len() as isize, &mut string),
                None => {
                    let bytes = text.bytes();
                    sys::napi_create_string_latin1(env, bytes.as_ptr().cast(), bytes.len() as isize, &mut string)
                }
            }
        };
        check_status!(status, "a string could not be created")?;
        Ok(string)
    }
}
