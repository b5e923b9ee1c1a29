// A response as a stream of events.
import { split } from './sse.mjs';

function* partEvents(item, at) {
  if (item.type === 'reasoning') {
    const [{ text }] = item.summary;
    const place = { ...at, summary_index: 0 };
    yield { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } };
    for (const delta of split(text)) yield { type: 'response.reasoning_summary_text.delta', ...place, delta };
    yield { type: 'response.reasoning_summary_text.done', ...place, text };
    yield { type: 'response.reasoning_summary_part.done', ...place, part: item.summary[0] };
    return;
  }
  if (item.type === 'function_call') {
    for (const delta of split(item.arguments)) yield { type: 'response.function_call_arguments.delta', ...at, delta };
    yield { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments };
    return;
  }
  const [part] = item.content;
  const place = { ...at, content_index: 0 };
  const key = part.type === 'refusal' ? 'refusal' : 'text';
  const name = part.type === 'refusal' ? 'response.refusal' : 'response.output_text';
  yield { type: 'response.content_part.added', ...place, part: { ...part, [key]: '' } };
  for (const delta of split(part[key])) yield { type: `${name}.delta`, ...place, delta, ...(key === 'text' && { logprobs: [] }) };
  yield { type: `${name}.done`, ...place, [key]: part[key], ...(key === 'text' && { logprobs: [] }) };
  yield { type: 'response.content_part.done', ...place, part };
}

const begun = {
  reasoning: (item) => ({ ...item, summary: [] }),
  message: (item) => ({ ...item, status: 'in_progress', content: [] }),
  function_call: (item) => ({ ...item, status: 'in_progress', arguments: '' }),
};

function* allEvents(response) {
  const open = { ...response, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  yield { type: 'response.created', response: open };
  yield { type: 'response.in_progress', response: open };
  for (const [output_index, item] of response.output.entries()) {
    yield { type: 'response.output_item.added', output_index, item: begun[item.type](item) };
    yield* partEvents(item, { output_index, item_id: item.id });
    yield { type: 'response.output_item.done', output_index, item };
  }
  yield { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response };
}

export function* responsesEvents(response) {
  let sequence_number = 0;
  for (const { type, ...data } of allEvents(response)) yield { event: type, data: { type, sequence_number: sequence_number++, ...data } };
}
