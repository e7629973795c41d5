/** A terminal of a test's own, and fences on what it shows: looked at again whenever its output has paused. */
import { expect } from 'vitest';
import { request, type TestDaemon } from './daemon.js';
import { requireProgram } from './programs.js';
import { EventStream } from './wait-for.js';

/** Output pauses for so long before the screen is looked at. */
const PAUSE_MS = 60;

export class TestTerminal {
  readonly id: string;
  readonly #daemon: TestDaemon;
  readonly #events: EventStream;

  private constructor(daemon: TestDaemon, id: string, events: EventStream) {
    this.#daemon = daemon;
    this.id = id;
    this.#events = events;
  }

  static async start(daemon: TestDaemon, command: readonly string[], fields: object = {}): Promise<TestTerminal> {
    const [program = ''] = command;
    if (!program.includes('/')) requireProgram(program);
    const reply = await request(daemon, { cmd: 'create', cmd_args: command, idle_timeout_ms: PAUSE_MS, ...fields });
    expect(reply).toMatchObject({ ok: true });
    const id = String(reply['id']);
    return new TestTerminal(daemon, id, await EventStream.open(daemon.socketPath, { terminal: id, since: 0 }));
  }

  /** A request about this terminal, whatever its answer. */
  ask(cmd: string, fields: object = {}): Promise<Record<string, unknown>> {
    return request(this.#daemon, { cmd, id: this.id, ...fields });
  }

  /** A request that must succeed. */
  async do(cmd: string, fields: object = {}): Promise<Record<string, unknown>> {
    const reply = await this.ask(cmd, fields);
    expect(reply).toMatchObject({ ok: true });
    return reply;
  }

  press(...keys: string[]): Promise<Record<string, unknown>> {
    return this.do('press', { keys });
  }

  async lines(fields: object = {}): Promise<string[]> {
    return (await this.do('text', { trim: true, ...fields }))['lines'] as string[];
  }

  /** Resolves with the viewport once it holds the text. */
  async untilShows(wanted: string | RegExp): Promise<string> {
    for (;;) {
      const shown = (await this.lines()).join('\n').trimEnd();
      if (typeof wanted === 'string' ? shown.includes(wanted) : wanted.test(shown)) return shown;
      await this.until('idle');
    }
  }

  /** Resolves once the program waits for input, and the screen does not hold `gone` any more. */
  async untilReads(gone?: string): Promise<void> {
    if (gone !== undefined) expect(await this.do('wait', { until: { gone } })).toMatchObject({ outcome: 'matched' });
    expect(await this.do('wait', { until: { awaiting_input: true } })).toMatchObject({ outcome: 'matched' });
  }

  until(type: string, matches?: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    return this.#events.until(type, matches);
  }

  /** Resolves with the `exit` event. */
  exited(): Promise<Record<string, unknown>> {
    return this.until('exit');
  }

  /** Ends the program and forgets the terminal. */
  async end(): Promise<void> {
    this.#events.close();
    await this.ask('kill');
  }
}
