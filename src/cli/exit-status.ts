/** The exit status of a command that was answered: 0, unless the reply itself means a failure. */
import type { Reply } from '../protocol/registry.js';
import type { CommandSyntax } from './argv/syntax.js';
import type { Host } from './host.js';

const DEADLINE_PASSED = 3;
const TERMINAL_GONE = 4;

/** The status of shells for a line that they do not understand. */
const NOTHING_RUN = 2;

/** The status of grep. */
const NOTHING_FOUND = 1;

type WaitOutcome = Reply<'wait'>['outcome'];

const WAIT_STATUS: Readonly<Record<WaitOutcome, number>> = {
  matched: 0,
  failed: DEADLINE_PASSED,
  timeout: DEADLINE_PASSED,
  exited: TERMINAL_GONE,
};

/** By the trait `exitStatus` of the command. */
const STATUS: Readonly<Record<NonNullable<CommandSyntax['exitStatus']>, (reply: never, host: Host) => number>> = {
  outcome: ({ outcome }: Reply<'wait'>) => WAIT_STATUS[outcome],
  matches: ({ total }: Reply<'grep'>) => (total === 0 ? NOTHING_FOUND : 0),
  program: programStatus,
};

export function exitStatusOf({ exitStatus }: CommandSyntax, reply: object, host: Host): number {
  const { wait } = reply as { readonly wait?: { readonly outcome: WaitOutcome } };
  const waited = wait === undefined ? 0 : WAIT_STATUS[wait.outcome];
  return waited || (exitStatus === undefined ? 0 : STATUS[exitStatus](reply as never, host));
}

/** As in a shell: the command's own status, or 128 and the number of the signal. */
function programStatus(reply: Reply<'run'>, host: Host): number {
  if (reply.outcome === 'timeout') {
    // Only a command of a given shell has a number.
    const goesOn = reply.n === undefined ? '' : `, and continues: t4a wait ${reply.id} --done`;
    host.note(`t4a: The command had not ended after ${reply.duration_ms} ms${goesOn}.\n`);
    return DEADLINE_PASSED;
  }
  if (reply.outcome === 'not_run') {
    host.note('t4a: The shell ran nothing: the command line has an error, or nothing to run.\n');
    return NOTHING_RUN;
  }
  if (reply.signal === null) return reply.exit_code ?? 1;
  host.note(`t4a: The command was ended by ${reply.signal}.\n`);
  // Loaded here alone, so that no other command pays for it.
  const { signals } = process.getBuiltinModule('node:os').constants;
  return 128 + (signals[reply.signal as NodeJS.Signals] ?? 0);
}
