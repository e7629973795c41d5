/** The tmux door: answers command lines of tmux with terminals of the daemon. It has no socket of its own: its caller brings calls. */
import { connect } from '../client/client.js';
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { whyUnsafe } from '../base/ownership.js';
import { writePrivateFile } from '../base/private-file.js';
import type { ConnectOptions } from '../client/open-connection.js';
import { isT4aError } from '../protocol/errors.js';
import { type Arguments, inFull, parseArguments, verbNamed } from './arguments.js';
import { BUFFER_VERBS } from './buffer-verbs.js';
import { Door } from './door.js';
import { actIn, admitEnds } from './ends.js';
import { KEY_VERBS } from './key-verbs.js';
import { type HookNotice, noticesBetween, type SeenState, seenOf, variablesOf } from './notices.js';
import { buffersPath, savedPath } from './places.js';
import type { PasteBuffer } from './model.js';
import { OPTION_VERBS } from './option-verbs.js';
import { isHook, Refusal } from './options.js';
import { PANE_VERBS } from './pane-verbs.js';
import { type Call, type VerbHandler, quietCall, VerbRun, type TextFrom } from './run.js';
import { buffersText, restore, restoreBuffers, savedText } from './saved.js';
import { SERVER_VERBS } from './server-verbs.js';
import { nameWindows, takeNames } from './renaming.js';
import { SESSION_VERBS } from './session-verbs.js';
import type { State } from './state.js';
import type { TargetPart } from './targets.js';
import { TEXT_VERBS } from './text-verbs.js';
import { type Command, commandsOf, parseCommands } from './words.js';
import { WINDOW_VERBS } from './window-verbs.js';

export { type Call, quietCall } from './run.js';

const HANDLERS: Readonly<Record<string, VerbHandler>> = {
  ...SESSION_VERBS,
  ...WINDOW_VERBS,
  ...PANE_VERBS,
  ...TEXT_VERBS,
  ...BUFFER_VERBS,
  ...OPTION_VERBS,
  ...KEY_VERBS,
  ...SERVER_VERBS,
};

/** Verbs that change nothing that is kept. */
const READING = /^(send-keys|has-session|capture-pane|display-message|wait-for|(list|show)-.*)$/;

const SOON_MS = 50;
/** Name of the author of all that doors do, for each of their callers. */
const NAME = 'tmux';

/** Hooks that commands set off may run commands. */
const MOST_DEPTH = 20;
/** Texts of commands in one call: a file that reads itself twice would double at each level. */
const MOST_TEXTS = 10_000;

export interface DoorOptions {
  readonly socketPath: string;
  /** Directory of the call that starts it. */
  readonly cwd: string;
  /** Files of commands, given by `-f`. */
  readonly files: readonly string[];
  /** Options of the door's daemon. */
  readonly daemon: ConnectOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The last session has gone. */
  readonly onEmpty: () => void;
  /** Handler of the end of the daemon. */
  readonly onLost: () => void;
}

export class TmuxDoor {
  readonly #door: Door;
  readonly #stop = new AbortController();
  readonly #texts = new WeakMap<Call, number>();
  #seen: SeenState | undefined;
  #saved = '';
  #isSavedSoon = false;
  /** Buffers as the file has them. */
  #buffers: readonly PasteBuffer[] = [];
  #isRestoring = true;

  private constructor(door: Door) {
    this.#door = door;
  }

