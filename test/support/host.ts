/** Where the command line runs, as a test says, and what it writes there. */
import type { Host } from '../../src/cli/host.js';
import { ownFiles } from '../../src/cli/own-files.js';

export interface FakeHost extends Host {
  /** What came on standard output; bytes as they are. */
  readonly printed: () => string;
  /** What came on standard error. */
  readonly noted: () => string;
  /** The keys are pressed on the terminal, if anybody watches. */
  readonly press: (keys: string) => void;
  /** How many watch the keys. */
  readonly watchers: () => number;
}

/** In a pipe, without environment and configuration, unless the test says otherwise. */
export function host(overrides: Partial<Host> = {}): FakeHost {
  const outs: string[] = [];
  const notes: string[] = [];
  const listeners = new Set<(keys: string) => void>();
  return {
    env: {},
    scope: () => undefined,
    parent: () => ({ pid: 1 }),
    cwd: () => '/here',
    files: ownFiles(),
    configFile: () => undefined,
    stdinIsTerminal: false,
    stdoutIsTerminal: false,
    columns: () => undefined,
    rows: () => undefined,
    stdin: () => input(),
    keys(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    out: (data) => outs.push(typeof data === 'string' ? data : Buffer.from(data).toString('latin1')),
    note: (text) => notes.push(text),
    progress: () => {},
    ...overrides,
    printed: () => outs.join(''),
    noted: () => notes.join(''),
    press(keys) {
      for (const listener of listeners) listener(keys);
    },
    watchers: () => listeners.size,
  };
}

/** Standard output and input are a terminal of that size. */
export function onTerminal(overrides: Partial<Host> = {}): FakeHost {
  return host({
    stdinIsTerminal: true,
    stdoutIsTerminal: true,
    columns: () => 80,
    rows: () => 24,
    ...overrides,
  });
}

/** Standard input that holds these pieces. */
export async function* input(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}
