//! Makes plans: applies the rules, asks the host where they depend on it, and joins messages.

use rustc_hash::FxHashMap;

use crate::cluster::{self, Document, Terms, TermsTable, clusters};
use crate::compress::decisions::Reason;
use crate::compress::host::Host;
use crate::compress::plan::{
    HostAnswers, HostQuery, Join, JoinKey, Plan, Route, Rules, eligible_for_clusters, is_joinable,
};
use crate::compress::render::{chain_text, cluster_text};
use crate::dedup::recency_start;
use crate::flow::{Chain, detect_chains};
use crate::quality::{EntityRange, EntityTable};
use palimpsest_text::masks::Scratch;
use palimpsest_text::{SharedText, TextBuf};

/// The joins of a call, whatever recency window they were made under.
#[derive(Debug, Default)]
pub(super) struct JoinMemo {
    /// `None` if the text would not be shorter than the messages.
    joins: FxHashMap<JoinKey, Option<Join>>,
    /// Labels of clusters, by the numbers that their reasons have.
    pub labels: Vec<TextBuf>,
    /// Terms and entities of messages that were compared.
    compared: FxHashMap<usize, (Terms, EntityRange)>,
    terms: TermsTable,
    entities: EntityTable,
    scratch: Scratch,
}

impl JoinMemo {
    /// Remembers `text` for the messages of `key`, unless it is not shorter than they are.
    fn add(&mut self, rules: Rules<'_>, key: JoinKey, reason: Reason, text: &TextBuf) {
        let (start, count, _) = key;
        let is_shorter = text.len() < rules.facts.length(start, count);
        let join = is_shorter.then(|| Join { start, count, reason, text: SharedText::from(text) });
        self.joins.insert(key, join);
    }
}

/// Plans a call under a recency window.
///
/// # Errors
/// If the host can't answer.
pub(super) fn plan<H: Host>(
    rules: Rules<'_>,
    window: f64,
    memo: &mut JoinMemo,
    host: &mut H,
) -> Result<Plan, H::Error> {
    let count = rules.facts.transcript.len();
    let duplicates = rules.duplicates(window);
    let mut routes = Vec::with_capacity(count);
    for (index, duplicate) in duplicates.into_iter().enumerate() {
        routes.push(ask(host, index, |answers| rules.route(index, window, duplicate, answers))?);
    }
    let mut plan = Plan { routes, joins: Vec::new() };
    // No index is a fraction: the messages before the window are those before its ceiling.
    let start = (recency_start(count, window).ceil() as usize).min(count);
    let mut is_linked = vec![false; count];
    if rules.options.conversation_flow {
        for chain in detect_chains(&rules.facts.links[..start]) {
            chain.members.iter().for_each(|&index| is_linked[index] = true);
            join_chain(rules, &chain, &mut plan, memo, host)?;
        }
    }
    if let Some(threshold) = rules.options.cluster_threshold {
        let mut eligible = Vec::new();
        for index in (0..start).rev() {
            if eligible.len() == cluster::MAX_MESSAGES {
                break;
            }
            if !is_linked[index] && eligible_for_clusters(rules, index) && may_join(rules, &plan, index, host)? {
                eligible.push(index);
            }
        }
        eligible.reverse();
        join_clusters(rules, &eligible, threshold, &mut plan, memo);
    }
    Ok(plan)
}

/// Applies a rule, and asks the host for what it lacks.
///
/// # Errors
/// If the host can't answer.
pub(super) fn ask<T, H: Host>(
    host: &mut H,
    index: usize,
    rule: impl Fn(HostAnswers) -> Result<T, HostQuery>,
) -> Result<T, H::Error> {
    let mut answers = HostAnswers::default();
    loop {
        match rule(answers) {
            Ok(result) => return Ok(result),
            Err(HostQuery::Pattern) => answers.pattern = Some(host.first_pattern(index)?),
            Err(HostQuery::Adapter) => answers.adapter = Some(host.find_adapter(index)?),
        }
    }
}

fn may_join<H: Host>(rules: Rules<'_>, plan: &Plan, index: usize, host: &mut H) -> Result<bool, H::Error> {
    let route: Route = plan.routes[index];
    ask(host, index, |answers| is_joinable(rules, index, route, answers))
}

/// Joins the first members of a chain, as far as they are successive.
fn join_chain<H: Host>(
    rules: Rules<'_>,
    chain: &Chain,
    plan: &mut Plan,
    memo: &mut JoinMemo,
    host: &mut H,
) -> Result<(), H::Error> {
    let start = chain.members[0];
    let mut count = 0;
    for &member in &chain.members {
        if member != start + count || !may_join(rules, plan, member, host)? {
            break;
        }
        count += 1;
    }
    if count < 2 {
        return Ok(());
    }
    let key = (start, count, false);
    if !memo.joins.contains_key(&key) {
        memo.add(rules, key, Reason::Flow(chain.kind), &chain_text(rules.facts, chain, count));
    }
    memo.joins[&key].iter().for_each(|join| plan.join(join.clone()));
    Ok(())
}

fn join_clusters(rules: Rules<'_>, eligible: &[usize], threshold: f64, plan: &mut Plan, memo: &mut JoinMemo) {
    let JoinMemo { compared, terms, entities, scratch, .. } = memo;
    for &index in eligible {
        compared.entry(index).or_insert_with(|| {
            let text = rules.facts.text(index);
            let listed = entities.list(text, scratch.scan(text.bytes()), cluster::ENTITY_LIMIT, None);
            (terms.terms(text), listed)
        });
    }
    let document = |index: &usize| {
        let (terms, listed) = &compared[index];
        Document { terms, entities: entities.listed(*listed) }
    };
    let documents: Vec<Document<'_>> = eligible.iter().map(document).collect();
    for found in clusters(&documents, eligible, threshold) {
        let start = eligible[found.members[0]];
        let key = (start, found.members.len(), true);
        if !memo.joins.contains_key(&key) {
            let (text, label) = cluster_text(rules.facts, start, &found, &memo.entities);
            let reason = Reason::Cluster(memo.labels.len() as u32);
            memo.labels.push(label);
            memo.add(rules, key, reason, &text);
        }
        memo.joins[&key].iter().for_each(|join| plan.join(join.clone()));
    }
}
