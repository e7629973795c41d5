/**
 * A turn as a model states it in the default profile: what to wait for in one word or text, and what to look at. The wire's
 * own forms of `wait` and `observe`, which the full profile has, stay as they are.
 */
import { COMMANDS, type CommandName } from '../protocol/registry.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether it has a turn: it changes something, and can wait for what follows. */
export function acts(name: CommandName): boolean {
  const { params, traits } = COMMANDS[name];
  return traits.effect !== 'read' && 'wait' in params.shape;
}

const CONDITION: Fields = {
  type: 'string',
  description: 'done (shell command), exit, settled, input, or text that appears',
};

const WAIT: Fields = { type: 'object', properties: { for: CONDITION, timeout_ms: { type: 'integer' } } };

export const TURN_SCHEMAS: Readonly<Record<string, Fields>> = {
  wait: { ...WAIT, description: 'Default: settled, 10 s.' },
  observe: {
    type: 'string',
    enum: ['changed', 'text', 'image', 'both', 'none'],
    description: 'Default: changed.',
  },
};

/** Fields that a tool has beside those of its command. */
export const OWN_TURN_SCHEMAS: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  run: {
    wait: { ...WAIT, description: 'Default: done. Else it goes on.' },
    observe: { type: 'string', enum: ['text', 'image', 'both', 'none'] },
  },
  // As after an act.
  wait: { for: CONDITION },
};

const LINE: Fields = { type: 'object', properties: { regex: { type: 'string' } } };

/** Fields of small schemas, in place of those of the command. */
export const SMALL_SCHEMAS: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  wait: {
    until: {
      type: 'object',
      properties: {
        regex: { type: 'string' },
        gone: { type: 'string' },
        control: { type: 'string', enum: ['free', 'mine', 'lost'] },
      },
      description: 'Else than `for`.',
    },
    fail: { ...LINE, description: 'Ends the wait as failed.' },
  },
};

const CONDITIONS: Readonly<Record<string, Fields>> = {
  done: { done: true },
  exit: { exit: true },
  settled: { settled_ms: 300 },
  input: { awaiting_input: true },
  // The word of the wire.
  awaiting_input: { awaiting_input: true },
};

const LOOKS: Readonly<Record<string, Fields>> = {
  changed: { text: { changed: true, selection: true }, cursor: true },
  text: { text: { selection: true } },
  image: { screenshot: true },
  both: { text: { changed: true, selection: true }, screenshot: true },
  none: {},
};

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * The request's fields for the model's.
 * @param byDefault wait until the screen settles, and look at the text, if the model says nothing else
 */
export function withTurn(input: Fields, byDefault: boolean): Fields {
  const { wait = byDefault ? {} : undefined, observe = byDefault ? 'changed' : undefined, ...fields } = input;
  return {
    ...fields,
    ...(wait === undefined ? {} : { wait: waitOf(wait) }),
    ...(observe === undefined ? {} : { observe: lookOf(observe) }),
  };
}

/**
 * `run` with a `wait` for something before the command's end: its terminal is created, or the line typed into the one that is
 * given, and the command goes on there. A wait for the end is what `run` does by itself.
 */
export function runOrTurn(input: Fields): { readonly command: 'run' | 'create' | 'type'; readonly fields: Fields } {
  const { wait, ...fields } = input;
  if (typeof wait !== 'object' || wait === null) return { command: 'run', fields: withPicture(input) };
  const { for: what = 'done', timeout_ms, ...other } = wait as Fields;
  if ((what === 'done' || what === 'exit') && Object.keys(other).length === 0) {
    const deadline = timeout_ms === undefined ? {} : { timeout_ms };
    return { command: 'run', fields: withPicture({ ...deadline, ...fields }) };
  }
  const { id, command, timeout_ms: ofRun, max_lines: _lines, on_timeout: _keeps, ...others } = fields;
  const turn = withTurn(
    { wait: ofRun === undefined ? wait : { timeout_ms: ofRun, ...wait }, observe: 'changed', ...others },
    true,
  );
  return id === undefined
    ? { command: 'create', fields: { command, ...turn } }
    : { command: 'type', fields: { id, text: command, submit: true, ...turn } };
}

/** `observe` of `run`, whose output is text in any case. */
export function withPicture({ observe, ...fields }: Fields): Fields {
  return observe === 'image' || observe === 'both' ? { screenshot: true, ...fields } : fields;
}

function waitOf(wait: unknown): unknown {
  if (typeof wait !== 'object' || wait === null || 'until' in wait) return wait;
  const { for: what = 'settled', ...rest } = wait as Fields;
  if (typeof what !== 'string' || what === '') return wait;
  return { until: conditionOf(what), timeout_ms: DEFAULT_TIMEOUT_MS, ...rest };
}

function conditionOf(what: string): Fields {
  return Object.hasOwn(CONDITIONS, what) ? (CONDITIONS[what] ?? {}) : { text: what };
}

/** The request of the tool `wait`; the first condition that is true ends it. */
export function withCondition({ for: what, until, ...fields }: Fields): Fields {
  const word = typeof what === 'string' ? what : until === undefined ? 'settled' : undefined;
  const conditions = [...(word === undefined ? [] : [conditionOf(word)]), ...[until ?? []].flat()];
  return { ...fields, until: conditions.length === 1 ? conditions[0] : conditions };
}

function lookOf(observe: unknown): unknown {
  return typeof observe === 'string' && Object.hasOwn(LOOKS, observe) ? LOOKS[observe] : observe;
}