  /** @throws T4aError if no daemon can be reached */
  static async open({ socketPath, cwd, files, daemon, env, onEmpty, onLost }: DoorOptions): Promise<TmuxDoor> {
    const client = await connect({ as: NAME, ...daemon });
    const door = new Door(client, socketPath, {
      // A door that is made anew and has nothing left answers its first call.
      onEmpty: () => (opened.#isRestoring ? undefined : onEmpty()),
      onNotice: (notice) => opened.#hook(notice),
      onChange: () => opened.#notice(),
    });
    const opened = new TmuxDoor(door);
    for (const [name, value] of Object.entries(env)) {
      if (value !== undefined && !['TMUX', 'TMUX_PANE', 'T4A_TERMINAL'].includes(name))
        door.state.environment.set(name, { value, hidden: false });
    }
    door.state.files = files;
    door.state.environment.set('PWD', { value: cwd, hidden: false });
    const { SHELL: shell } = env;
    if (shell?.startsWith('/') === true) door.state.sessionOptions.set('default-shell', shell);
    // Ends are followed before the living are listed: none falls between.
    void door
      .follow(opened.#stop.signal)
      .catch(() => {})
      .finally(() => {
        if (!opened.#stop.signal.aborted) onLost();
      });
    await opened.#restore().finally(() => (opened.#isRestoring = false));
    return opened;
  }

  /** The sessions of a door that was killed. */
  async #restore(): Promise<void> {
    const { client, state } = this.#door;
    const text = ownText(savedPath(state.socketPath));
    // The door before ended by itself, or there was none.
    if (text === undefined) return;
    const { terminals } = await client.call('list', { where: { labels: this.#door.labels } });
    const living = terminals.filter(({ alive }) => alive);
    try {
      restore(state, this.#door, text, living);
    } catch {
      // Of another version, or cut: the labels are left.
      for (const all of [state.sessions, state.windows, state.panes]) all.clear();
      restore(state, this.#door, '', living);
    }
    try {
      restoreBuffers(state, ownText(buffersPath(state.socketPath)) ?? '[]');
    } catch {
      state.buffers.clear();
    }
  }

  /** A door that is killed right behind an answer is made anew with what was answered: all is written before. */
  #save(): void {
    if (this.#door.isClosing || this.#stop.signal.aborted) return;
    const { state } = this.#door;
    const text = savedText(state);
    if (text !== this.#saved && written(savedPath(state.socketPath), text)) this.#saved = text;
    const buffers = [...state.buffers.values()];
    const isOld = buffers.length !== this.#buffers.length || buffers.some((one, at) => one !== this.#buffers[at]);
    if (isOld && written(buffersPath(state.socketPath), buffersText(buffers))) this.#buffers = buffers;
  }

  /** Saves soon. All that a file, a hook or a block runs is written once: with its command, else soon after. */
  #saveSoon(): void {
    if (this.#isSavedSoon) return;
    this.#isSavedSoon = true;
    const save = (): void => {
      this.#isSavedSoon = false;
      this.#save();
    };
    setTimeout(save, SOON_MS).unref();
  }

  /** Socket of its daemon. */
  get daemonPath(): string {
    return this.#door.client.socketPath;
  }

  /** There is nothing that it would stay for. */
  get isDone(): boolean {
    const { sessions, serverOptions } = this.#door.state;
    return sessions.size === 0 && serverOptions.isOn('exit-empty');
  }

  /** @returns the exit status, or that a client that can attach has to ask */
  async run(argv: readonly string[], call: Call): Promise<number | 'attaches'> {
    // A door that is killed leaves a file, also before its first pane was made.
    if (this.#saved === '') this.#save();
    let commands: Command[];
    try {
      commands = this.#expanded(commandsOf(argv.length === 0 ? ['new-session'] : argv));
      const all = commands.map(({ words }) => parseArguments(words));
      if (call.isTerminal && call.attach === undefined && all.some(attaches)) return 'attaches';
    } catch (error) {
      return refused(error, call);
    }
    return this.#sequence(commands, call, 0);
  }

  async #sequence(
    commands: readonly Command[],
    call: Call,
    depth: number,
    { current, notice }: TextFrom = {},
  ): Promise<number> {
    let status = 0;
    let failed: number | undefined;
    for (const { words, line, blocks } of commands) {
      // What fails takes the rest of its line with it.
      if (line === failed) continue;
      let verb = '';
      try {
        const args = parseArguments(words, blocks);
        verb = args.verb.name;
        if (!/^(send-keys|has-session|new-session)$/.test(verb)) {
          await takeNames(this.#door);
          await nameWindows(this.#door);
        }
        const runText = async (text: string, from: TextFrom = {}): Promise<number> => {
          const texts = (this.#texts.get(call) ?? 0) + 1;
          if (depth >= MOST_DEPTH || texts > MOST_TEXTS) throw new Refusal('too many nested commands');
          this.#texts.set(call, texts);
          return this.#text(text, call, depth + 1, { notice, ...from, current: from.current ?? current });
        };
        const run = new VerbRun({ door: this.#door, call, args, runText, notice }, current);
        await admitEnds(run);
        const given = await actIn(run, HANDLERS[verb] ?? (() => 0));
        status = typeof given === 'number' ? given : status;
        if (!READING.test(verb)) {
          await this.#door.sized();
          this.#notice();
          await this.#door.alerts.follow();
          await takeNames(this.#door);
        }
        // A hook that fails takes nothing with it but the status.
        status = (await this.#after(args, call, depth, run.aim ?? run.current)) || status;
      } catch (error) {
        status = refused(error, call);
        failed = line;
      }
      // Hooks of a verb that changes nothing may change something.
      if (READING.test(verb) && this.#seen === undefined) continue;
      if (depth === 0) this.#save();
      else this.#saveSoon();
    }
    return status;
  }

  /** Nothing of a text that is wrong somewhere is run. */
  async #text(text: string, call: Call, depth: number, from: TextFrom): Promise<number> {
    const { file, isTrial, isVerbose } = from;
    const value = (name: string): string | undefined => this.#door.state.environment.get(name)?.value ?? call.env[name];
    const commands = this.#checked(text, 1, file, value);
    if (isVerbose === true) for (const one of commands) call.out(Buffer.from(`${file}:${one.line}: ${inFull(one)}\n`));
    return isTrial === true ? 0 : this.#sequence(commands, call, depth, from);
  }

  /** @throws Refusal that names the place in the file */
  #checked(
    text: string,
    firstLine: number,
    file: string | undefined,
    value: (name: string) => string | undefined,
  ): Command[] {
    let at = firstLine;
    try {
      const commands = this.#expanded(
        parseCommands(text, value, {
          onLine: (line) => (at = line + firstLine - 1),
          assign: (name, set, hidden) => this.#door.state.environment.set(name, { value: set, hidden }),
        }),
      );
      for (const { words, line, blocks } of commands) {
        at = line + firstLine - 1;
        parseArguments(words);
        for (const block of blocks) this.#checked(block.text, block.line + firstLine - 1, file, value);
      }
      return commands;
    } catch (error) {
      if (!(error instanceof Refusal) || file === undefined || error.message.startsWith(`${file}:`)) throw error;
      throw new Refusal(`${file}:${at}: ${error.message}`);
    }
  }

  async #after(args: Arguments, call: Call, depth: number, current?: TargetPart): Promise<number> {
    if (depth >= MOST_DEPTH) return 0;
    const name = `after-${args.verb.name}`;
    const session = current?.session ?? this.#door.state.best();
    const hook = (session?.options ?? this.#door.state.sessionOptions).get(name);
    if (hook === undefined || typeof hook === 'string') return 0;
    let status = 0;
    for (const text of hook.values())
      status ||= await this.#text(text, call, MOST_DEPTH, { current, notice: { hook: name, ...args.variables } });
    return status;
  }

  /** Sets off the hooks of what has changed since the last call. */
  #notice(): void {
    const { state } = this.#door;
    const before = this.#seen;
    this.#seen = hasHooks(state) ? seenOf(state) : undefined;
    if (before === undefined || this.#seen === undefined) return;
    for (const notice of noticesBetween(before, this.#seen)) this.#hook(notice);
  }

  #hook(notice: HookNotice): void {
    const { name, window, pane = window?.active } = notice;
    const links = [...((window ?? pane?.window)?.links ?? [])];
    const link = links.find((one) => one.session === notice.session) ?? links[0];
    const session = notice.session ?? link?.session;
    const { sessionOptions } = this.#door.state;
    const hook = (session?.options ?? sessionOptions).get(name) ?? pane?.options.get(name) ?? sessionOptions.get(name);
    if (hook === undefined || typeof hook === 'string') return;
    const call = quietCall(session?.cwd ?? '/', this.#stop.signal);
    const at = link !== undefined && link.session === session ? { link } : {};
    const current = session === undefined ? {} : { session, ...at, ...(notice.pane && { pane: notice.pane }) };
    for (const text of hook.values())
      void this.#text(text, call, MOST_DEPTH, { current, notice: variablesOf(notice) }).catch(() => {});
  }

  /** Commands with what aliases stand for: what follows one goes to the last of its commands. */
  #expanded(commands: readonly Command[]): Command[] {
    const aliases = this.#door.state.serverOptions.get('command-alias');
    if (aliases === undefined || typeof aliases === 'string') return [...commands];
    const known = new Map<string, string>();
    for (const alias of aliases.values()) {
      const [name = ''] = alias.split('=', 1);
      if (alias.includes('=') && !known.has(name)) known.set(name, alias.slice(name.length + 1));
    }
    return commands.flatMap((command) => {
      const [first = '', ...rest] = command.words;
      const meant = known.get(first);
      if (meant === undefined) return [command];
      const all = parseCommands(meant, () => undefined);
      return all.map(({ words }, at) => ({ ...command, words: at === all.length - 1 ? [...words, ...rest] : words }));
    });
  }

  /** Another door has the sessions, and their file. */
  async leave(): Promise<void> {
    this.#stop.abort();
    this.#door.alerts.close();
    await this.#door.client.close();
  }

  /** Ends all of its terminals. */
  async close(): Promise<void> {
    this.#stop.abort();
    const { socketPath } = this.#door.state;
    for (const path of [savedPath(socketPath), buffersPath(socketPath)]) rmSync(path, { force: true });
    await this.#door.close();
    await this.#door.client.close();
  }
}

/** The daemon ends with the machine: nothing of it is worth a wait for the disk. */
function written(path: string, text: string): boolean {
  try {
    writePrivateFile(path, text, { draft: `${path}.new`, isDurable: false });
    return true;
  } catch {
    return false; // ENOSPC and the like: what was written before stays, and the next command tries again.
  }
}

/** Security: a file of another user is none: its options would be commands of theirs. Links are not followed. */
function ownText(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    return stat.isFile() && whyUnsafe(path, stat) === undefined ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined; // ENOENT, ELOOP
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function attaches(args: Arguments): boolean {
  const { name } = args.verb;
  return /^(attach-session|switch-client)$/.test(name) || (name === 'new-session' && !args.has('d'));
}

/** Most doors have none, and look for no changes. */
function hasHooks({ sessionOptions, windowOptions, sessions, windows }: State): boolean {
  const own = [...sessions.values(), ...windows.values()].map(({ options }) => options);
  const places = [sessionOptions, windowOptions, ...own];
  return places.some((options) => options.names().some(isHook));
}

function refused(error: unknown, call: Call): number {
  if (error instanceof Refusal) call.err(`${error.message}\n`);
  else if (isT4aError(error)) call.err(error.code === 'connection_lost' ? 'lost server\n' : `${error.message}\n`);
  else call.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}

const STARTERS: ReadonlySet<string> = new Set([
  'new-session',
  'attach-session',
  'start-server',
  'list-commands',
  'list-keys',
]);

/** Whether one of the commands starts a door that is not there. */
export function startsDoor(argv: readonly string[]): boolean {
  try {
    const commands = commandsOf(argv.length === 0 ? ['new-session'] : argv);
    for (const { words } of commands) parseArguments(words);
    return commands.some(({ words }) => STARTERS.has(verbNamed(words[0] ?? '').name));
  } catch {
    return false;
  }
}

export { GLOBAL_USAGE, NO_CONTROL, type Place, placeOf, savedPath } from './places.js';
