/** The verdict of a call that was answered: 0, except where the reply itself tells of a failure. */
import type { Reply } from '../protocol/registry.js';
import type { Fields } from './presenters.js';
import type { Surroundings } from './host.js';

const DEADLINE_PASSED = 3;
const TERMINAL_GONE = 4;

/** As shells have it for a line that they do not understand. */
const NOTHING_RUN = 2;

/** As grep has it. */
const NOTHING_FOUND = 1;
const SEARCHES: readonly string[] = ['grep', 'find'];

export function exitStatusOf(command: string, reply: Fields, surroundings: Surroundings): number {
  if (command === 'run') return runStatus(reply as unknown as Reply<'run'>, surroundings);
  if (command === 'wait') return WAIT_STATUS[(reply as unknown as Reply<'wait'>).outcome];
  const { wait } = reply as Partial<Reply<'send'>>;
  if (wait !== undefined) return WAIT_STATUS[wait.outcome];
  return SEARCHES.includes(command) && reply['total'] === 0 ? NOTHING_FOUND : 0;
}

const WAIT_STATUS: Readonly<Record<Reply<'wait'>['outcome'], number>> = {
  matched: 0,
  failed: DEADLINE_PASSED,
  timeout: DEADLINE_PASSED,
  exited: TERMINAL_GONE,
};

/** As a shell would have it: the command's own status, or 128 and the number of the signal. */
function runStatus(reply: Reply<'run'>, surroundings: Surroundings): number {
  if (reply.outcome === 'timeout') {
    // Only a command of a shell that is there has a number.
    const goesOn = reply.n === undefined ? '' : `, and goes on: t4a wait ${reply.id} --done`;
    surroundings.note(`t4a: The command had not ended after ${reply.duration_ms} ms${goesOn}.\n`);
    return DEADLINE_PASSED;
  }
  if (reply.outcome === 'not_run') {
    surroundings.note('t4a: The shell ran nothing: there is an error in the command line, or nothing to run.\n');
    return NOTHING_RUN;
  }
  if (reply.signal === null) return reply.exit_code ?? 1;
  surroundings.note(`t4a: The command was ended by ${reply.signal}.\n`);
  // Loaded only here: every command would pay for it.
  const { signals } = process.getBuiltinModule('node:os').constants;
  return 128 + (signals[reply.signal as NodeJS.Signals] ?? 0);
}
