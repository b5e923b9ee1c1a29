// Pins: what the caller, or the model by a tool, has in every request word for word, until it ends.

import { isIndex, isObject, mismatch, shown } from '../checks.js';
import { isPin } from './pin-tool.js';
import { reportOf } from '../fit/pinned.js';
import { checkOwnOptions } from '../options/index.js';
import { sessionPin as OPTIONS } from '../options/session.js';
import type { PinOptions, PinsReport, SavedSession } from '../../index.js';
import type { Part } from '../types.js';
import type { Steps } from '../steps.js';
import type { Aligned } from './align.js';
import type { Config } from './config.js';
import type { History } from './history.js';
import type { KeptEdit, Recalled, Sent } from './sent.js';

/** What is pinned: a text, or a message of the history by its index; and its fingerprint, once a request had it. */
type Pinned = { text: string; message?: undefined } | { message: number; print?: string | undefined; text?: undefined };

/** A pin. It never changes. */
export type Pin = Pinned & {
  label?: string | undefined;
  /** when it ends: requests that are left, a time in ms, or the end of a turn, which is empty until a request had it; undefined: never */
  until?: { requests: number } | { time: number } | { turn: string } | undefined;
  /** the model pinned it with its tool, and only a history with that call has it: a session may go on with the conversation of somebody else */
  isSaid?: true | undefined;
  /** the option `keep.pinned` names it */
  isOption?: true | undefined;
  /** the last epoch had no room for it */
  isRefused?: true | undefined;
};

/** A pin of a request. */
export interface Due {
  pin: Pin;
  /** by which it is reported: its label, or its place among the pins */
  name: string | number;
  /** of all of it, as they are counted here */
  tokens: number;
  /** Returns what has to be appended to what is sent. */
  lackOf: (sent: Sent) => (string | Recalled)[];
  /** Returns whether what is sent has all of it. */
  isIn: (sent: Sent) => boolean;
}

/** A change of the pins: a new list. */
export type Change = (pins: readonly Pin[]) => readonly Pin[];

/** The pins after changes. */
export const changed = (pins: readonly Pin[], changes: readonly Change[]) => changes.reduce((list, change) => change(list), pins);

/** Maximum length of a label, in UTF-16 code units. */
const MAX_LABEL = 100;

/**
 * Reads the arguments of `session.pin`.
 *
 * @param isSaid whether it needs the call of the tool in the history
 */
export function pinned(what: unknown, options: PinOptions | null | undefined, isSaid: boolean = false): Change {
  const target = targetOf('pin()', what);
  const { label, until }: PinOptions = checkOwnOptions('pin()', OPTIONS, options);
  if (label != null && (label === '' || label.length > MAX_LABEL || /[\r\n]/.test(label)))
    throw new TypeError(`pin(): options.label must be one line of 1 to ${MAX_LABEL} characters, got ${shown(label)}`);
  const pin: Pin = { ...target, label: label ?? undefined, until: endOf(until), ...(isSaid && { isSaid }) };
  return (pins) => [...pins.filter((other) => !isSame(other, pin)), pin];
}

/** The pins that the option `keep.pinned` names, in place of those that it named when the session was saved. */
export function fromOptions(given: readonly (string | number)[]): Change {
  const all = given.map((pin): Pin => ({ ...(typeof pin === 'string' ? { text: pin } : { message: pin }), isOption: true }));
  return (pins) => {
    const stays = pins.filter((pin) => !pin.isOption || all.some((other) => isSame(pin, other)));
    return [...stays, ...all.filter((pin) => !stays.some((other) => isSame(pin, other)))];
  };
}

/** Reads the argument of `session.unpin`: the label of a pin, its text, or its message. */
export function unpinned(what: unknown): Change {
  const target = targetOf('unpin()', what);
  return (pins) =>
    pins.filter(({ text, message, label }) =>
      target.text === undefined ? message !== target.message : text !== target.text && label !== target.text,
    );
}

function targetOf(caller: string, what: unknown): Pinned {
  if (typeof what === 'string') {
    if (what.trim() === '') throw new TypeError(`${caller}: the text must not be empty`);
    return { text: what };
  }
  if (!isObject(what) || !('message' in what)) throw mismatch(`${caller}: what is pinned`, 'a text or an object with `message`', what);
  if (!isIndex(what.message)) throw new TypeError(`${caller}: message must be the index of a message of the history, from 0`);
  return { message: what.message };
}

/** A label names one pin; without one, a text or a message is pinned once. */
const isSame = (one: Pin, other: Pin) =>
  one.label === undefined || other.label === undefined
    ? one.label === other.label && one.text === other.text && one.message === other.message
    : one.label === other.label;

