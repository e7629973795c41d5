/**
 * One terminal, for input and observation. It belongs to the daemon that created it: when that daemon is gone, so is
 * the terminal, and every call fails instead of using another daemon's terminal of the same name.
 */
import type { ParamsInput, Reply } from '../protocol/registry.js';
import type { Client } from './client.js';
import type { CallArguments, CallName, CallOptions, CallResult } from './connection.js';
import { succeeded } from '../protocol/end-words.js';
import { T4aError } from '../protocol/errors.js';
import type { Pong } from './handshake.js';
import { isAnother } from './resume.js';
import { TerminalEvents, type TerminalEventFilter } from './terminal-events.js';
import { WaitFailure } from './wait-failure.js';

/** Commands that name a terminal. */
export type TerminalCommand = {
  [Name in CallName]: 'id' extends keyof ParamsInput<Name> ? Name : never;
}[CallName];

/** Fields of a command without the terminal and those that are arguments of their own, and a signal. */
export type TerminalOptions<Name extends TerminalCommand, Own extends string = never> = Omit<
  ParamsInput<Name>,
  'id' | Own
> &
  CallOptions;

export interface TextOptions extends TerminalOptions<'text'> {
  /** Keep the blank lines below the last one with text: one line for each row. Default: false. */
  readonly blank_lines?: boolean;
}

export type WaitCondition = Exclude<ParamsInput<'wait'>['until'], readonly unknown[]>;

type ObservedPicture = NonNullable<NonNullable<ParamsInput<'wait'>['observe']>['screenshot']>;

/** A picture and its facts; the bytes are a PNG unless another `format` was requested. */
export type Picture = CallResult<'screenshot'> & { readonly bytes: Uint8Array };

/** Everything of one instant and one `rev`. */
export interface Observation {
  readonly png: Uint8Array;
  /** The viewport, without trailing blanks. */
  readonly text: string;
  readonly cursor: Pick<Reply<'cursor'>, 'row' | 'col' | 'visible'>;
  readonly rev: number;
}

export interface ProgramEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

export interface CommandEnd extends ProgramEnd {
  /** Its line; null if unknown. */
  readonly command: string | null;
  /** Null if the exit code is unknown, as in a shell that reports none, or if no command has run yet. */
  readonly succeeded: boolean | null;
}

export class Terminal {
  readonly id: string;
  /** Process id of the program; null for a recording that `open` has opened. */
  readonly pid: number | null;
  readonly client: Client;
  readonly #daemon: Pong;
  readonly #ownsClient: boolean;

  constructor(
    client: Client,
    { id, pid, ownsClient = false }: { id: string; pid: number | null; ownsClient?: boolean },
  ) {
    this.client = client;
    this.id = id;
    this.pid = pid;
    this.#daemon = client.daemon;
    this.#ownsClient = ownsClient;
  }

