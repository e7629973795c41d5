/**
 * The promise of the wire for one release: what a client of 0.1 sends is served, with the fields that it reads, and what a client of
 * the next one sends and this daemon lacks is refused by its code, while the connection goes on.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';

interface Exchange {
  readonly request: Record<string, unknown>;
  /** Fields of the reply, or its code. */
  readonly reply: Record<string, unknown>;
}

const RELEASE = JSON.parse(readFileSync(new URL('one-release.json', import.meta.url), 'utf8')) as {
  readonly older: readonly Exchange[];
  readonly newer: readonly Exchange[];
};

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** In the fixture a type stands for any value of it. */
function expected(value: unknown): unknown {
  if (value === '<number>') return expect.any(Number);
  if (value === '<string>') return expect.any(String);
  if (value === '<boolean>') return expect.any(Boolean);
  if (Array.isArray(value)) return expect.arrayContaining(value.map(expected));
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expected(one)])));
}

test('requests of a client of the first release are served with the fields that it reads', async () => {
  for (const one of RELEASE.older) {
    expect(await request(daemon, one.request), JSON.stringify(one.request)).toEqual(expected(one.reply));
  }
});

test('what a newer client sends and this daemon lacks is refused by its code, and nothing else is', async () => {
  for (const one of RELEASE.newer) {
    expect(await request(daemon, one.request), JSON.stringify(one.request)).toEqual(expected(one.reply));
  }
});
