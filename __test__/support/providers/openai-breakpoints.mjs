// Explicit breakpoints of OpenAI's caches, after the types of `openai` 7.57.0 and the guide that `@ai-sdk/openai` 4 comes with.
import { refuse, typeName } from './refusal.mjs';

const KEY = 'prompt_cache_breakpoint';
/** Content that the types give a breakpoint, by API; and in which member of a message or an item it stands. */
const APIS = {
  chat: {
    parts: new Set(['text', 'image_url', 'input_audio', 'file']),
    memberOf: ({ role }) => (['system', 'developer', 'user', 'assistant', 'tool'].includes(role) ? 'content' : undefined),
    lifetimes: ['30m'],
  },
  responses: {
    parts: new Set(['input_text', 'input_image', 'input_file']),
    memberOf: ({ type = 'message', role }) => {
      if (type === 'function_call_output' || type === 'custom_tool_call_output') return 'output';
      return type === 'message' && ['system', 'developer', 'user'].includes(role) ? 'content' : undefined;
    },
    lifetimes: ['30m', '12h'],
  },
};

/** Supported for `gpt-5.6` and later models. */
const takesThem = (model) => {
  const [, major, minor = 0] = /^gpt-(\d+)(?:\.(\d+))?(?:-|$)/.exec(model) ?? [];
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6);
};

/** Every breakpoint in a value, with its owner and path; arguments and results are texts, which hold none. */
function* breakpointsIn(value, path = []) {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === KEY && inner != null) yield { owner: value, path, breakpoint: inner };
    else yield* breakpointsIn(inner, [...path, key]);
  }
}

/**
 * Refuses breakpoints that stand where none may.
 *
 * @param {'chat' | 'responses'} api
 * @param {object[]} messages messages or items
 * @param {string} [model] refused if it takes none
 * @returns {number[]} the messages that have one, once for each
 */
export function readBreakpoints(api, messages, model) {
  const { parts, memberOf, lifetimes } = APIS[api];
  const places = [];
  messages.forEach((message, index) => {
    for (const { owner, path, breakpoint } of breakpointsIn(message)) {
      const where = `[${index}].${[...path, KEY].join('.')}`;
      const isThere = path.length === 2 && path[0] === memberOf(message) && parts.has(owner.type);
      if (!isThere) refuse(`Unknown parameter: '${where}'.`, where);
      const { mode, ttl = '30m', ...rest } = typeName(breakpoint) === 'object' ? breakpoint : {};
      if (mode !== 'explicit' || !lifetimes.includes(ttl) || Object.keys(rest).length > 0) refuse(`Invalid value for '${where}'.`, where);
      if (model !== undefined && !takesThem(model)) refuse(`'${KEY}' is not supported with this model.`, where);
      places.push(index);
    }
  });
  return places;
}

/** Refuses a key that is none. */
export function readCacheKey(key) {
  if (key != null && (typeof key !== 'string' || key === '' || key.length > 64))
    refuse("Invalid 'prompt_cache_key': expected a string with maximum length 64.", 'prompt_cache_key');
}
