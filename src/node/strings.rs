//! Strings across the boundary, as UTF-16 code units: exact for lone surrogates, and fastest for most texts.

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;

use napi::bindgen_prelude::{Error, FromNapiValue, Result, ToNapiValue, TypeName, Uint32Array, ValidateNapiValue};
use napi::{ValueType, check_status, sys};
use napi_derive::napi;

use palimpsest_text::index::{to_u32, to_usize};
use palimpsest_text::parallel::pipeline;
use palimpsest_text::{SharedText, Text, TextBuf, Texts};

/// Appends a JavaScript string to `units`. `expected` is its length in UTF-16 code units, if that is known: it saves a call.
///
/// # Errors
///
/// If the value is no string, or its length is not the expected one.
///
/// # Safety
///
/// `value` is a live handle of `env`, and this is its thread.
unsafe fn append_units(
    env: sys::napi_env,
    value: sys::napi_value,
    expected: Option<usize>,
    units: &mut Vec<u16>,
) -> Result<()> {
    let length = match expected.filter(|&length| length <= MAX_TRUSTED) {
        Some(length) => length,
        // SAFETY: `value` is a handle of `env`.
        None => unsafe { length_of(env, value) }?,
    };
    // One unit more for the zero that N-API writes, and one to detect a longer string.
    let capacity = length + 2;
    units.reserve(capacity);
    let mut copied = 0;
    // SAFETY: `value` is a handle of `env`. The buffer has room for `capacity` units, of which a successful call
    // initialises `copied` and the zero.
    unsafe {
        let room = units.spare_capacity_mut().as_mut_ptr().cast();
        let status = sys::napi_get_value_string_utf16(env, value, room, capacity, &mut copied);
        check_status!(status, "expected a string")?;
        units.set_len(units.len() + copied);
    }
    if copied != expected.unwrap_or(length) {
        return Err(Error::from_reason("a text is not as long as it is said to be"));
    }
    Ok(())
}

/// Returns the length of all texts, capped, because it reserves memory before the texts are read: they may be one string many times.
pub fn total_units(lengths: &[u32]) -> usize {
    const MAX_RESERVED: u64 = 1 << 24;
    lengths.iter().map(|&length| u64::from(length)).sum::<u64>().min(MAX_RESERVED) as usize
}

/// Returns what reading strings of these lengths costs, in UTF-16 code units.
pub fn cost_of(lengths: &[u32]) -> usize {
    total_units(lengths) + UNITS_PER_STRING * lengths.len()
}

/// Returns the length of a JavaScript string in UTF-16 code units.
///
/// # Errors
///
/// If the value is no string.
///
/// # Safety
///
/// `value` is a live handle of `env`, and this is its thread.
unsafe fn length_of(env: sys::napi_env, value: sys::napi_value) -> Result<usize> {
    let mut length = 0;
    // SAFETY: the caller vouches for the handle; a null buffer asks for the length only.
    let status = unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &mut length) };
    check_status!(status, "expected a string")?;
    Ok(length)
}

/// Maximum length, in UTF-16 code units, for which memory is reserved without asking the string.
const MAX_TRUSTED: usize = 1 << 20;

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
        // SAFETY: the caller vouches for the handle.
        unsafe { append_units(env, value, None, &mut units) }?;
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
///
/// It is an argument of the running callback and can't outlive it: its handles are invalid afterwards.
pub struct StringArray<'env> {
    env: sys::napi_env,
    array: sys::napi_value,
    length: u32,
    scope: PhantomData<&'env sys::napi_value>,
}

impl TypeName for StringArray<'_> {
    fn type_name() -> &'static str {
        "string[]"
    }

    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl ValidateNapiValue for StringArray<'_> {}

impl FromNapiValue for StringArray<'_> {
    unsafe fn from_napi_value(env: sys::napi_env, array: sys::napi_value) -> Result<Self> {
        let mut length = 0;
        // SAFETY: the caller vouches for the handle.
        check_status!(unsafe { sys::napi_get_array_length(env, array, &mut length) }, "expected an array of strings")?;
        Ok(StringArray { env, array, length, scope: PhantomData })
    }
}

