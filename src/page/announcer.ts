/**
 * What a screen reader says of a terminal, for a person who does not see it: not each change, but the new lines once the
 * output has settled, a prompt that waits, and the end. The alternate screen is left to the reader's own keys.
 */
import type { Mirror } from '../mirror/mirror.js';
import { safeText } from '../mirror/safe-text.js';
import { joined } from './joined-rows.js';
import { textOf } from './row-text.js';

export interface AnnouncerOptions {
  say(text: string): void;
  /** Whether the program certainly waits for input. */
  waits(): boolean;
}

/** Longer than the pauses within one answer of a program. */
export const SETTLED_MS = 700;

/** Of new lines the last are said; the others are counted. */
const MAX_LINES = 5;
const MAX_LENGTH = 400;

export class Announcer {
  readonly #options: AnnouncerOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Lasting number of the first line that was not said yet; undefined before the first frame: what was there is not new. */
  #next: number | undefined;
  #prompt = '';
  #wasAlive = true;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  frame(mirror: Mirror): void {
    if (this.#next === undefined) {
      this.#next = cursorLine(mirror);
      this.#wasAlive = mirror.state.alive;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settled(mirror), SETTLED_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #settled(mirror: Mirror): void {
    const said = [...this.#newLines(mirror), ...this.#newPrompt(mirror)];
    if (this.#wasAlive && !mirror.state.alive) said.push('The program has ended.');
    this.#wasAlive = mirror.state.alive;
    const text = said.join('\n');
    if (text !== '') this.#options.say(text.length > MAX_LENGTH ? `…${text.slice(-MAX_LENGTH)}` : text);
  }

  /** Above the cursor: the line that it is on may be typed into. */
  #newLines(mirror: Mirror): string[] {
    const next = this.#next ?? 0;
    const now = cursorLine(mirror);
    this.#next = now;
    if (mirror.state.altScreen) return [];
    const missed = Math.max(0, mirror.firstLine - next);
    const rows = mirror.rows
      .slice(Math.max(0, next - mirror.firstLine), Math.max(0, now - mirror.firstLine))
      .map((row) => ({ text: textOf(row), wrapped: row.wrapped }));
    const lines = joined(rows, 0, Infinity)
      .split('\n')
      .filter((line) => line.trim() !== '');
    const more = missed + Math.max(0, lines.length - MAX_LINES);
    return [...(more === 0 ? [] : [`${more} more lines, then:`]), ...lines.slice(-MAX_LINES)].map(safeText);
  }

  #newPrompt({ rows, cursor }: Mirror): string[] {
    const row = rows[cursor.row];
    const prompt = this.#options.waits() && row !== undefined ? safeText(textOf(row).trim()) : '';
    if (prompt === this.#prompt) return [];
    this.#prompt = prompt;
    return prompt === '' ? [] : [`It waits: ${prompt}`];
  }
}

function cursorLine({ firstLine, cursor }: Mirror): number {
  return firstLine + cursor.row;
}
