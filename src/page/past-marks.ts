/** What happened in the past of a terminal, as marks on the slider: from its events and commands, and the screens that were typed on. */
import type { StreamLine } from '../protocol/events.js';
import type { Reply } from '../protocol/registry.js';
import { safeText } from '../mirror/safe-text.js';
import { RequestError, type DaemonLink } from './daemon-link.js';
import type { Moment } from './then.js';

export interface Mark extends Moment {
  readonly kind: 'typed' | 'command' | 'failed' | 'waits' | 'control' | 'ask' | 'marker';
  readonly label: string;
}

/** The newest ones. */
const MOST_MARKS = 300;
const MOST_COMMANDS = 200;
/** Each is asked for by itself. */
const MOST_INPUTS = 40;
const MOST_LABEL = 80;

const TYPES = [
  'awaiting_input',
  'control',
  'control_requested',
  'asked',
  'answered',
  'marker',
  'exit',
  'restarted',
  'command_done',
  'bell',
] as const;

export interface PastMarksOptions {
  readonly link: DaemonLink;
  readonly id: string;
  readonly changed: () => void;
}

export class PastMarks {
  readonly #options: PastMarksOptions;
  #events: readonly Mark[] = [];
  #commands: readonly Mark[] = [];
  #inputs: readonly Mark[] = [];
  #end: () => void = () => {};
  #isLeft = false;

  constructor(options: PastMarksOptions) {
    this.#options = options;
  }

  /** In their order. */
  get all(): readonly Mark[] {
    return [...this.#events, ...this.#commands, ...this.#inputs].toSorted((a, b) => a.ms - b.ms).slice(-MOST_MARKS);
  }

  leave(): void {
    this.#isLeft = true;
    this.#end();
  }

  /** Also once the connection is there again. */
  async begin(): Promise<void> {
    const { link } = this.#options;
    this.#end();
    this.#events = [];
    this.#end = link.stream({ types: [...TYPES], since: 0 }, (event) => this.#event(event));
    try {
      await this.#askCommands();
      await this.#askInputs();
    } catch (error) {
      // Lost, gone, or a daemon without them.
      if (!(error instanceof RequestError)) throw error;
    }
  }

  #event(event: StreamLine): void {
    const { id, changed } = this.#options;
    if (!('terminal' in event) || event.terminal !== id) return;
    if (event.event === 'command_done') return void this.#askCommands().catch(ignoreLoss);
    const mark = markOf(event);
    if (mark === undefined) return;
    this.#events = [...this.#events.slice(-MOST_MARKS), mark];
    changed();
  }

  #isAsking = false;
  #isDue = false;

  /** One at a time: their ends come in bursts. */
  async #askCommands(): Promise<void> {
    this.#isDue = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { link, id, changed } = this.#options;
    try {
      for (; this.#isDue && !this.#isLeft;) {
        this.#isDue = false;
        const { commands } = await link.ask('commands', { id, last: MOST_COMMANDS });
        this.#commands = commands.flatMap(marksOf);
      }
    } finally {
      this.#isAsking = false;
    }
    changed();
  }

  /** From the last one back. The history keeps the screen that input came to, and not its time: it lies before the next screen. */
  async #askInputs(): Promise<void> {
    const { link, id, changed } = this.#options;
    const found: Mark[] = [];
    let last = -1;
    for (let back = 1; back <= MOST_INPUTS && !this.#isLeft; back++) {
      const screen = await this.#optional(link.ask('cursor', { id, at: `input:-${back}` }));
      if (screen?.at === undefined) break;
      const { rev, ts } = screen.at;
      if (rev === last) continue;
      last = rev;
      const next = await this.#optional(link.ask('cursor', { id, at: `rev:${rev + 1}` }));
      found.push({ at: `rev:${rev}`, ms: next?.at?.ts ?? ts, kind: 'typed', label: 'Typed on this screen' });
    }
    this.#inputs = found;
    if (!this.#isLeft) changed();
  }

  /** Undefined if there is no such moment, or no more. */
  async #optional<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      const code = error instanceof RequestError ? error.code : '';
      if (code === 'moment_unknown' || code === 'moment_lost' || code === 'revision_unknown') return undefined;
      throw error;
    }
  }
}

/** Undefined for what is none. */
function markOf(event: StreamLine): Mark | undefined {
  if (event.event === 'lagged') return undefined;
  const mark = (kind: Mark['kind'], label: string): Mark => ({
    // The screen is that of the event, also if others came within its millisecond.
    at: 'rev' in event ? `seq:${event.seq}` : `ts:${Math.ceil(event.ts)}`,
    ms: event.ts,
    kind,
    label: short(label),
  });
  switch (event.event) {
    case 'awaiting_input':
      return event.certain ? mark('waits', 'Waits for input') : undefined;
    case 'control':
      return mark(
        'control',
        event.holder === null ? `${event.was ?? 'None'} gave back the keyboard` : `${event.holder} has the keyboard`,
      );
    case 'control_requested':
      return mark('control', `${event.as} asks for the keyboard`);
    case 'asked':
      return mark('ask', `${event.as} asks`);
    case 'answered':
      return mark('ask', `Question ${event.outcome}`);
    case 'marker':
      return mark('marker', event.label);
    case 'exit':
      return mark(event.code === 0 ? 'marker' : 'failed', `Ended: ${event.signal ?? `exit ${event.code ?? '?'}`}`);
    case 'restarted':
      return mark('marker', 'Started again');
    case 'bell':
      return mark('marker', 'Bell');
    default:
      return undefined;
  }
}

function marksOf({
  n,
  command,
  code,
  started_at: startMs,
  duration_ms: ms,
}: Reply<'commands'>['commands'][number]): Mark[] {
  if (startMs === null) return [];
  const line = command ?? `command ${n}`;
  const start: Mark = { at: `command:${n}:start`, ms: startMs, kind: 'command', label: short(`$ ${line}`) };
  if (code === null || code === 0 || ms === null) return [start];
  return [start, { at: `command:${n}:end`, ms: startMs + ms, kind: 'failed', label: short(`exit ${code}: ${line}`) }];
}

/** Words of programs and agents. */
function short(text: string): string {
  const safe = safeText(text);
  return safe.length > MOST_LABEL ? `${safe.slice(0, MOST_LABEL)}…` : safe;
}

function ignoreLoss(error: unknown): void {
  if (!(error instanceof RequestError)) throw error;
}