  /**
   * Any command on this terminal, with its complete reply.
   * @throws T4aError with the daemon's code; `terminal_not_found` also if the daemon is another one by now
   */
  async call<Name extends TerminalCommand>(
    cmd: Name,
    fields: Omit<ParamsInput<Name>, 'id'>,
    options: CallOptions = {},
  ): Promise<CallResult<Name>> {
    await this.client.reach(options);
    if (isAnother(this.#daemon, this.client.daemon)) throw this.#goneWithItsDaemon();
    // The fields are those of the command without the added one; the compiler cannot derive that.
    const args = [{ ...fields, id: this.id }, options] as unknown as CallArguments<Name>;
    return this.client.call(cmd, ...args);
  }

  /** Keys by name: `press('Ctrl+C')`, `press(['Escape', ':', 'w', 'q', 'Enter'])`. */
  press(
    keys: string | readonly string[],
    options: TerminalOptions<'press', 'keys'> = {},
  ): Promise<CallResult<'press'>> {
    return this.#ask('press', { keys: typeof keys === 'string' ? [keys] : [...keys] }, options);
  }

  /** Types a text; with `submit`, Enter afterwards. */
  type(text: string, options: TerminalOptions<'type', 'text'> = {}): Promise<CallResult<'type'>> {
    return this.#ask('type', { text }, options);
  }

  /** Pastes a text: bracketed if the program has asked for that. */
  paste(text: string, options: TerminalOptions<'paste', 'text'> = {}): Promise<CallResult<'paste'>> {
    return this.#ask('paste', { text }, options);
  }

  /** Sends input unchanged: a text as UTF-8, or bytes. */
  send(
    input: string | Uint8Array,
    options: TerminalOptions<'send', 'input' | 'input_base64'> = {},
  ): Promise<CallResult<'send'>> {
    const field = typeof input === 'string' ? { input } : { input_base64: Buffer.from(input).toString('base64') };
    return this.#ask('send', field, options);
  }

  /**
   * Runs a command at the prompt of the shell in this terminal: a line for that shell, or words. The result reports
   * `exit_code`, `lines`, and `outcome`, which is `done` unless the command could not be run or did not end.
   * @throws T4aError `shell_busy` if the shell is not at an empty prompt, `no_shell_prompt` if it reports none
   */
  run(
    command: string | readonly string[],
    options: TerminalOptions<'run', 'command' | 'cmd_args'> = {},
  ): Promise<CallResult<'run'>> {
    return this.#ask('run', typeof command === 'string' ? { command } : { cmd_args: [...command] }, options);
  }

  /** Clicks in the middle of a text that is on the screen, or in a cell. */
  click(
    target: string | RegExp | { readonly row: number; readonly col: number },
    options: TerminalOptions<'mouse', 'action'> = {},
  ): Promise<CallResult<'mouse'>> {
    return this.#ask('mouse', { action: 'click', ...placeOf(target) }, options);
  }

  /**
   * Lines joined with line breaks, without trailing blanks, and without the blank lines below the last one. `call('text', …)` also returns
   * the outcome of a `wait`.
   */
  async text({ blank_lines = false, ...options }: TextOptions = {}): Promise<string> {
    const { lines } = await this.#ask('text', { trim: true }, options);
    return lines.slice(0, blank_lines ? lines.length : lines.findLastIndex((line) => line !== '') + 1).join('\n');
  }

  async screenshot(options: TerminalOptions<'screenshot', 'inline' | 'if_rev'> = {}): Promise<Picture> {
    const { bytes, ...reply } = await this.#ask('screenshot', {}, options);
    if (bytes === undefined) throw new T4aError('internal', 'The daemon sent no picture.');
    return { ...reply, bytes };
  }

  /** Picture, text and cursor of one and the same instant. */
  async observe(options: CallOptions & { readonly screenshot?: ObservedPicture } = {}): Promise<Observation> {
    const { screenshot = true, signal } = options;
    // True of any screen: no wait.
    const until = { cursor: {} };
    const reply = await this.call('wait', { until, observe: { text: true, cursor: true, screenshot } }, { signal });
    const { observed, bytes } = reply;
    if (observed?.rev === undefined || observed.lines === undefined || observed.cursor === undefined || !bytes) {
      throw new T4aError('internal', 'The daemon sent no observation.');
    }
    return { png: bytes, text: observed.lines.join('\n'), cursor: observed.cursor, rev: observed.rev };
  }

  /** Reports any outcome; {@link waitFor} fails unless the condition comes true. */
  wait(options: TerminalOptions<'wait'>): Promise<CallResult<'wait'>> {
    return this.#ask('wait', {}, options);
  }

  /** @throws {@link WaitFailure} with the screen's last lines, at the deadline (30 s unless `timeout_ms` is given) */
  async waitFor(
    until: WaitCondition | WaitCondition[],
    options: TerminalOptions<'wait', 'until'> = {},
  ): Promise<CallResult<'wait'>> {
    const reply = await this.#ask('wait', { until }, options);
    if (reply.outcome !== 'matched') throw new WaitFailure(this.id, JSON.stringify(until), reply);
    return reply;
  }

  /**
   * Waits until the text is on the screen, or has scrolled by. A regular expression is searched for in each line, in
   * RE2's syntax (no lookaround, no back references); of its flags `i` counts.
   */
  waitForText(text: string | RegExp, options: TerminalOptions<'wait', 'until'> = {}): Promise<CallResult<'wait'>> {
    return this.waitFor(typeof text === 'string' ? { text } : { regex: patternOf(text) }, options);
  }

  /** Waits until the process has ended, and all of its output is on the screen. */
  async waitForExit(options: TerminalOptions<'wait', 'until'> = {}): Promise<ProgramEnd> {
    await this.waitFor({ exit: true }, options);
    const { exit_code, signal } = await this.call('status', {}, { signal: options.signal });
    return { exit_code, signal };
  }

  /**
   * Waits until the shell has no command under way: how the last one ended. `succeeded` is true for the exit code 0 alone.
   * @throws {@link WaitFailure} also if the shell itself ends
   */
  async waitForDone(options: TerminalOptions<'wait', 'until'> = {}): Promise<CommandEnd> {
    const reply = await this.waitFor({ done: true }, options);
    const { exit_code = null, signal = null, command = null } = reply;
    return { exit_code, signal, command, succeeded: succeeded({ exit_code, signal }) };
  }

  /** Waits until the screen has not changed for this long, except for periodic changes (a clock, a spinner). */
  waitUntilSettled(ms = 500, options: TerminalOptions<'wait', 'until'> = {}): Promise<CallResult<'wait'>> {
    return this.waitFor({ settled_ms: ms }, options);
  }

  /** Subscribed at once; ends after `removed`, with {@link TerminalEvents.close}, and throws `connection_lost` when the daemon goes. */
  events(filter: TerminalEventFilter = {}, options: CallOptions = {}): TerminalEvents {
    return new TerminalEvents(this.client, this.id, filter, options);
  }

  async resize(cols: number, rows: number, options: TerminalOptions<'resize', 'cols' | 'rows'> = {}): Promise<void> {
    await this.#ask('resize', { cols, rows }, options);
  }

  /** Ends the program and removes the terminal; with a signal only sends that. */
  async kill(signalName?: string, options: CallOptions = {}): Promise<void> {
    await this.call('kill', signalName === undefined ? {} : { signal: signalName }, options);
  }

  /**
   * Removes the terminal, if it still exists; {@link launch}'s own connection is closed.
   * @param options `force`: also while another name has control of it; a person alone may
   * @throws T4aError control_held
   */
  async close({ force = false }: { readonly force?: boolean } = {}): Promise<void> {
    try {
      await this.call('kill', force ? { force } : {});
    } catch (error) {
      const isGone = error instanceof T4aError && ['terminal_not_found', 'connection_lost'].includes(error.code);
      if (!isGone) throw error;
    } finally {
      if (this.#ownsClient) await this.client.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Options override the method's own fields, unless their type forbids it. */
  #ask<Name extends TerminalCommand>(
    cmd: Name,
    own: object,
    { signal, ...fields }: CallOptions,
  ): Promise<CallResult<Name>> {
    return this.call(cmd, { ...own, ...fields } as Omit<ParamsInput<Name>, 'id'>, { signal });
  }

  #goneWithItsDaemon(): T4aError {
    const message = `Terminal ${JSON.stringify(this.id)} is gone with its daemon (pid ${this.#daemon.pid}).`;
    return new T4aError('terminal_not_found', message, { hint: 'Launch it again: another daemon answers now.' });
  }
}

function placeOf(target: string | RegExp | { readonly row: number; readonly col: number }): object {
  if (typeof target === 'string') return { on_text: target };
  return target instanceof RegExp ? { on_regex: patternOf(target) } : target;
}

function patternOf({ source, flags }: RegExp): string {
  return flags.includes('i') ? `(?i)${source}` : source;
}
