/** The table of a trial with one program. Pure. */
import { describe, type Draw } from './draw.js';
import type { Verdict } from './examination.js';

/** Outcomes that leave open whether the prompt arrives. */
const OPEN: readonly string[] = ['not_submitted', 'unknown', 'not_seen'];

export class AgentTally {
  readonly failures: string[] = [];
  readonly #verdicts: Verdict[] = [];
  #untried = 0;

  /** @param verdict or why there is none */
  add(draw: Draw, verdict: Verdict | string): void {
    if (typeof verdict === 'string') {
      this.#untried++;
      this.failures.push(`${describe(draw)}\n      not tried: ${verdict}`);
      return;
    }
    this.#verdicts.push(verdict);
    if (verdict.wrong.length > 0) this.failures.push(`${describe(draw)}\n      ${verdict.wrong.join('\n      ')}`);
  }

  figures(): [string, string | number][] {
    const all = this.#verdicts;
    const sum = (of: (verdict: Verdict) => number): number => all.reduce((total, each) => total + of(each), 0);
    const submitted = all.filter(({ outcome }) => outcome === 'submitted');
    const arrived = submitted.filter((verdict) => verdict.arrived === 1).length;
    const open = all.filter(({ outcome }) => OPEN.includes(outcome)).length;
    const times = submitted.map(({ elapsedMs }) => elapsedMs).toSorted((a, b) => a - b);
    return [
      ['draws', all.length],
      ['not tried, since the program did not come so far', this.#untried],
      ['`submitted`', submitted.length],
      ['of them arrived once', arrived],
      ['said to be unknown', open],
      ['nothing else than it was', all.filter(({ wrong }) => wrong.length === 0).length],
      ['median of `deliver`, ms', times[Math.floor(times.length / 2)] ?? 0],
      ['`doing` right within 1 s', `${sum(({ states }) => states.right)} of ${sum(({ states }) => states.spans)}`],
      ['`needs_you` within 1.5 s', `${sum(({ states }) => states.called)} of ${sum(({ states }) => states.asked)}`],
      ['changes of `doing` that were too fast', sum(({ states }) => states.flaps)],
    ];
  }
}
