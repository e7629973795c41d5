/**
 * A turn as a model states it in the default profile: what to wait for in one word or text, and what to look at. The wire's
 * own forms of `wait` and `observe` are taken, too.
 */
type Fields = Readonly<Record<string, unknown>>;

/** Of the tools that act. */
export const TURN_TOOLS: ReadonlySet<string> = new Set(['create', 'type', 'press']);

export const TURN_SCHEMAS: Readonly<Record<string, Fields>> = {
  wait: {
    type: 'object',
    description: 'Wait afterwards; by default until the screen settles.',
    properties: {
      for: {
        type: 'string',
        description:
          '"done" (the command in the shell), "exit", "settled", "input" (the program waits for it), or a text that appears.',
      },
      timeout_ms: { type: 'integer', description: 'Default: 10000.' },
      fresh: { type: 'boolean', description: 'Only what comes after the act counts.' },
    },
    additionalProperties: false,
  },
  observe: {
    type: 'string',
    enum: ['text', 'image', 'both', 'none'],
    description: 'What to return of the screen then. Default: text.',
  },
};

const CONDITIONS: Readonly<Record<string, Fields>> = {
  done: { done: true },
  exit: { exit: true },
  settled: { settled_ms: 300 },
  input: { awaiting_input: true },
};

const LOOKS: Readonly<Record<string, Fields>> = {
  text: { text: true },
  image: { screenshot: true },
  both: { text: true, screenshot: true },
  none: {},
};

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * The request's fields for the model's.
 * @param byDefault wait until the screen settles, and look at the text, if the model says nothing else
 */
export function withTurn(input: Fields, byDefault: boolean): Fields {
  const { wait = byDefault ? {} : undefined, observe = byDefault ? 'text' : undefined, ...fields } = input;
  return {
    ...fields,
    ...(wait === undefined ? {} : { wait: waitOf(wait) }),
    ...(observe === undefined ? {} : { observe: lookOf(observe) }),
  };
}

/** `observe` of `run`, whose output is text in any case. */
export function withPicture({ observe, ...fields }: Fields): Fields {
  return observe === 'image' || observe === 'both' ? { screenshot: true, ...fields } : fields;
}

/** What is none of the model's forms is left to the daemon, which says what is wrong with it. */
function waitOf(wait: unknown): unknown {
  if (typeof wait !== 'object' || wait === null || 'until' in wait) return wait;
  const { for: what = 'settled', ...rest } = wait as Fields;
  if (typeof what !== 'string' || what === '') return wait;
  const until = Object.hasOwn(CONDITIONS, what) ? CONDITIONS[what] : { text: what };
  return { until, timeout_ms: DEFAULT_TIMEOUT_MS, ...rest };
}

function lookOf(observe: unknown): unknown {
  return typeof observe === 'string' && Object.hasOwn(LOOKS, observe) ? LOOKS[observe] : observe;
}
