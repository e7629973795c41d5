/** The actions of a trigger, done by the handlers of the commands that they stand for, under the name of its owner. */
import type { AwaitingInput } from '../../events/input/awaiting-input.js';
import { T4aError } from '../../protocol/errors.js';
import { COMMANDS } from '../../protocol/registry.js';
import { type Action, READS_WITHIN_MS } from '../../protocol/triggers.js';
import type { Call } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { kill } from './kill.js';
import { label } from './label.js';
import { press } from './press.js';
import { publish } from './publish.js';
import { restart } from './restart.js';
import { type } from './type.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Trigger } from '../triggers/trigger.js';

const NEVER = new AbortController().signal;

/** @param found set if the program is known to wait for input @throws T4aError the first failure */
export async function act(daemon: Daemon, trigger: Trigger, found: AwaitingInput | undefined): Promise<void> {
  let waiting = found;
  for (const action of trigger.params.do) {
    const isInput = action.press !== undefined || action.type !== undefined;
    if (isInput) await untilReading(trigger.terminal, waiting);
    // The program has something to read now: it must wait anew before it is sent more.
    if (isInput) waiting = undefined;
    await doOne(daemon, trigger, action);
  }
}

async function doOne(daemon: Daemon, { terminal: { id }, as }: Trigger, action: Action): Promise<void> {
  const call = callOf(as);
  const { publish: event, press: keys, type: text, kill: ending, label: change, restart: again } = action;
  if (event !== undefined) await publish(daemon)(event, call('publish'));
  if (keys !== undefined) await press(daemon)(COMMANDS.press.params.parse({ id, keys: [keys].flat() }), call('press'));
  if (text !== undefined) {
    const typed = typeof text === 'string' ? { text } : text;
    await type(daemon)(COMMANDS.type.params.parse({ id, ...typed }), call('type'));
  }
  if (change !== undefined) await label(daemon)({ id, ...change }, call('label'));
  if (again !== undefined) await restart(daemon)(COMMANDS.restart.params.parse({ id }), call('restart'));
  if (ending !== undefined) {
    const how = ending === true ? {} : ending;
    await kill(daemon)(COMMANDS.kill.params.parse({ id, ...how }), call('kill'));
  }
}

/** A call of no connection. */
function callOf(as: string | undefined): (cmd: Call['cmd']) => Call {
  return (cmd) => ({
    cmd,
    as,
    req: undefined,
    signal: NEVER,
    behind: false,
    caughtUp: () => Promise.resolve(),
    cancel: () => false,
    connection: { onGone: () => ({ dispose: () => {} }) },
  });
}

/** @throws T4aError would_echo at a password prompt, input_blocked if the program does not read */
async function untilReading(terminal: Terminal, found: AwaitingInput | undefined): Promise<void> {
  if (!terminal.detectors.tellsAwaitingInput) return;
  const { kind } = found ?? (await awaitReading(terminal)) ?? { kind: undefined };
  if (kind === 'password') {
    throw new T4aError('would_echo', `Terminal "${terminal.id}" asks for a password: a trigger types none.`);
  }
  if (kind === undefined && terminal.alive) {
    const message = `Terminal "${terminal.id}" did not wait for input within ${READS_WITHIN_MS} ms: nothing was sent.`;
    throw new T4aError('input_blocked', message, { hint: `t4a screenshot ${terminal.id}` });
  }
}

function awaitReading({ detectors, parts: { clock } }: Terminal): Promise<AwaitingInput | undefined> {
  return new Promise((resolve) => {
    const listening = detectors.onAwaitingInput((found) => end(found), { now: true });
    const deadline = clock.after(READS_WITHIN_MS, () => end(undefined));
    const end = (found: AwaitingInput | undefined): void => {
      listening.dispose();
      deadline.dispose();
      resolve(found);
    };
  });
}
