/** Replies that were recorded with a release, and what a later version lacks of them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from './consumer.js';

const FOLDER = `${ROOT}test/e2e/promise/`;

/** One command line of a session; a session is asked in its order, of one daemon. */
export interface PromisedStep {
  /** `FILE` stands for a file of the test. */
  readonly args: readonly string[];
  readonly status: number;
  readonly reply: unknown;
}

/** Versions with a recording. */
export function promisedVersions(): string[] {
  return readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
}

export function promisedSteps(version: string): PromisedStep[] {
  return JSON.parse(readFileSync(`${FOLDER}${version}.json`, 'utf8')) as PromisedStep[];
}

export function keepPromised(version: string, steps: readonly PromisedStep[]): void {
  const kept = steps.map((step) => ({ ...step, reply: shape(step.reply) }));
  writeFileSync(`${FOLDER}${version}.json`, `[\n${kept.map((step) => JSON.stringify(step)).join(',\n')}\n]\n`);
}

/** Fields whose value is a word of a list, by which clients decide. */
const WORDS = new Set('outcome code is kind needs_you region format state signal exit_code event source'.split(' '));

/** Words, types and names, without what differs from machine to machine. */
function shape(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shape(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each, key)]));
  if (WORDS.has(name) || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' ? 0 : '';
}

/**
 * Fields that `now` lacks, has with another type, or, where it is a word, with another word. Where null was recorded, any value may be
 * now: a field may say more. Elements of lists are compared in their order, as far as both lists go.
 *
 * @returns a line each, by their paths
 */
export function lost(recorded: unknown, now: unknown, path = 'reply'): string[] {
  if (recorded === null) return now === undefined ? [`${path} is gone`] : [];
  if (now === undefined) return [`${path} is gone`];
  if (typeOf(recorded) !== typeOf(now)) return [`${path} was ${typeOf(recorded)}, is ${typeOf(now)}`];
  if (Array.isArray(recorded) && Array.isArray(now)) {
    if (recorded.length > 0 && now.length === 0) return [`${path} is empty`];
    return recorded.slice(0, now.length).flatMap((each, i) => lost(each, now[i], `${path}[${i}]`));
  }
  if (typeof recorded === 'object' && typeof now === 'object') {
    const fields = now as Readonly<Record<string, unknown>>;
    return Object.entries(recorded).flatMap(([name, value]) => lost(value, fields[name], `${path}.${name}`));
  }
  const isWord = typeof recorded === 'boolean' || WORDS.has(path.slice(path.lastIndexOf('.') + 1));
  return isWord && recorded !== now ? [`${path} was ${JSON.stringify(recorded)}, is ${JSON.stringify(now)}`] : [];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
