//! The plan of a call: a route for each message. Pure functions of the facts, the options and the host's answers.

mod join;
mod route;
mod rules;

pub(super) use join::{JoinKey, eligible_for_clusters, is_joinable};
pub(super) use route::{HostAnswers, HostQuery, Join, Plan, Route};
pub(super) use rules::Rules;
