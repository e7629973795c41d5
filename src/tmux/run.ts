/** One command under way: its arguments, its targets, and where its output goes. */
import type { Arguments } from './arguments.js';
import type { Door } from './door.js';
import { expand, FormatRoom, isTrue } from './formats.js';
import type { Launch } from './launch.js';
import { Refusal } from './options.js';
import type { State } from './state.js';
import { at, find, type Found, type Kind, type TargetPart, partOf } from './targets.js';
import { AskedPanes, contextOf, type Subject } from './variables.js';

/** A call of a client: what its process has. */
export interface Call {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isTerminal: boolean;
  readonly size?: { readonly cols: number; readonly rows: number } | undefined;
  /** Shows a terminal to the person when the call has ended; undefined for a client that cannot. */
  readonly attach?: ((terminal: string, socketPath: string) => void) | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  readonly stdin: () => Promise<Buffer>;
  readonly out: (bytes: Uint8Array) => void;
  readonly err: (text: string) => void;
}

export interface TextFrom {
  readonly current?: TargetPart | undefined;
  /** Variables of the hook that runs it. */
  readonly notice?: Readonly<Record<string, string>> | undefined;
  /** Named in errors of the text. */
  readonly file?: string | undefined;
  /** Prints the commands. */
  readonly isVerbose?: boolean;
  /** Reads and checks it, and runs nothing. */
  readonly isTrial?: boolean;
}

/** A call of no client: nothing reads what it prints. */
export function quietCall(cwd: string, signal: AbortSignal): Call {
  return { cwd, env: {}, isTerminal: false, signal, stdin: async () => Buffer.alloc(0), out() {}, err() {} };
}

/** @returns the exit status; undefined for 0 */
export type VerbHandler = (run: VerbRun) => number | void | Promise<number | void>;

export class VerbRun {
  readonly door: Door;
  readonly call: Call;
  readonly args: Arguments;
  /** Runs a text of commands in the place of this one. */
  readonly runText: (text: string, from?: TextFrom) => Promise<number>;
  readonly #given: TargetPart | undefined;
  /** Part that the command was about: commands of its hooks begin there. */
  aim: TargetPart | undefined;
  readonly notice: Readonly<Record<string, string>> | undefined;

  constructor(of: Pick<VerbRun, 'door' | 'call' | 'args' | 'runText' | 'notice'>, given?: TargetPart) {
    this.door = of.door;
    this.call = of.call;
    this.args = of.args;
    this.runText = of.runText;
    this.notice = of.notice;
    this.#given = given;
  }

  get state(): State {
    return this.door.state;
  }

  /** Place of the caller: its pane, else the session with the latest activity. */
  get current(): Found | undefined {
    const { session: given, link: place = given?.current, pane: near } = this.#given ?? {};
    if (given !== undefined && place !== undefined && this.state.sessions.has(given.id)) {
      const link = given.links.get(place.index) === place ? place : given.current;
      return at(link, near?.window === link.window && this.state.panes.has(near.id) ? near : undefined);
    }
    const [, number] = /^%(\d+)$/.exec(this.call.env['TMUX_PANE'] ?? '') ?? [];
    const pane = number === undefined ? undefined : this.state.panes.get(Number(number));
    const link = pane === undefined ? undefined : this.state.bestLink(pane.window);
    if (link !== undefined) return at(link, pane);
    const session = this.state.best();
    return session === undefined ? undefined : at(session.current);
  }

  /** @throws Refusal */
  target(kind: Kind, more: { readonly flag?: string; readonly isIndex?: boolean } = {}): Found {
    const { flag = 't', isIndex = false } = more;
    const found = find(this.state, this.args.get(flag), { kind, isIndex, current: this.current });
    if (flag === 't') this.aim = found;
    return found;
  }

  /** Pane or window that is moved or swapped: the marked pane unless it is named. @throws Refusal */
  source(kind: Kind): Found {
    const { marked } = this.state;
    const current = marked === undefined ? this.current : at(marked.link, marked.pane);
    return find(this.state, this.args.get('s'), { kind, current });
  }

  mayTarget(kind: Kind): TargetPart {
    try {
      return this.target(kind);
    } catch (error) {
      return partOf(error);
    }
  }

  print(line: string): void {
    this.call.out(Buffer.from(`${line}\n`));
  }

