import { defineCommand } from '../command.js';
import { waitReplyShape, waitShape } from '../conditions.js';
import { observeField, observedReplyShape, turnErrors } from '../observation.js';
import { terminalId } from '../vocabulary.js';

export const wait = defineCommand({
  name: 'wait',
  summary: 'Wait until something is so, and tell what the screen shows then.',
  details:
    'What is so already counts. The reply comes with the first condition of `fail` or `until` that is true, at the deadline, or when the process has exited; `outcome` tells which. Text and regular expressions are looked for in each line, soft-wrapped rows joined, that is on the screen or scrolls by.',
  params: () => ({ id: terminalId, ...waitShape, ...observeField }),
  reply: () => ({ ...waitReplyShape, ...observedReplyShape }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...turnErrors],
  cli: {
    positionals: ['id?'],
    hidden: ['until', 'fail', 'observe'],
    examples: [
      "wait @ --text ready --fail 'error|panic' --timeout 60000",
      'wait t1 --done',
      'wait t1 --settled 500 --timeout 10000',
      'wait t1 --input-kind password',
    ],
  },
});