impl StringArray<'_> {
    /// The number of strings.
    pub fn len(&self) -> usize {
        to_usize(self.length)
    }

    /// The number of strings, capped, to reserve memory before they are read: a sparse array may have any length.
    pub fn capacity(&self) -> usize {
        self.len().min(1 << 16)
    }

    /// Copies all strings.
    pub fn read_all(&self) -> Result<Texts> {
        // The lengths first: texts that outgrow their memory are copied again, to pages that the system has to clear.
        self.read_sized(&self.lengths()?)
    }

    /// Copies all strings, which have these lengths in UTF-16 code units.
    ///
    /// # Errors
    ///
    /// If an element is no string, or its length is not the given one.
    pub fn read_sized(&self, lengths: &[u32]) -> Result<Texts> {
        let mut texts = Texts::with_capacity(lengths.len(), total_units(lengths));
        self.for_each_index(0..self.len(), |index| {
            texts.push_appended(|units| self.append_to(units, index, Some(lengths)))
        })?;
        Ok(texts)
    }

    /// Returns the length of each string in UTF-16 code units.
    ///
    /// # Errors
    ///
    /// If an element is no string.
    pub fn lengths(&self) -> Result<Vec<u32>> {
        let mut lengths = Vec::with_capacity(self.capacity());
        self.for_each_index(0..self.len(), |index| {
            let value = self.get(to_u32(index))?;
            // SAFETY: the handle was just made in the scope of `for_each_index`.
            lengths.push(to_u32(unsafe { length_of(self.env, value) }?));
            Ok(())
        })?;
        Ok(lengths)
    }

    /// Calls `visit` with each string. `lengths` are theirs in UTF-16 code units, if they are known: they save a call each.
    ///
    /// # Errors
    ///
    /// If an element is no string, or its length is not the given one.
    pub fn for_each(&self, lengths: Option<&[u32]>, visit: impl FnMut(usize, &[u16])) -> Result<()> {
        self.for_each_in(0..self.len(), lengths, visit)
    }

    /// The same for the strings of a range.
    pub fn for_each_in(
        &self,
        range: Range<usize>,
        lengths: Option<&[u32]>,
        mut visit: impl FnMut(usize, &[u16]),
    ) -> Result<()> {
        let mut buffer = Vec::new();
        self.for_each_index(range, |index| {
            buffer.clear();
            self.append_to(&mut buffer, index, lengths)?;
            visit(index, &buffer);
            Ok(())
        })
    }

    /// Calls `visit` with each string, as [`StringArray::for_each`] does, but on another thread if they are long: only this one can copy
    /// them.
    ///
    /// # Errors
    ///
    /// If an element is no string, or its length is not the given one.
    pub fn for_each_apart(&self, lengths: &[u32], mut visit: impl FnMut(usize, &[u16]) + Send) -> Result<()> {
        let make = |enough: usize, hand: &mut dyn FnMut(&mut Strings)| {
            let mut piece = Strings::default();
            self.for_each_index(0..self.len(), |index| {
                self.append_to(&mut piece.units, index, Some(lengths))?;
                piece.ends.push(piece.units.len());
                if piece.units.len() >= enough {
                    hand(&mut piece);
                    piece.first = index + 1;
                }
                Ok(())
            })?;
            hand(&mut piece);
            Ok(())
        };
        pipeline(cost_of(lengths), make, |piece| piece.drain(&mut visit))
    }

    /// Returns what reads the strings one after the other.
    pub fn reader(&self) -> StringReader<'_> {
        StringReader { strings: self, next: 0, scope: None }
    }

    /// Calls `visit` with each index of a range, in a scope for the handle of its string.
    fn for_each_index(&self, range: Range<usize>, mut visit: impl FnMut(usize) -> Result<()>) -> Result<()> {
        // Scopes of some strings each, so that the handles of a long array do not accumulate.
        for start in range.clone().step_by(STRINGS_PER_SCOPE) {
            let end = range.end.min(start + STRINGS_PER_SCOPE);
            let _scope = HandleScope::open(self.env)?;
            (start..end).try_for_each(&mut visit)?;
        }
        Ok(())
    }

    /// Appends the string at `index` to `units`.
    fn append_to(&self, units: &mut Vec<u16>, index: usize, lengths: Option<&[u32]>) -> Result<()> {
        let length = lengths.and_then(|lengths| lengths.get(index)).map(|&length| to_usize(length));
        let value = self.get(to_u32(index))?;
        // SAFETY: the handle was just made in the scope of `for_each_index`.
        unsafe { append_units(self.env, value, length, units) }
    }

    /// Returns the element at `index`, as a handle of the scope that is open.
    fn get(&self, index: u32) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: the array is an argument of the running callback, for `self` doesn't outlive that.
        check_status!(unsafe { sys::napi_get_element(self.env, self.array, index, &mut value) })?;
        Ok(value)
    }
}

/// Reads the strings of an array in order, at the reader's pace.
pub struct StringReader<'a> {
    strings: &'a StringArray<'a>,
    next: usize,
    scope: Option<HandleScope>,
}

