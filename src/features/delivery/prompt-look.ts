/** One look at a terminal that is to take a prompt: its box, what it asks, whether it works. Taken in one step. */
import { type Box, hasBoxRule, readBox, asPrompt, writtenText } from '../../activity/box.js';
import type { Entry } from '../../activity/entry.js';
import { type Part, PartKey } from '../../base/parts.js';
import type { Profile } from '../../activity/rule.js';
import { profileFor } from '../../activity/rule.js';
import { rowText } from '../../vt/rows/row-text.js';
import type { Snapshot } from '../../vt/snapshot.js';
import { reportedBy } from '../../terminal/program-status.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { RulesFeature } from '../rules/feature.js';

export interface Question {
  readonly entry: string | null;
  readonly text: string;
}

export interface PromptLook {
  /** Of a program without rules for one, the row of the cursor. */
  readonly box: Box | undefined;
  readonly question: Question | undefined;
  readonly isWorking: boolean;
  readonly isBlank: boolean;
  /** The cursor is shown. */
  readonly hasCursor: boolean;
}

/** Longest wait for output that has arrived and is not on the screen. */
const SETTLE_MS = 50;

const TAIL_ROWS = 10;

interface LastLook {
  /** Revision, program and rules: one look serves all prompts while these are the same. */
  readonly of: readonly unknown[];
  readonly look: PromptLook;
  readonly tail: readonly string[];
}

const LAST = new PartKey<LastLook | undefined>(() => undefined);

export class PromptLooks {
  readonly #terminal: Terminal;
  readonly #rules: RulesFeature;
  readonly #profile: Profile | undefined;
  readonly #last: Part<LastLook | undefined>;

  constructor(terminal: Terminal, rules: RulesFeature) {
    this.#terminal = terminal;
    this.#rules = rules;
    this.#last = terminal.part(LAST);
    const activity = rules.activity();
    const watch = activity.of(terminal);
    this.#profile = watch === undefined ? profileFor({ profiles: activity.profiles }, terminal.command) : watch.profile;
    // Its questions get ids, by which they can be answered.
    if (watch === undefined && this.#profile !== undefined) activity.watch(terminal);
  }

  /** Whether a rule says where the box is; else it is a guess. */
  get knowsBox(): boolean {
    return hasBoxRule(this.#profile);
  }

  /** A prompt as it is written to the program. */
  writable(text: string): string {
    return asPrompt(this.#profile, text);
  }

  /** All that the program had printed by the call is on the screen then, as far as it comes to an end. */
  async settled(): Promise<PromptLook> {
    await this.#terminal.detectors.catchUp();
    await this.#terminal.screen.settle(SETTLE_MS);
    return this.now();
  }

  now(): PromptLook {
    const { look } = this.#current();
    return { ...look, ...this.#claims(look) };
  }

  /** The last rows of the screen with text. */
  tail(): readonly string[] {
    return this.#current().tail;
  }

  /** Messages that rules have found on the screen: their versions by id. */
  messages(): Map<string, Entry> {
    return new Map(this.#entries('user_message').map((entry) => [`${entry.id}@${entry.version}`, entry]));
  }

  #current(): LastLook {
    const { screen, generation } = this.#terminal;
    const { parsedBytes, rev } = screen;
    const of = [generation, parsedBytes, rev, this.#profile, this.#rules.activity().of(this.#terminal)];
    if (this.#last.value?.of.every((one, i) => one === of[i]) !== true) {
      const snapshot = screen.snapshot();
      this.#last.value = { of, look: this.#look(snapshot), tail: tailOf(snapshot) };
    }
    return this.#last.value;
  }

  #look(snapshot: Snapshot): PromptLook {
    this.#rules.activity().of(this.#terminal)?.lookNow();
    const [asked] = [...this.#entries('permission_request'), ...this.#entries('question')].filter(({ open }) => open);
    return {
      box: this.knowsBox && this.#profile !== undefined ? readBox(this.#profile, snapshot) : cursorRow(snapshot),
      question: asked === undefined ? undefined : { entry: `${asked.id}@${asked.version}`, text: wordsOf(asked) },
      isWorking: this.#entries('working').some(({ open }) => open),
      isBlank: snapshot.lines.every((row) => rowText(row).trim() === ''),
      hasCursor: snapshot.cursor.visible,
    };
  }

  #entries(kind: string): Entry[] {
    const log = this.#rules.activity().of(this.#terminal)?.log;
    return log === undefined ? [] : log.all().filter((entry) => entry.kind === kind);
  }

  /** What it says itself may change without a byte on the screen. */
  #claims({ question, isWorking }: PromptLook): Partial<PromptLook> {
    const reported = reportedBy(this.#terminal);
    if (reported === null) return {};
    const isBlocked = reported.state === 'blocked';
    return {
      question:
        question ??
        (isBlocked ? { entry: null, text: reported.msg ?? reported.title ?? 'It says that it waits.' } : undefined),
      isWorking: isWorking || reported.state === 'working',
    };
  }
}

function tailOf({ lines }: Snapshot): string[] {
  const end = lines.findLastIndex((row) => rowText(row).trim() !== '') + 1;
  return lines.slice(Math.max(0, end - TAIL_ROWS), end).map((row) => rowText(row).trimEnd());
}

function wordsOf({ data }: Entry): string {
  const question = data['question'] ?? data['text'];
  return typeof question === 'string' ? question : '';
}

/** Prompt signs, and the lines around boxes. Escaped: the bundle of a feature that is loaded late is ASCII. */
const SIGN = /^[\s\u2500-\u259f|]*[>\u276f\u203a\u00bb$#%*:]*\s*/u;

function cursorRow({ lines, cursor }: Snapshot): Box | undefined {
  const row = lines[cursor.row];
  if (row === undefined) return undefined;
  const text = writtenText(row)
    .replace(SIGN, '')
    .replace(/[\s\u2500-\u259f|]+$/u, '');
  return { lines: text === '' ? [] : [text], row: cursor.row, rows: 1 };
}

/** Undefined: there is no box. */
export function textIn({ box }: PromptLook): string | undefined {
  return box?.lines.join('\n');
}