  /** @param nowMs expands times, too */
  async format(format: string, subject: Subject, nowMs?: number): Promise<string> {
    const [text = ''] = await this.#asking((asked) => [this.formatNow(format, subject, nowMs, asked)]);
    return text;
  }

  /** @param asked gets what the daemon must be asked for */
  formatNow(format: string, subject: Subject, nowMs?: number, asked?: AskedPanes): string {
    const of = { ...subject, more: { command: this.args.verb.name, ...this.notice, ...subject.more } };
    return expand(format, contextOf(this.door, of, asked), nowMs, roomOf(this.call));
  }

  /** Expands all formats, and does so again with what the daemon says: a condition may then show another part. */
  async #asking(expandAll: (asked: AskedPanes) => string[]): Promise<string[]> {
    const asked = new AskedPanes();
    const room = roomOf(this.call);
    const { steps, read } = room;
    for (let round = 1; ; round += 1) {
      Object.assign(room, { steps, read });
      const texts = expandAll(asked);
      if (round > MOST_ROUNDS || !asked.hasGrown()) return texts;
      await this.door.refresh(asked.needs);
    }
  }

  /** Prints a line for each subject that the filter lets through. @param by where lines are counted anew */
  async list(subjects: readonly Subject[], format: string, by?: 'link' | 'session'): Promise<void> {
    const given = this.args.get('F') ?? format;
    const filter = this.args.get('f');
    const lines = await this.#asking((asked) => {
      let line = -1;
      return subjects.flatMap((subject, at) => {
        const isNext = by === undefined || subject[by] === subjects[at - 1]?.[by];
        line = isNext ? line + 1 : 0;
        const of = { ...subject, more: { line: String(line) } };
        const isShown = filter === undefined || isTrue(this.formatNow(filter, of, undefined, asked));
        return isShown ? [this.formatNow(given, of, undefined, asked)] : [];
      });
    });
    for (const line of lines) this.print(line);
  }

  subjectOf({ session, link = session?.current, window = link?.window, pane = window?.active }: TargetPart): Subject {
    return { session, link, window, pane };
  }

  launch(command: readonly string[], subject: Subject): Launch {
    const directory = this.args.get('c');
    const cwd = directory === undefined ? undefined : this.formatNow(directory, subject);
    const given = this.args.all('e').map((text): [string, string] => {
      const equals = text.indexOf('=');
      return equals === -1 ? ['', ''] : [text.slice(0, equals), text.slice(equals + 1)];
    });
    return {
      command,
      cwd: cwd === undefined || cwd === '' ? undefined : cwd.startsWith('/') ? cwd : `${this.call.cwd}/${cwd}`,
      environment: Object.fromEntries(given.filter(([name]) => name !== '')),
      caller: this.call,
    };
  }
}

/** Conditions within conditions that a format may have of the daemon. */
const MOST_ROUNDS = 4;

const rooms = new WeakMap<Call, FormatRoom>();

/** One for all formats of a call. */
function roomOf(call: Call): FormatRoom {
  const room = rooms.get(call) ?? new FormatRoom();
  rooms.set(call, room);
  return room;
}

/** A size of `-l`, `-x` or `-y`. @throws Refusal */
export function sizeIn(given: string, whole: number, what: string, least = 0, most = 0x7fffffff): number {
  const percent = /^(-?\d+)%$/.exec(given);
  const number = percent === null ? Number(given) : Math.floor((whole * Number(percent[1])) / 100);
  if (!/^\s*[-+]?\d+%?$/.test(given)) throw new Refusal(`${what} invalid`);
  if (percent !== null && Number(percent[1]) > 100) throw new Refusal(`${what} too large`);
  if (percent !== null && Number(percent[1]) < 0) throw new Refusal(`${what} too small`);
  if (number < least) throw new Refusal(`${what} too small`);
  if (number > most) throw new Refusal(`${what} too large`);
  return number;
}

/** Cells by which something is made larger or smaller. @throws Refusal */
export function adjustmentIn(given = '1'): number {
  return countIn(given, 'adjustment', 0x7fffffff);
}

/** A size that takes no percentage. @throws Refusal */
export function countIn(given: string, what: string, most: number): number {
  if (given.endsWith('%')) throw new Refusal(`${what} invalid`);
  return sizeIn(given, 0, what, 1, most);
}
