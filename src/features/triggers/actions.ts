/** The actions of a trigger, done by the handlers of the commands that they stand for, under the name of its owner. */
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { T4aError } from '../../protocol/errors.js';
import { COMMANDS } from '../../protocol/registry.js';
import { type Action, ACTION_KINDS, type ActionKind, READS_WITHIN_MS } from '../../protocol/triggers.js';
import type { Call, Handlers } from '../../rpc/service.js';
import type { Core } from '../core.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Chain } from './causes.js';
import type { Firing, Trigger } from './trigger.js';

const NEVER = new AbortController().signal;

/** Commands that actions stand for. */
export type Acting = Pick<
  Handlers,
  'ask' | 'create' | 'deliver' | 'kill' | 'label' | 'paste' | 'press' | 'restart' | 'type'
>;

/** Does all actions of a trigger. @throws T4aError the first failure */
export type Act = (trigger: Trigger, firing: Firing) => Promise<void>;

export const acting =
  (core: Core, commands: Acting): Act =>
  async (trigger, firing) => {
    const { text, chain, isGone } = firing;
    let waiting = firing.found;
    let isAnswering = false;
    for (const action of trigger.params.do) {
      const isInput = INPUTS.some((kind) => action[kind] !== undefined);
      if (isInput) {
        await untilReading(trigger.terminal, waiting);
        // In the same step as the write: what is sent after the first input is part of the same answer.
        if (!isAnswering) assertAsked(trigger, firing);
        isAnswering = true;
        // The program has something to read now: it must wait anew before it is sent more.
        waiting = undefined;
      }
      for (const kind of ACTION_KINDS) {
        if (action[kind] !== undefined)
          await DO[kind](action[kind] as never, {
            core,
            commands,
            trigger,
            text,
            chain,
            isGone,
            call: callOf(trigger.as),
          });
      }
    }
  };

const INPUTS: readonly ActionKind[] = ['press', 'type', 'paste'];

interface Context {
  readonly core: Core;
  readonly commands: Acting;
  readonly trigger: Trigger;
  /** Text that matched. */
  readonly text: string | null;
  readonly chain: Chain;
  readonly isGone: boolean;
  readonly call: (cmd: Call['cmd']) => Call;
}

type Actions = { readonly [Kind in ActionKind]: (value: NonNullable<Action[Kind]>, context: Context) => unknown };

/** Of `T4A_MATCH`: the system refuses a program with a variable of 128 KiB. */
const MAX_MATCH_LENGTH = 4096;

const DO: Actions = {
  publish: (event, { core, trigger: { as }, chain }) =>
    core.bus.announce({ event: 'published', ...event, ...(as === undefined ? {} : { as }) }, chain),
  press: (keys, { commands, trigger, call }) => {
    const params = { id: trigger.terminal.id, keys: [keys].flat() };
    return commands.press(COMMANDS.press.params.parse(params), call('press'));
  },
  type: (text, { commands, trigger, call }) => {
    const typed = typeof text === 'string' ? { text } : text;
    return commands.type(COMMANDS.type.params.parse({ id: trigger.terminal.id, ...typed }), call('type'));
  },
  paste: (text, { commands, trigger, call }) =>
    commands.paste(COMMANDS.paste.params.parse({ id: trigger.terminal.id, text }), call('paste')),
  // It looks for itself whether the agent takes a prompt.
  deliver: async (given, { commands, trigger, call }) => {
    const own = typeof given === 'string' ? { text: given } : given;
    const params = COMMANDS.deliver.params.parse({ id: trigger.terminal.id, ...own });
    const { outcome, hint } = await commands.deliver(params, call('deliver'));
    if (outcome === 'submitted') return;
    throw new T4aError(
      'input_blocked',
      `The prompt was not delivered (${outcome}).`,
      hint === undefined ? {} : { hint },
    );
  },
  run: async ({ command, name }, { core, commands, trigger, text, call }) => {
    assertRunsLeft(core, trigger);
    const { terminal, title } = trigger;
    const { cwd, env } = terminal.setup.pty;
    // One line: what matched is data of a program, and never a part of the command.
    const match = (text ?? '').replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, MAX_MATCH_LENGTH);
    const own = { command, cwd, env: { ...env, T4A_MATCH: match }, inherit_env: false, parent: terminal.id };
    const named = name === undefined ? {} : { name };
    const made = await commands.create(COMMANDS.create.params.parse({ ...own, ...named, title }), call('create'));
    trigger.follow(core.terminals.peek(made.reply.id));
  },
  ask: (asked, { commands, trigger, call }) =>
    // The trigger does not wait for the answer.
    commands.ask(COMMANDS.ask.params.parse({ ...asked, id: trigger.terminal.id, timeout_ms: 0 }), call('ask')),
  // Its words are in the event.
  notify: () => {},
  restart: (_, { commands, trigger, call }) =>
    commands.restart(COMMANDS.restart.params.parse({ id: trigger.terminal.id }), call('restart')),
  kill: (ending, { commands, trigger, isGone, call }) => {
    const how = ending === true ? {} : ending;
    const params = { ...how, id: trigger.terminal.id, force: isGone };
    // With the end of a connection it is nobody's act.
    const by = isGone ? callOf(undefined) : call;
    return commands.kill(COMMANDS.kill.params.parse(params), by('kill'));
  },
  label: (change, { commands, trigger, call }) =>
    commands.label({ ...change, id: trigger.terminal.id, force: false }, call('label')),
};

/** The runs of a trigger are made one after the other. @throws T4aError too_many_terminals */
function assertRunsLeft({ config }: Core, trigger: Trigger): void {
  const most = config.max_trigger_runs;
  if (most === 0 || trigger.runs.size < most) return;
  throw new T4aError('too_many_terminals', `${trigger.runs.size} runs of it have not ended, which is the limit.`, {
    hint: 'End some with "kill", or raise "max_trigger_runs" with "config".',
  });
}

/** A call of no connection. */
export function callOf(as: string | undefined): (cmd: Call['cmd']) => Call {
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

/** @throws T4aError input_blocked if what matched is not what the program asks now */
function assertAsked({ question, terminal, params }: Trigger, firing: Firing): void {
  // What is no text on the screen has no line.
  if (firing.line === undefined || params.anywhere) return;
  const hindrance = question.hindrance(terminal.detectors, firing);
  if (hindrance === undefined) return;
  throw new T4aError('input_blocked', `${hindrance}: nothing was sent.`, {
    hint: 'A trigger with "anywhere" sends wherever the match stands.',
  });
}

function awaitReading({ detectors, clock }: Terminal): Promise<AwaitingInput | undefined> {
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