function endOf(until: PinOptions['until']): Pin['until'] {
  if (until == null) return undefined;
  if (until === 'turn') return { turn: '' };
  return typeof until === 'number' ? { requests: until } : { time: until.getTime() };
}

/** The pins without those that have ended, each with what it has to know of a request with this history at this time in ms. */
export function livePins(pins: readonly Pin[], history: History, time: number): readonly Pin[] {
  const turn = pins.some(({ until }) => until !== undefined && 'turn' in until) ? history.turn : '';
  return pins.flatMap((pin) => {
    const { until, message = -1 } = pin;
    const known = pin.text === undefined && pin.print === undefined && message < history.length ? { print: history.print(message) } : {};
    if (until === undefined || 'requests' in until) return [{ ...pin, ...known }];
    if ('time' in until) return time < until.time ? [{ ...pin, ...known }] : [];
    return until.turn === '' || until.turn === turn ? [{ ...pin, ...known, until: { turn } }] : [];
  });
}

/** A pin after a request; none where it ended with that. */
function afterRequest(pin: Pin): Pin[] {
  const { until } = pin;
  if (until === undefined || !('requests' in until)) return [pin];
  return until.requests > 1 ? [{ ...pin, until: { requests: until.requests - 1 } }] : [];
}

/**
 * The pins after a request.
 *
 * @param due those of the request
 */
export function pinsAfter(pins: readonly Pin[], due: readonly Due[], sent: Sent, isEpoch: boolean): readonly Pin[] {
  if (pins.length === 0) return pins;
  const refused = new Set(due.filter(({ isIn }) => !isIn(sent)).map(({ pin }) => pin));
  return pins.flatMap((pin) => {
    const { isRefused, ...rest } = pin;
    return afterRequest(!isEpoch ? pin : refused.has(pin) ? { ...rest, isRefused: true } : rest);
  });
}

const HEAD = '\n\n[pinned';
const headOf = ({ label, message }: Pin) =>
  `${HEAD}${label === undefined ? '' : ` as ${label}`}${message === undefined ? '' : `, message ${message}`}, not part of this message]\n`;

/** A pinned text as it is sent. It is a piece of its own, so that it is found again in what was sent. */
const textOf = (pin: Pin & { text: string }) => [headOf(pin), pin.text] as const;

/** A pinned text in a request. */
function dueText(pin: Pin & { text: string }, name: string | number, tokens: number): Due {
  const pieces = textOf(pin);
  const isIn = ({ edits }: Sent) =>
    edits.some(({ pieces: sent = [] }) => sent.some((piece, at) => piece === pieces[1] && sent[at - 1] === pieces[0]));
  return { pin, name, tokens, isIn, lackOf: (sent) => (isIn(sent) ? [] : [...pieces]) };
}

/**
 * A pinned message in a request.
 *
 * @param parts those of the history
 */
function dueMessage(pin: Pin & { message: number }, name: string | number, tokens: number, parts: readonly Part[]): Due {
  const lackOf = (sent: Sent) => {
    // What has no text, such as an image, comes back with the next epoch.
    const missing = missingOf(pin.message, parts, sent).filter((part) => parts[part].text !== '');
    const pieces = missing.map((part): Recalled => ({ part, start: 0, end: parts[part].text.length }));
    return pieces.flatMap((piece, index) => [index === 0 ? headOf(pin) : '\n\n', piece]);
  };
  return { pin, name, tokens, lackOf, isIn: (sent) => missingOf(pin.message, parts, sent).length === 0 };
}

/** The parts of a message, by their numbers, of which a request lacks something. */
function missingOf(message: number, parts: readonly Part[], { edits }: Sent): number[] {
  const isAll = (piece: NonNullable<KeptEdit['pieces']>[number], part: number) => {
    const [start, end] = Array.isArray(piece) ? piece : typeof piece === 'string' || piece.part !== part ? [] : [piece.start, piece.end];
    return start === 0 && end === parts[part].text.length;
  };
  const isRecalled = (part: number) =>
    parts[part].text !== '' && edits.some(({ pieces = [] }) => pieces.some((piece) => !Array.isArray(piece) && isAll(piece, part)));
  return edits.flatMap(({ part, pieces }) => {
    // Thinking is no text of the conversation, and goes where it was signed over something else.
    if (parts[part].message !== message || parts[part].kind === 'reasoning' || parts[part].unsent) return [];
    return pieces?.some((piece) => Array.isArray(piece) && isAll(piece, part)) || isRecalled(part) ? [] : [part];
  });
}

