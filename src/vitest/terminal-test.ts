/**
 * Vitest's `test` with a fixture: `test('greets', async ({ launch }) => …)`. Its terminals are tied, end with the test, have waits that end
 * before it, and leave what they showed if it fails.
 */
import { test as base, type TestAPI } from 'vitest';
import {
  launch,
  Terminal,
  type CallOptions,
  type CallResult,
  type LaunchOptions,
  type ParamsInput,
  type TerminalCommand,
} from '../client/index.js';
import { timeoutWithin, type TestTask } from './assertion.js';
import { isKept, keepFailure } from './failure-files.js';

/** Most milliseconds of the client's waits. */
const MOST_MS = 30_000;

/** Launch of t4a, with `tied: true` by default. */
export type LaunchInTest = (options?: LaunchOptions) => Promise<Terminal>;

export interface TerminalFixtures {
  readonly launch: LaunchInTest;
}

interface RunningTest extends TestTask {
  readonly name: string;
  readonly suite?: RunningTest | undefined;
  readonly file: { readonly filepath: string };
}

export const test: TestAPI<TerminalFixtures> = base.extend<TerminalFixtures>({
  launch: async ({ task }: { task: RunningTest }, use: (value: LaunchInTest) => Promise<void>) => {
    const terminals: TimedTerminal[] = [];
    await use(async (options = {}) => {
      const launched = await launch({ tied: true, ...options });
      const name = options.name ?? String(terminals.length + 1);
      const terminal = new TimedTerminal(launched, { task, name, ownsClient: options.client === undefined });
      terminals.push(terminal);
      return terminal;
    });
    if (task.result?.state === 'fail') for (const terminal of terminals) await report(terminal, task);
    await Promise.all(terminals.map((terminal) => terminal.close()));
  },
});

/** Terminal whose waits end before its test, so that what one reads is their error, with the screen. */
class TimedTerminal extends Terminal {
  /** Name in those of files: the daemon's own differ from run to run. */
  readonly name: string;
  readonly #task: RunningTest;
  #closed: Promise<void> | undefined;

  constructor(
    { client, id, pid }: Terminal,
    { task, name, ownsClient }: { task: RunningTest; name: string; ownsClient: boolean },
  ) {
    super(client, { id, pid, ownsClient });
    this.name = name;
    this.#task = task;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  override call<Name extends TerminalCommand>(
    cmd: Name,
    fields: Omit<ParamsInput<Name>, 'id'>,
    options: CallOptions = {},
  ): Promise<CallResult<Name>> {
    return super.call(cmd, this.#timed(cmd, fields), options);
  }

  /** Closes the terminal, at the end of the test, if not before. */
  override close(options: { readonly force?: boolean } = {}): Promise<void> {
    return (this.#closed ??= super.close(options));
  }

  #timed<Fields extends object>(cmd: TerminalCommand, fields: Fields): Fields {
    const timeout_ms = timeoutWithin(this.#task, MOST_MS);
    if (cmd === 'wait' || cmd === 'run') return { timeout_ms, ...fields };
    const { wait } = fields as { readonly wait?: object };
    return wait === undefined ? fields : { ...fields, wait: { timeout_ms, ...wait } };
  }
}

async function report(terminal: TimedTerminal, task: RunningTest): Promise<void> {
  if (terminal.isClosed || isKept(terminal)) return;
  const files = await keepFailure(terminal, { name: `${namesOf(task)} ${terminal.name}`, file: task.file.filepath });
  // Vitest prints it with the test.
  // oxlint-disable-next-line no-console
  if (files !== '') console.error(`Terminal ${terminal.id} of the failed test "${task.name}":${files}`);
}

/** Name with those of its suites. */
function namesOf({ name, suite }: RunningTest): string {
  return suite === undefined ? name : `${namesOf(suite)} ${name}`;
}
