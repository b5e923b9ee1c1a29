// Recall by itself: a session is cut, and then the user asks for something that an old message says. Does the request say it, and how often is
// something recalled where nothing is asked for? The generated questions are made as in the shared evaluation of what is asked: five words from
// around a specific word that one old message says. The questions of the corpus were written by people, with their answers. Those of
// questions.json were written by readers of its conversations who did not know how recall ranks words, and so were the remarks of
// remarks.json, which ask for nothing.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isSpecific } from './facts.mjs';

const { countTokens, createSession, fit } = createRequire(import.meta.url)('palimpsest');

/**
 * Shares of the history's tokens to which sessions are cut. People's questions are about conversations with long instructions. For readers'
 * questions the limit is `FREE` tokens higher, because a tenth of a short conversation has no room for passages.
 */
export const AUTO_RHOS = { generated: 0.1, people: 0.5, readers: 0.1 };
/** Words that ask for nothing that was said. */
const PHRASES = [
  'Go on.',
  'Thanks, looks good!',
  'Yes, please do that.',
  'Can you also add a test for that?',
  'That does not work, please fix it.',
  'What do you think about it?',
  'OK, continue with the next step.',
  'Please explain this in simpler words.',
];
const OPENING = '[recalled from this conversation, not part of this message]';
const QUESTIONS = 6;
const CUES = 5;
const AROUND = 10;
const WORD = /[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#./:-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu;
/** Tokens that an epoch leaves free for the question and the passages. */
const FREE = 1200;

const readJson = (url) => JSON.parse(readFileSync(url, 'utf8'));
const QUESTIONS_OF_READERS = readJson(new URL('questions.json', import.meta.url));
const REMARKS = readJson(new URL('remarks.json', import.meta.url));

const textOf = ({ content, tool_calls }) =>
  `${typeof content === 'string' ? content : JSON.stringify(content ?? '')}${tool_calls ? JSON.stringify(tool_calls) : ''}`;

/** The random numbers of the shared evaluation: its questions are drawn by them. */
function randomFrom(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
  };
}

/** Questions about words that only one message in the first four fifths says. */
function questionsAbout({ messages }, random) {
  const lists = messages.map((message) => textOf(message).slice(0, 50_000).match(WORD) ?? []);
  const sayers = new Map();
  lists.forEach((list, index) => new Set(list).forEach((word) => sayers.set(word, sayers.has(word) ? -1 : index)));
  const places = lists
    .slice(0, Math.floor(messages.length * 0.8))
    .flatMap((list, index) => list.map((word, at) => [index, word, at]))
    .filter(
      ([index, word]) =>
        word.length >= 4 && word.length <= 60 && messages[index].role !== 'system' && sayers.get(word) === index && isSpecific(word),
    );
  const questions = [];
  for (let tries = 0; tries < QUESTIONS && places.length > 0; tries++) {
    const [index, answer, at] = places[random(places.length)];
    const near = [...lists[index].slice(Math.max(0, at - AROUND), at), ...lists[index].slice(at + 1, at + 1 + AROUND)];
    const cues = [...new Set(near)].filter((word) => word.length >= 4 && !word.toLowerCase().includes(answer.toLowerCase()));
    if (cues.length < CUES) continue;
    const chosen = Array.from({ length: CUES }, () => cues.splice(random(cues.length), 1)[0]);
    questions.push({ question: `What was it again with ${chosen.join(', ')}?`, answer });
  }
  return questions;
}

/**
 * Cuts a session to a share of its history.
 *
 * @param {number} [more] tokens by which the limit is higher than that share
 * @param {number} [free] tokens that an epoch leaves free
 * @returns {((words: string) => object[] | undefined) | undefined} gives the messages that are sent when the user says `words`, unless they
 *   don't fit; undefined if nothing is cut, or the instructions alone leave no room
 */
function cutSession(messages, rho, recall, more = 0, free = FREE) {
  const total = countTokens(messages);
  const limit = Math.floor(total * rho) + more;
  if (limit >= total) return undefined;
  const options = { limit, low: Math.max(0.3, (limit - free) / limit), format: 'openai-chat', recall };
  const session = createSession(options);
  if (!session.next(messages).fits) return undefined;
  const state = JSON.stringify(session);
  return (words) => {
    const asked = [...messages, { role: 'user', content: words }];
    const step = createSession(options, JSON.parse(state)).next(asked);
    return step.fits ? step.messages : undefined;
  };
}

/**
 * The session of `cutSession` without recall and the one with it, and in its place `fit` of the whole history with the question, within the
 * same limit; undefined if a session is.
 */
function cutAll(messages, rho, more = 0) {
  const both = [null, 'auto'].map((recall) => cutSession(messages, rho, recall, more));
  if (both.includes(undefined)) return undefined;
  const limit = Math.floor(countTokens(messages) * rho) + more;
  const fitted = (words) => {
    const result = fit([...messages, { role: 'user', content: words }], { limit, format: 'openai-chat' });
    return result.fits ? result.messages : undefined;
  };
  return [...both, fitted];
}

const recalls = (sent) => textOf(sent.at(-1)).includes(OPENING);
const says = (sent, answer) => sent.some((message) => textOf(message).toLowerCase().includes(String(answer).toLowerCase()));