/** Whether the model pinned a text in a history. */
function isCalled(text: string | undefined, parts: readonly Part[]) {
  return parts.some(({ kind, name, text: input }) => {
    if (kind !== 'call' || !isPin(name)) return false;
    try {
      return (JSON.parse(input) as { text?: unknown } | null)?.text === text;
    } catch {
      return false;
    }
  });
}

/** What a saved state has that is of one conversation alone. */
type Own = { log?: unknown; tags?: unknown; spent?: unknown };

/**
 * What a branch of a conversation, which may be that of somebody else, takes of a saved state: all of it where nothing was ever pinned in what is sent;
 * otherwise what the model pinned, which goes with the calls.
 */
export function forBranch(saved: SavedSession): { saved: SavedSession | undefined; said: Pin[] } {
  // What was sent before is that of the other one, which also paid for it: it may have had other pins, and other tags.
  const { log: _log, tags: _tags, spent: _spent, ...rest } = saved as SavedSession & Own & { pins?: Pin[]; marks?: unknown[] };
  const { pins = [], marks = [] } = rest;
  const hasPinned = pins.length > 0 || marks.some((mark) => typeof mark === 'string' && mark.startsWith(HEAD));
  return { saved: hasPinned ? undefined : (rest as SavedSession), said: pins.filter(({ isSaid }) => isSaid) };
}

/** The pins of a request, in steps: messages that the history does not have are none of them. */
export function* duePins({ texts, options }: Config, { state, history }: Aligned): Steps<Due[]> {
  const { pins, format } = state;
  if (pins.length === 0) return [];
  const tokens = texts.counting(
    pins.flatMap((pin) => (pin.text === undefined ? [] : textOf(pin).join(''))),
    options.tokenizer,
  );
  const { parts } = yield* texts.remembering(history, format);
  return pins.flatMap((pin, place) => {
    const name = pin.label ?? place;
    if (pin.isSaid && !isCalled(pin.text, parts)) return [];
    if (pin.text !== undefined) return dueText(pin, name, tokens.get(textOf(pin).join('')) as number);
    // A message that is gone, or is another one, is none of the request's.
    const isThere = pin.message < history.length && history.print(pin.message) === pin.print;
    return isThere ? dueMessage(pin, name, history.entries[pin.message].tokens, parts) : [];
  });
}

/**
 * The text that a pin may be appended to: the last one of the user's, or of a result, that is sent.
 *
 * @param from the first message that may change
 * @param isBound whether signed thinking is bound to what stands before it
 * @returns its number among the parts; -1 if there is none
 */
export function placeIn(parts: readonly Part[], { edits }: Sent, from: number, isBound: boolean): number {
  const gone = new Set(edits.filter(({ pieces }) => pieces === undefined).map(({ part }) => part));
  for (let index = parts.length - 1; index >= 0; index--) {
    const { message, role, kind, text, locked, signed, isDocument, isFile, unsent } = parts[index];
    if (message < from || (signed && isBound && !gone.has(index))) return -1;
    const isSaid = (role === 'user' && kind === 'text' && !isDocument) || (kind === 'result' && !isFile);
    if (isSaid && text !== '' && locked === undefined && !unsent && !gone.has(index)) return index;
  }
  return -1;
}

/** Reports the pins of a request. */
export const pinsReport = (due: readonly Due[], sent: Sent): PinsReport | undefined =>
  due.length === 0 ? undefined : reportOf(due.map(({ name, tokens, isIn }) => ({ name, tokens, isThere: isIn(sent) })));

/** What a saved state has of pins: their texts and labels as they may be stored. */
export function savedPins(pins: readonly Pin[], redact: (text: string) => string): { pins?: Pin[] } {
  if (pins.length === 0) return {};
  const stored = (pin: Pin): Pin => {
    const label = pin.label === undefined ? {} : { label: redact(pin.label) };
    return pin.text === undefined ? { ...pin, ...label } : { ...pin, ...label, text: redact(pin.text) };
  };
  return { pins: pins.map(stored) };
}

/** Whether a value is the pins of a saved session. */
export function arePins(value: unknown): value is Pin[] {
  return Array.isArray(value) && value.every(isSavedPin);
}

function isSavedPin(value: unknown) {
  if (!isObject(value)) return false;
  const { text, message, print, label, until, isSaid, isOption, isRefused } = value;
  const isTarget = typeof text === 'string' ? message === undefined : isIndex(message) && text === undefined;
  return (
    isTarget &&
    [isSaid, isOption, isRefused].every((flag) => flag === undefined || flag === true) &&
    [print, label].every((name) => name === undefined || typeof name === 'string') &&
    (until === undefined || isEnd(until))
  );
}

const isEnd = (until: unknown) =>
  isObject(until) && (isIndex(until.requests) || Number.isFinite(until.time) || typeof until.turn === 'string');
