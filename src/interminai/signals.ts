/** Signals by the names and numbers that interminai's clients use. */
import { constants } from 'node:os';
import { InterminaiError } from './replies.js';

const NUMBERS: Readonly<Record<string, number>> = constants.signals;

/** "SIGTERM", "term" and "15" are `SIGTERM`. @throws RequestError */
export function signalNamed(given: string): string {
  const upper = given.toUpperCase();
  const spelled = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  const name = /^\d+$/.test(given)
    ? Object.keys(NUMBERS).find((one) => NUMBERS[one] === Number(given))
    : Object.keys(NUMBERS).find((one) => one === spelled);
  if (name === undefined) throw new InterminaiError(`Invalid signal: ${given}`);
  return name;
}

/** Exit code as shells report it: 128 and the number of the signal that ended the process. */
export function exitCodeOf({ code, signal }: { code: number | null; signal: string | null }): number {
  return code ?? 128 + (NUMBERS[signal ?? ''] ?? Number(/\d+/.exec(signal ?? '')?.[0] ?? 0));
}
