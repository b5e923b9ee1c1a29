//! Strings across the boundary, as UTF-16 code units: exact for lone surrogates, and the fastest way for most texts.

use std::ptr;

use napi::bindgen_prelude::{FromNapiValue, Result, ToNapiValue, TypeName, Uint32Array, ValidateNapiValue};
use napi::{ValueType, check_status, sys};
use napi_derive::napi;

use crate::compress::Question;
use crate::text::{SharedText, Text, TextBuf, Texts};

/// Reads a JavaScript string of `length` units (or of unknown length) into `units`, replacing what was there.
fn read_units(env: sys::napi_env, value: sys::napi_value, length: Option<usize>, units: &mut Vec<u16>) -> Result<()> {
    let mut length = match length {
        Some(length) => length,
        None => {
            let mut length = 0;
            // SAFETY: a null buffer asks for the length only.
            let status = unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &mut length) };
            check_status!(status, "expected a string")?;
            length
        }
    };
    units.clear();
    // One more for the terminating zero that N-API writes.
    units.reserve(length + 1);
    // SAFETY: the buffer has room for `length + 1` units, of which a successful call initialises `length` and the zero.
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
        read_units(env, value, None, &mut units)?;
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

    /// Copies all strings.
    pub fn read_all(&self) -> Result<Texts> {
        let mut texts = Texts::with_capacity(self.len(), 0);
        self.for_each(None, |_, units| texts.push_units(units))?;
        Ok(texts)
    }

    /// Shows each string to `visit`. Where `lengths` names their lengths, none has to be asked for.
    pub fn for_each(&self, lengths: Option<&[u32]>, mut visit: impl FnMut(usize, &[u16])) -> Result<()> {
        let mut units = Vec::new();
        // Closing a scope now and then keeps the handles of long arrays from piling up.
        for start in (0..self.length).step_by(STRINGS_PER_SCOPE) {
            let end = self.length.min(start + STRINGS_PER_SCOPE as u32);
            let mut scope = ptr::null_mut();
            // SAFETY: the scope is closed before this returns, whether or not the strings could be read.
            check_status!(unsafe { sys::napi_open_handle_scope(self.env, &mut scope) })?;
            let read: Result<()> = (start..end).try_for_each(|index| {
                let length = lengths.and_then(|lengths| lengths.get(index as usize)).map(|&length| length as usize);
                self.read(index, length, &mut units)?;
                visit(index as usize, &units);
                Ok(())
            });
            // SAFETY: the scope was opened above, and no other since.
            check_status!(unsafe { sys::napi_close_handle_scope(self.env, scope) })?;
            read?;
        }
        Ok(())
    }

    fn read(&self, index: u32, length: Option<usize>, units: &mut Vec<u16>) -> Result<()> {
        let mut value = ptr::null_mut();
        // SAFETY: the array is an argument of the running callback.
        check_status!(unsafe { sys::napi_get_element(self.env, self.array, index, &mut value) })?;
        read_units(self.env, value, length, units)
    }
}

const STRINGS_PER_SCOPE: usize = 64;

/// Texts that are copied some at a time, so that a long conversation doesn't hold up the event loop.
#[napi]
#[derive(Default)]
pub struct CopiedTexts {
    texts: Texts,
}

#[napi]
impl CopiedTexts {
    /// No text yet.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends texts of these lengths, in UTF-16 code units.
    #[napi(catch_unwind)]
    pub fn push(&mut self, #[napi(ts_arg_type = "string[]")] texts: StringArray, lengths: Uint32Array) -> Result<()> {
        texts.for_each(Some(&lengths), |_, units| self.texts.push_units(units))
    }

    /// Hands the texts over; none is left.
    pub fn take(&mut self) -> Texts {
        std::mem::take(&mut self.texts)
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

impl AsText for std::sync::Arc<Question> {
    fn text(&self) -> Text<'_> {
        self.as_text()
    }
}

impl AsText for SharedText {
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
