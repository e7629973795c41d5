/** Handlers of a daemon without terminals: just enough behaviour for the tests of the wire. */
import type { Handlers, ReplyWithBytes } from '../../src/rpc/service.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { protocolSchema } from '../../src/protocol/json-schema.js';
import { T4aError } from '../../src/protocol/errors.js';
import { COMMAND_NAMES } from '../../src/protocol/registry.js';
import { DEFAULT_CONFIG } from '../../src/protocol/commands/config.js';

const started = performance.now();

function unknown({ id = '' }: { id?: string }): never {
  throw new T4aError('terminal_not_found', `No terminal "${id}".`, { hint: 't4a list' });
}

/** Answers of commands that tests of the wire use; the others find no terminal. `overrides` replace what a test is about. */
export function testHandlers(overrides: Partial<Handlers> = {}): Handlers {
  const others = Object.fromEntries(COMMAND_NAMES.map((name) => [name, unknown]));
  const answers: Partial<Handlers> = {
    create: ({ name, cols, rows }) => ({ reply: { id: name ?? 't1', cols, rows, pid: process.pid } }),
    list: () => ({ terminals: [] }),
    send: () => ({ reply: {} }),
    resize: ({ cols, rows }) => ({ reply: { cols, rows, rev: 1 } }),
    config: (params) => ({ ...DEFAULT_CONFIG, ...withoutUndefined({ ...params, sources: undefined }) }),
    ping: () => ({
      version: '0.0.0-test',
      protocol: PROTOCOL_VERSION,
      pid: process.pid,
      socket: '/test',
      uptime_ms: Math.round(performance.now() - started),
      terminals: 0,
    }),
    stats: () => {
      throw new T4aError('internal', 'There is nothing to count here.');
    },
    schema: () => ({ schema: protocolSchema() }),
    shutdown: () => ({}),
  };
  return { ...(others as unknown as Handlers), ...answers, ...overrides };
}

/** The reply of `text`, with these lines. */
export function textReply(lines: string[]): ReplyWithBytes<'text'> {
  const cursor = { row: 0, col: 0, visible: true };
  const { length } = lines;
  const range = { start: 0, end: length, total_lines: length, first_line: 0 };
  return { reply: { lines, region: 'viewport', ...range, rev: 1, cursor } };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>;
}
