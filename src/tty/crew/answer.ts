/**
 * A dialogue on the screen of an agent, answered from elsewhere by one key. The key is bound to the dialogue that the person has seen: if
 * another stands there by then, the daemon sends nothing.
 */
import type { Panel } from '../panel.js';
import { Prompt } from '../prompt.js';
import type { StatusLine } from '../status-line.js';
import type { TtyApp } from '../tty-app.js';
import type { DaemonConnection } from '../../client/connection.js';
import type { Question } from '../../crew/question.js';
import { isT4aError } from '../../protocol/errors.js';
import { fitted } from './cells.js';
import type { Questions } from './questions.js';

export interface AnswerOptions {
  readonly connection: DaemonConnection;
  readonly questions: Questions;
  readonly app: TtyApp;
}

/** Bytes of keys that answer dialogues; Escape closes the question, so that it is pressed in the terminal itself. */
const KEYS: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\t': 'Tab',
  '\x1b[A': 'Up',
  '\x1bOA': 'Up',
  '\x1b[B': 'Down',
  '\x1bOB': 'Down',
};
/** Most lines of a dialogue, from its question on. */
const MAX_LINES = 12;

export class Answer {
  readonly #options: AnswerOptions;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  async begin(id: string): Promise<void> {
    const { app, questions } = this.#options;
    const question = await questions.now(id);
    const entry = question?.entry ?? null;
    if (question === undefined || entry === null) return app.say(`No rule knows a question of ${id}: go there.`);
    // After the question: a later screen is that of a later question, and then the key is refused.
    const lines = await this.#linesOf(id, question);
    const card = (rows: number, cols: number): readonly string[] => [
      ` ${id} asks:`,
      ...lines.slice(0, Math.max(1, rows - 1)).map((line) => `   ${fitted(line, cols - 3)}`),
    ];
    const onAnswer = (key: string): void => void app.during(() => this.#press(id, entry, key));
    const label = `One key for ${id}, if it still asks this:`;
    // Drawn once the keys that wait have been dropped.
    app.panels.open(new SeenFirst(new Prompt({ label, isOneKey: true, card, onAnswer })));
  }

  async #press(id: string, entry: string, bytes: string): Promise<void> {
    const { app, connection } = this.#options;
    const key = KEYS[bytes] ?? Buffer.from(bytes, 'latin1').toString('utf8');
    if (!/^(?:\S|Enter|Tab|Up|Down)$/u.test(key))
      return app.say('Not sent: a letter, a number, Enter, Tab, Up or Down.');
    try {
      await connection.call('press', { id, keys: [key], if_entry: entry });
      app.say(`${key} was pressed in ${id}.`);
    } catch (error) {
      if (!isT4aError(error)) throw error;
      const why = REFUSALS[error.code];
      app.say(why === undefined ? `Nothing was sent: ${error.message}` : `Nothing was sent: ${id} ${why}.`);
    }
  }

  async #linesOf(id: string, { text, top }: Question): Promise<readonly string[]> {
    try {
      const { lines } = await this.#options.connection.call('text', { id, trim: true });
      return top === undefined ? [text] : lines.slice(top, top + MAX_LINES);
    } catch (error) {
      if (isT4aError(error) && error.code === 'terminal_not_found') return [text];
      throw error;
    }
  }
}

/** Keys that came before it was drawn are dropped: they were not meant for what it shows. */
class SeenFirst implements Panel {
  readonly #panel: Prompt;
  #isDrawn = false;

  constructor(panel: Prompt) {
    this.#panel = panel;
  }

  get status(): StatusLine {
    return this.#panel.status;
  }

  get cursorCol(): number {
    return this.#panel.cursorCol;
  }

  overlay(rows: number, cols: number): readonly string[] {
    this.#isDrawn = true;
    return this.#panel.overlay(rows, cols);
  }

  take(key: string): boolean {
    return this.#isDrawn && this.#panel.take(key);
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  entry_changed: 'asks this no longer',
  terminal_exited: 'has ended',
  terminal_not_found: 'is gone',
};