impl StringReader<'_> {
    /// Appends the next string to `units`.
    ///
    /// # Errors
    ///
    /// If there is none, or it is not of that length in UTF-16 code units.
    pub fn append_next(&mut self, units: &mut Vec<u16>, length: usize) -> Result<()> {
        if self.next.is_multiple_of(STRINGS_PER_SCOPE) {
            // Scopes close in the order opposite to that in which they were opened.
            self.scope = None;
            self.scope = Some(HandleScope::open(self.strings.env)?);
        }
        let value = self.strings.get(to_u32(self.next))?;
        self.next += 1;
        // SAFETY: the handle was just made, in the scope that is open.
        unsafe { append_units(self.strings.env, value, Some(length), units) }
    }
}

const STRINGS_PER_SCOPE: usize = 64;
/// What a string costs where it is read, in UTF-16 code units: numbering a text takes as long as folding so many units.
const UNITS_PER_STRING: usize = 768;

/// Copies of successive strings.
#[derive(Default)]
struct Strings {
    /// Index of the first.
    first: usize,
    units: Vec<u16>,
    ends: Vec<usize>,
}

impl Strings {
    /// Calls `visit` with each string, and removes all.
    fn drain(&mut self, visit: &mut impl FnMut(usize, &[u16])) {
        let mut start = 0;
        for (number, &end) in self.ends.iter().enumerate() {
            visit(self.first + number, &self.units[start..end]);
            start = end;
        }
        self.units.clear();
        self.ends.clear();
    }
}

/// A handle scope that is closed when it is dropped, by a panic too: Node aborts on a scope left open.
struct HandleScope {
    env: sys::napi_env,
    scope: sys::napi_handle_scope,
}

impl HandleScope {
    /// Opens a scope of `env`, which is that of the running callback.
    fn open(env: sys::napi_env) -> Result<Self> {
        let mut scope = ptr::null_mut();
        // SAFETY: this runs in a callback of `env`.
        check_status!(unsafe { sys::napi_open_handle_scope(env, &mut scope) })?;
        Ok(HandleScope { env, scope })
    }
}

impl Drop for HandleScope {
    fn drop(&mut self) {
        // SAFETY: `open` opened the scope, and every one that was opened since is closed.
        unsafe { sys::napi_close_handle_scope(self.env, self.scope) };
    }
}

/// Texts that are copied in several calls, so that a long conversation does not block the event loop.
#[napi]
#[derive(Default)]
pub struct CopiedTexts {
    texts: Texts,
}

#[napi]
impl CopiedTexts {
    /// Returns an empty collection.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends texts of these lengths, in UTF-16 code units.
    #[napi(catch_unwind)]
    pub fn push(&mut self, #[napi(ts_arg_type = "string[]")] texts: StringArray, lengths: Uint32Array) -> Result<()> {
        texts.for_each(Some(&lengths), |_, units| self.texts.push_units(units))
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Takes all texts out.
    pub fn take(&mut self) -> Texts {
        std::mem::take(&mut self.texts)
    }
}

/// A text to be made a JavaScript string.
pub struct JsText<T>(pub T);

impl<T: AsText> TypeName for JsText<T> {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

/// A source of a text.
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
            match text.in_full(&mut Vec::new()).units() {
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

/// Texts to be made an array of JavaScript strings.
pub struct JsTexts<T>(pub Vec<T>);

impl<T: AsText> TypeName for JsTexts<T> {
    fn type_name() -> &'static str {
        "string[]"
    }

    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl<T: AsText> ToNapiValue for JsTexts<T> {
    unsafe fn to_napi_value(env: sys::napi_env, JsTexts(texts): Self) -> Result<sys::napi_value> {
        let (mut array, mut push) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the caller vouches for `env`, and `array` is a handle that was made before.
        unsafe {
            check_status!(sys::napi_create_array(env, &mut array))?;
            check_status!(sys::napi_get_named_property(env, array, c"push".as_ptr(), &mut push))?;
        }
        // Setting an element takes as long as creating the string; so they are arguments of few calls.
        let mut texts = texts.into_iter().peekable();
        while texts.peek().is_some() {
            let _scope = HandleScope::open(env)?;
            let some = texts.by_ref().take(STRINGS_PER_SCOPE);
            // SAFETY: the caller vouches for `env`.
            let strings =
                some.map(|text| unsafe { JsText::to_napi_value(env, JsText(text)) }).collect::<Result<Vec<_>>>()?;
            // SAFETY: all handles are those of open scopes, and the length is that of the list.
            let status =
                unsafe { sys::napi_call_function(env, array, push, strings.len(), strings.as_ptr(), ptr::null_mut()) };
            check_status!(status, "an array could not be filled")?;
        }
        Ok(array)
    }
}
