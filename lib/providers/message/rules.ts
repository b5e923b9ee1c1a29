// The messages of `compress`, which requires only an id.

import { show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Problems } from '../shared/problems.js';

export function check(messages: readonly (Fields | null)[], problems: Problems) {
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === null || typeof message !== 'object') {
      problems.add('message-shape', [index], `a message has to be an object, not ${show(message)}`);
    } else if (message.id === null || message.id === undefined) {
      problems.add('missing-id', [index], 'the message has no id');
    }
  }
}
