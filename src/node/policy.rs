//! The constants of the choice, for their ablation.

use napi_derive::napi;
use palimpsest_agent::fit::Constant;

/// Returns the name, the unit, the value and the neutral value of each constant of the choice.
#[napi(catch_unwind)]
pub fn policy_constants() -> Vec<Vec<String>> {
    let constants = Constant::all().into_iter();
    constants.map(|Constant { name, unit, value, neutral }| vec![name.into(), unit.into(), value, neutral]).collect()
}
