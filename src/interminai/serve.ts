/** `t4a interminai`: serves one terminal over interminai's socket protocol until STOP or a signal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { quote, T4aError } from '../protocol/errors.js';
import { ProgramActivity } from './activity.js';
import { answer, type Served } from './requests.js';
import { ServedTerminal, type ServedTerminalOptions } from './served-terminal.js';
import { InterminaiServer } from './server.js';

export interface InterminaiOptions extends ServedTerminalOptions {
  /** Path of the socket. Default: in a new directory, which is removed at the end. */
  readonly socketPath?: string | undefined;
  /** Unhandled sequences in a reply to DEBUG. */
  readonly debugBuffer: number;
  /** Called once requests are answered. */
  readonly onListening: (place: { readonly socketPath: string; readonly isGenerated: boolean }) => void;
}

/** Resolves once the socket is removed. The terminal ends with STOP; with a signal only if it was created for this. */
export async function serveInterminai(options: InterminaiOptions): Promise<void> {
  const ending = new Ending();
  const isGenerated = options.socketPath === undefined;
  const terminal = await ServedTerminal.open(options);
  let server: InterminaiServer | undefined;
  let socketPath: string | undefined;
  try {
    const seen = terminal.isOwn ? 0 : (await terminal.call('status', {})).output_bytes;
    const activity = new ProgramActivity(terminal, seen);
    const served: Served = {
      terminal,
      activity,
      debugBuffer: options.debugBuffer,
      stop() {
        server?.stop(() => ending.reach('stop'));
      },
    };
    server = new InterminaiServer((line, signal) => answer(line, served, signal));
    socketPath = resolve(options.socketPath ?? generatedPath());
    await server.listen(socketPath);
    options.onListening({ socketPath, isGenerated });
    await ending.reached;
  } finally {
    server?.remove();
    if (ending.cause === 'stop' || terminal.isOwn) await terminal.end();
    server?.close();
    if (isGenerated && socketPath !== undefined) rmSync(dirname(socketPath), { recursive: true, force: true });
    await terminal.close();
    ending.dispose();
  }
}

/** mkdtemp makes directories that only their owner may enter. @throws T4aError `usage` with the system's reason */
function generatedPath(): string {
  const place = tmpdir();
  try {
    return join(mkdtempSync(join(place, 'interminai-')), 'socket');
  } catch (error) {
    throw new T4aError('usage', `No folder can be made in ${quote(place)} (${errnoOf(error) ?? String(error)}).`, {
      hint: 'Name the socket with --socket, or another place in TMPDIR.',
    });
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The first cause counts. */
class Ending {
  readonly reached: Promise<void>;
  cause: 'stop' | 'signal' | undefined;
  #resolve: () => void = () => {};
  readonly #onSignal = (): void => this.reach('signal');

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  reach(cause: 'stop' | 'signal'): void {
    this.cause ??= cause;
    this.#resolve();
  }

  dispose(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }
}
