/** A daemon without its socket: requests are asked in the test's own process, as lines of the wire all the same. */
import { NEWLINE } from '../../src/protocol/framing.js';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { Log } from '../../src/base/log.js';
import { Daemon, type DaemonSetup } from '../../src/daemon/daemon.js';
import { makeHandlers } from '../../src/daemon/handlers.js';
import type { Terminal } from '../../src/terminal/terminal.js';
import { parseRequestLine } from '../../src/protocol/request.js';
import type { CommandName } from '../../src/protocol/registry.js';
import { dispatch, type Outgoing } from '../../src/rpc/dispatch.js';
import type { ClientCall } from '../../src/rpc/service.js';
import { testCall } from './test-call.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const CONNECTION_COUNTS = { open: 1, refused: 2, requests: 3, in_flight: 4, waiting: 5, unread_bytes: 6 };

export class Rig {
  readonly daemon: Daemon;
  readonly log: string[] = [];
  /** Of calls of `stop`. */
  stops = 0;
  readonly #answer: (line: Uint8Array, call: ClientCall) => Promise<Outgoing>;

  constructor(options: Partial<DaemonSetup> = {}) {
    const log = new Log((line) => this.log.push(line), 'warn');
    this.daemon = new Daemon({
      socketPath: '/rig/socket',
      version: '1.2.3',
      clock: systemClock,
      log,
      env: { PATH: process.env['PATH'] },
      cwd: '/',
      fontsDir: path.join(ROOT, 'fonts'),
      configFile: '/rig/config.json',
      shellDir: '/rig/shell',
      stop: () => void this.stops++,
      connectionCounts: () => CONNECTION_COUNTS,
      widthProblem: () => undefined,
      ...options,
    });
    // The memory of whoever runs the tests has no say in them.
    this.daemon.settings.change({ log_level: 'warn', max_memory_bytes: 1e13 }, {});
    const handlers = makeHandlers(this.daemon);
    this.#answer = (line, call) => dispatch(handlers, parseRequestLine(line), call, log);
  }

  /** What goes out for a request. */
  send(cmd: CommandName, fields: object = {}, signal = new AbortController().signal): Promise<Outgoing> {
    return this.#answer(Buffer.from(JSON.stringify({ cmd, ...fields })), testCall({ signal }));
  }

  /** The reply, also one that is an error. */
  async ask(cmd: CommandName, fields: object = {}, signal?: AbortSignal): Promise<Record<string, unknown>> {
    const { line = new Uint8Array(), bytes = [] } = await this.send(cmd, fields, signal);
    // A line in pieces ends with the last of them.
    const pieces = line.at(-1) === NEWLINE ? [line] : [line, ...bytes];
    return JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
  }

  terminal(id: string): Terminal {
    const terminal = this.daemon.core.terminals.peek(id);
    if (terminal === undefined) throw new Error(`there is no terminal ${id}`);
    return terminal;
  }

  /** A terminal that has shown the text, byte for byte, and whose program has ended. */
  async printed(text: string, fields: object = {}): Promise<string> {
    const script = 'stty -opost; printf %s "$1"';
    const created = await this.ask('create', {
      cmd_args: ['/bin/sh', '-c', script, 'sh', text],
      wait: { until: { exit: true } },
      ...fields,
    });
    expect(created).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
    return String(created['id']);
  }

  /** A terminal that prints the text and shows each byte that it is sent from then on, control characters as `^[`. */
  async showing(text = '', fields: object = {}): Promise<string> {
    return this.#running('exec cat -v', text, fields);
  }

  /** A terminal that prints the text and each byte that it is sent from then on. */
  async echoing(text = '', fields: object = {}): Promise<string> {
    return this.#running('exec cat', text, fields);
  }

  /** Has a program that echoes print this; it ends with a bell, which the screen does not show. */
  async print(id: string, text: string): Promise<void> {
    const reply = await this.ask('send', { id, input: `${text}\x07`, wait: { until: { event: 'bell' } } });
    expect(reply).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
  }

  /** Lines of the viewport without those that are empty at its end, once this text is in it. */
  async linesWith(id: string, text: string): Promise<string[]> {
    const waited = await this.ask('wait', { id, until: { text }, observe: { text: true } });
    expect(waited).toMatchObject({ ok: true, outcome: 'matched' });
    return (waited['observed'] as { lines: string[] }).lines;
  }

  async #running(program: string, text: string, fields: object): Promise<string> {
    const script = `stty raw -echo; printf '%s\\007' "$1"; ${program}`;
    const created = await this.ask('create', {
      cmd_args: ['/bin/sh', '-c', script, 'sh', text],
      wait: { until: { event: 'bell' } },
      ...fields,
    });
    expect(created).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
    return String(created['id']);
  }
}

export function openRig(options: Partial<DaemonSetup> = {}): Rig {
  const rig = new Rig(options);
  onTestFinished(() => rig.daemon.shutdown().then(() => {}));
  return rig;
}

/** One for all tests of a file. */
export function openRigOfFile(): Rig {
  const rig = new Rig();
  afterAll(() => rig.daemon.shutdown().then(() => {}));
  return rig;
}