function conversationsIn(shared) {
  const plain = new URL('corpus/plain/', shared);
  return readdirSync(plain).flatMap((file) => readJson(new URL(file, plain)));
}

const plainMessages = ({ messages }) =>
  messages.map(({ role, content, tool_calls, tool_call_id }) => ({
    role,
    content,
    ...(tool_calls ? { tool_calls } : {}),
    ...(tool_call_id ? { tool_call_id } : {}),
  }));

/** Counts of what was asked, and how often the request said the answer. */
const none = () => ({ asked: 0, without: 0, with: 0, fit: 0 });

/**
 * @param {URL} shared the folder with `corpus`
 * @returns for generated, people's and readers' questions how many were `asked`, and how many the request answered `without` and `with` recall,
 *   and how many `fit` kept the answer of: people's (`people`, `peopleHeld`) and readers' (`tuned`, `held`) by the half that parameters were
 *   chosen by and the other; of the questions of `other` conversations, of `phrases` and of readers' `remarks`, how many were `asked`, and for
 *   how many something was recalled. `conversations`: those whose instructions leave room
 */
export function measureAuto(shared) {
  const all = conversationsIn(shared);
  const random = randomFrom(11);
  const size = (messages) => messages.reduce((sum, message) => sum + textOf(message).length, 0);
  const suited = all.filter(({ messages }) => messages.length >= 40 && size(messages) <= 300_000);
  const asked = suited.map((conversation) => ({ conversation, questions: questionsAbout(conversation, random) }));
  const result = {
    conversations: 0,
    generated: none(),
    people: none(),
    peopleHeld: none(),
    other: { asked: 0, recalled: 0 },
    phrases: { asked: 0, recalled: 0 },
    tuned: none(),
    held: none(),
    remarks: { asked: 0, recalled: 0 },
  };

  asked.forEach(({ conversation, questions }, index) => {
    const messages = plainMessages(conversation);
    const ways = cutAll(messages, AUTO_RHOS.generated);
    if (ways === undefined || questions.length === 0) return;
    const [, recalling] = ways;
    result.conversations++;
    ask(result.generated, questions, ways);
    const others = asked.filter((_, other) => other !== index).flatMap((other) => other.questions[0] ?? []);
    say(
      result.other,
      others.map(({ question }) => question),
      recalling,
    );
    say(result.phrases, PHRASES, recalling);
  });

  const probes = readJson(new URL('corpus/probes.json', shared));
  let next = 0;
  for (const conversation of all) {
    const questions = probes.filter(
      ({ conversation_id, adversarial, answer }) => conversation_id === conversation.id && !adversarial && String(answer ?? '').length >= 3,
    );
    const usable = questions.filter(
      ({ question, answer }) => !question.toLowerCase().includes(String(answer).toLowerCase()) && says(conversation.messages, answer),
    );
    if (usable.length === 0) continue;
    const ways = cutAll(plainMessages(conversation), AUTO_RHOS.people);
    if (ways === undefined) continue;
    for (const question of usable) ask(next++ % 2 === 0 ? result.people : result.peopleHeld, [question], ways);
  }

  const halves = [result.tuned, result.held];
  const questions = QUESTIONS_OF_READERS.map((question, index) => ({ ...question, half: halves[index % 2] }));
  for (const conversation of all) {
    const about = questions.filter((question) => question.conversation === conversation.id);
    if (about.length === 0) continue;
    const ways = cutAll(plainMessages(conversation), AUTO_RHOS.readers, FREE);
    if (ways === undefined) continue;
    for (const question of about) ask(question.half, [question], ways);
    say(result.remarks, REMARKS, ways[1]);
  }
  return result;
}

/**
 * @param {URL} shared the folder with `corpus`
 * @param {(number | null)[]} limits tokens of passages, for which there is room beside the share; `null`: no recall
 * @returns for each limit how many of the readers' questions were `asked`, and how many the request answered
 */
export function measureReaders(shared, limits) {
  const all = conversationsIn(shared);
  return limits.map((limit) => {
    const result = { limit, asked: 0, answered: 0 };
    for (const { id, messages } of all) {
      const about = QUESTIONS_OF_READERS.filter(({ conversation }) => conversation === id);
      if (about.length === 0) continue;
      const room = (limit ?? 0) + 200;
      const next = cutSession(plainMessages({ messages }), AUTO_RHOS.readers, limit === null ? null : { limit }, room, room);
      for (const { question, answer } of about) {
        const sent = next?.(question);
        if (sent === undefined) continue;
        result.asked++;
        result.answered += Number(says(sent, answer));
      }
    }
    return result;
  });
}

/** Says words that ask for nothing, and counts for how many something is recalled. */
function say(counts, words, recalling) {
  const answers = words.map(recalling).filter(Boolean);
  counts.asked += answers.length;
  counts.recalled += answers.filter(recalls).length;
}

function ask(counts, questions, ways) {
  for (const { question, answer } of questions) {
    const [before, after, fitted] = ways.map((next) => next(question));
    if (before === undefined || after === undefined) continue;
    counts.asked++;
    counts.without += Number(says(before, answer));
    counts.with += Number(says(after, answer));
    counts.fit += Number(fitted !== undefined && says(fitted, answer));
  }
}
