import { DECISION_COLUMN } from '../../generated/layout.js';
import { nameOf, textOf } from '../../messages.js';
import type { CompressDecision } from '../../../index.js';
import type { Message } from '../../messages.js';
import type { Reported } from './assemble.js';
import type { Trace } from '../../../binding';

/** Names what the engine decided for each message, with the option `trace`. */
export function decisionsOf(messages: Message[], trace: Trace, { labels, adapters, verdicts }: Reported, trimmed: Set<number>) {
  const { decisions, actions, reasons, clusterLabels } = trace;
  const result: CompressDecision[] = [];
  for (let at = 0; at < decisions.length; at += DECISION_COLUMN.COUNT) {
    const index = decisions[at + DECISION_COLUMN.MESSAGE];
    const detail = decisions[at + DECISION_COLUMN.DETAIL];
    let reason = reasons[decisions[at + DECISION_COLUMN.REASON]];
    if (reason === 'pattern:') reason += labels?.[detail];
    if (reason === 'cluster:') reason += clusterLabels[detail];
    if (reason === 'adapter:' || reason === 'adapter_reverted:') reason += adapters?.[detail].name;
    if (reason === 'llm_preserved:') reason += nameOf(verdicts?.get(index)?.reason) ?? '';
    const isTrimmed = trimmed.has(index);
    result.push({
      messageId: messages[index].id as string,
      messageIndex: index,
      action: isTrimmed ? 'compressed' : (actions[decisions[at + DECISION_COLUMN.ACTION]] as CompressDecision['action']),
      reason: isTrimmed ? 'tool_prepass' : reason,
      inputChars: textOf(messages[index]).length,
      outputChars: decisions[at + DECISION_COLUMN.OUTPUT_LENGTH],
    });
  }
  return result;
}
