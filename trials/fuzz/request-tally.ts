/** What became of the fuzzed lines: how many were carried out, of which commands, and with which codes the others failed. */
import type { Header } from '../../src/client/reply-reader.js';
import type { Report } from '../support/report.js';
import type { RequestLine } from './request-lines.js';

interface Outcomes {
  asked: number;
  carriedOut: number;
}

export class RequestTally {
  readonly #codes = new Map<string, number>();
  readonly #commands: Map<string, Outcomes>;
  #answered = 0;
  #carriedOut = 0;
  #intact = 0;
  #intactCarriedOut = 0;

  constructor(commands: readonly string[]) {
    this.#commands = new Map(commands.map((command) => [command, { asked: 0, carriedOut: 0 }]));
  }

  get answered(): number {
    return this.#answered;
  }

  /** Of all lines, 0 to 1. */
  get shareCarriedOut(): number {
    return this.#carriedOut / this.#answered;
  }

  /** @param line undefined where the reply does not tell */
  add(line: RequestLine | undefined, { ok, code }: Header): void {
    this.#answered++;
    if (ok === true) this.#carriedOut++;
    else this.#codes.set(String(code), (this.#codes.get(String(code)) ?? 0) + 1);
    if (line?.intact !== true) return;
    this.#intact++;
    const outcomes = this.#commands.get(line.command);
    if (outcomes !== undefined) outcomes.asked++;
    if (ok !== true) return;
    this.#intactCarriedOut++;
    if (outcomes !== undefined) outcomes.carriedOut++;
  }

  /** Commands of which no request was carried out. */
  neverCarriedOut(): string[] {
    return [...this.#commands].flatMap(([command, { carriedOut }]) => (carriedOut === 0 ? [command] : []));
  }

  figures(): Report['figures'] {
    const refused = this.#answered - this.#carriedOut;
    return [
      ['request lines', this.#answered],
      ['carried out', `${this.#carriedOut} (${percent(this.shareCarriedOut)})`],
      ['carried out of those with nothing wrong', percent(this.#intactCarriedOut / this.#intact)],
      ['commands never carried out', this.neverCarriedOut().join(', ') || 'none'],
      ['refused', `${refused} with ${this.#codes.size} codes`],
    ];
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
