import { isObject } from '../../checks.js';
// AG-UI's messages: what its schema refuses, and what a provider refuses of the messages that an agent makes of them.

import { checkMessages } from '../openai-chat/rules.js';
import { isText, show } from '../shared/shapes.js';
import type { Dialect } from '../openai-chat/rules.js';
import type { Problems } from '../shared/problems.js';

const GIVEN = new Set(['user', 'tool']);
const MEDIA = ['image', 'audio', 'video', 'document', 'binary'];

const AG_UI: Dialect = {
  roles: new Set(['system', 'developer', 'user', 'assistant', 'tool']),
  partRoles: new Map([...MEDIA.map((type) => [type, GIVEN] as [string, Set<string>]), ['text', GIVEN]]),
  calls: 'toolCalls',
  answers: 'toolCallId',
  between: new Set(['reasoning', 'activity']),
};

export function check(messages: readonly unknown[], problems: Problems) {
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) continue;
    const { id, role, content } = message;
    if (!isText(id)) problems.add('missing-id', [index], 'the message has no id');
    if (role === 'reasoning' && typeof content !== 'string')
      problems.add('content-shape', [index, 'content'], `the content of reasoning has to be a string, not ${show(content)}`);
    if (role === 'activity' && !isObject(content))
      problems.add('content-shape', [index, 'content'], `the content of an activity has to be an object, not ${show(content)}`);
  }
  checkMessages(messages, problems, AG_UI);
}
