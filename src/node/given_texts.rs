//! Texts in either form in which JavaScript hands them over.

use napi::bindgen_prelude::{ClassInstance, FromNapiValue, Result, TypeName, ValidateNapiValue};
use napi::{ValueType, check_status, sys};

use super::strings::{CopiedTexts, StringArray};
use palimpsest_text::Texts;

/// Texts that were copied some at a time, or strings, which are copied in this call.
pub enum GivenTexts<'env> {
    /// Copies, which are taken over.
    Copied(ClassInstance<'env, CopiedTexts>),
    /// Strings.
    Strings(StringArray<'env>),
}

impl GivenTexts<'_> {
    /// Their number.
    pub fn len(&self) -> usize {
        match self {
            GivenTexts::Copied(copies) => copies.len(),
            GivenTexts::Strings(strings) => strings.len(),
        }
    }

    /// The texts, of which strings have these lengths in UTF-16 code units.
    ///
    /// # Errors
    ///
    /// One of them is no string, or its length is not the given one.
    pub fn take_sized(self, lengths: &[u32]) -> Result<Texts> {
        match self {
            GivenTexts::Copied(mut copies) => Ok(copies.take()),
            GivenTexts::Strings(strings) => strings.read_sized(lengths),
        }
    }

    /// The texts.
    ///
    /// # Errors
    ///
    /// One of them is no string.
    pub fn take(self) -> Result<Texts> {
        match self {
            GivenTexts::Copied(mut copies) => Ok(copies.take()),
            GivenTexts::Strings(strings) => strings.read_all(),
        }
    }
}

impl TypeName for GivenTexts<'_> {
    fn type_name() -> &'static str {
        "texts"
    }

    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl ValidateNapiValue for GivenTexts<'_> {}

impl FromNapiValue for GivenTexts<'_> {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        let mut is_array = false;
        // SAFETY: both handles are those of the running callback.
        check_status!(unsafe { sys::napi_is_array(env, value, &mut is_array) })?;
        if is_array {
            // SAFETY: as above.
            Ok(GivenTexts::Strings(unsafe { StringArray::from_napi_value(env, value) }?))
        } else {
            // SAFETY: as above.
            Ok(GivenTexts::Copied(unsafe { ClassInstance::from_napi_value(env, value) }?))
        }
    }
}
