/** The bounds of the logs of all terminals. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { Histories, type HistoryLimits } from '../../../src/features/past/histories.js';
import { pastCast } from '../../../src/features/past/past-cast.js';
import { readPast } from '../../../src/features/past/past-reads.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import { rowText } from '../../../src/vt/rows/row-text.js';
import { ownTerminal, print } from '../../support/own-terminal.js';
import { gate } from '../../support/serve.js';
import { testCall } from '../../support/test-call.js';

function histories(limits: Partial<HistoryLimits>, memoryLimit = 1 << 30): Histories {
  const all = { history_bytes: 1 << 20, history_total_bytes: 1 << 24, ...limits };
  return new Histories({ clock: new FakeClock(), limits: () => all, memoryLimit: () => memoryLimit });
}

function observed(all: Histories): Terminal {
  const terminal = ownTerminal({ scrollback: 10 });
  terminal.feed.add(all.observe(terminal));
  return terminal;
}

/** Two chunks of slices, with words that do not repeat. */
async function printMuch(terminal: Terminal): Promise<void> {
  for (let i = 0; i < 1100; i++) {
    terminal.screen.write(Buffer.from(`${i} ${(i * 7919) % 10007}\r\n`));
    await terminal.screen.settle(60_000);
  }
}

test('the log of a terminal stays within its bound: the oldest chunk goes', async () => {
  const all = histories({ history_bytes: 14 * 1024 });
  const terminal = observed(all);
  await printMuch(terminal);
  await expect.poll(() => all.heldBytes).toBeLessThanOrEqual(14 * 1024);
  const [oldest] = all.of(terminal)?.chunks ?? [];
  expect(oldest?.start.rev).toBeGreaterThan(0);
});

test('all logs stay within their bound, and within an eighth of the memory of the daemon', async () => {
  const all = histories({}, 8 * 32 * 1024);
  const first = observed(all);
  const second = observed(all);
  await printMuch(first);
  await printMuch(second);
  await expect.poll(() => all.heldBytes).toBeLessThanOrEqual(32 * 1024);
  expect(all.of(first)?.chunks.length).toBeGreaterThan(0);
  expect(all.of(second)?.chunks.length).toBeGreaterThan(0);
});

test('beyond the bound of all logs the terminal that holds most loses its oldest, and no other', async () => {
  const all = histories({ history_total_bytes: 14 * 1024 });
  const little = observed(all);
  const much = observed(all);
  for (const terminal of [little, much]) {
    terminal.screen.write(Buffer.from('first\r\n'));
    await terminal.screen.settle(60_000);
  }
  const first = all.of(little)?.chunks[0]?.start.rev;
  await printMuch(much);
  await expect.poll(() => all.heldBytes).toBeLessThanOrEqual(14 * 1024);
  expect(all.of(little)?.chunks[0]?.start.rev).toBe(first);
  expect(all.of(much)?.chunks[0]?.start.rev).toBeGreaterThan(1);
});

test('chunks that wait to be packed are those of the log: what it has dropped is not held', async () => {
  const all = histories({});
  const terminal = observed(all);
  // A keyframe each, of which the log has room for one or none. Nothing is packed before the event loop turns.
  for (let i = 0; i < 20; i++) await terminal.resize(300 + (i % 2), 300);
  expect(all.of(terminal)?.chunks.length).toBeLessThan(5);
  expect(all.waitingChunks).toBeLessThanOrEqual(all.of(terminal)?.chunks.length ?? 0);
  const other = observed(all);
  await other.resize(200, 200);
  other.remove();
  terminal.remove();
  expect(all.waitingChunks).toBe(0);
});

test('short memory halves what the logs hold', async () => {
  const all = histories({});
  const terminal = observed(all);
  await printMuch(terminal);
  await expect.poll(() => all.of(terminal)?.chunks.some((chunk) => chunk.unpacked.whole !== undefined)).toBe(false);
  const before = all.heldBytes;
  all.halve();
  expect(all.heldBytes).toBeLessThan(before);
});

test('what a log holds is the sum of its chunks, packed or not, and counts as memory of its terminal', async () => {
  const all = histories({ history_bytes: 24 * 1024 });
  const terminal = observed(all);
  const sum = (): number => (all.of(terminal)?.chunks ?? []).reduce((bytes, chunk) => bytes + chunk.heldBytes, 0);
  for (let round = 0; round < 3; round++) {
    await printMuch(terminal);
    expect(all.heldBytes).toBe(sum());
  }
  await expect.poll(() => all.of(terminal)?.chunks.some((chunk) => chunk.unpacked.whole !== undefined)).toBe(false);
  expect(all.heldBytes).toBe(sum());
  const bare = terminal.screen.weigh() + terminal.output.allocatedBytes;
  expect(terminal.memory.weigh()).toBe(bare + all.heldBytes);
  expect(all.heldBytes).toBeGreaterThan(4096);
});

test('rebuilt screens of the past are kept, until their terminal is removed or memory is short', async () => {
  const all = histories({});
  const [first, second] = [observed(all), observed(all)];
  const look = async (terminal: Terminal, at: string): Promise<readonly string[]> => {
    const read = await readPast(
      terminal,
      { at, above: 0 },
      (past) => past.snapshot().lines.map((row) => rowText(row)),
      testCall(),
    );
    return read.value;
  };
  for (const terminal of [first, second]) {
    await print(terminal, 'one');
    await print(terminal, '\r\ntwo');
    expect((await look(terminal, 'rev:1'))[1]).toBe('');
    // It goes on from the screen that is kept.
    expect((await look(terminal, 'rev:2'))[1]).toBe('two');
  }
  expect(all.keptScreens).toBe(2);
  first.remove();
  expect(all.keptScreens).toBe(1);
  all.halve();
  expect(all.keptScreens).toBe(0);
  expect((await look(second, 'rev:1'))[0]).toBe('one');
});

test('a rebuilt screen without scrollback is not for a read that wants lines above it', async () => {
  const all = histories({});
  const terminal = observed(all);
  for (let line = 1; line <= 8; line++) await print(terminal, `${line}\r\n`);
  const read = (above: number): Promise<{ value: number; lostLines: number }> =>
    readPast(terminal, { at: 'rev:8', above }, ({ screen }) => screen.scrollbackLines, testCall());
  expect(await read(0)).toMatchObject({ value: 0, lostLines: 4 });
  expect(await read(10)).toMatchObject({ value: 4, lostLines: 0 });
  expect(all.keptScreens).toBe(2);
});

test('no screen is kept of a terminal that was removed while its past was read', async () => {
  const all = histories({});
  const terminal = observed(all);
  await print(terminal, 'one');
  await readPast(terminal, { at: 'rev:1', above: 0 }, () => terminal.remove(), testCall());
  expect(all.keptScreens).toBe(0);
});

test('a cast of the past that would be too large is refused', async () => {
  const terminal = observed(histories({}));
  // Six bytes each in JSON.
  await print(terminal, '\0'.repeat(1000));
  const { signal } = new AbortController();
  const request = { from: undefined, to: 'end', version: 3, title: undefined } as const;
  const { chunks } = await pastCast(terminal, { ...request, maxBytes: 7000 }, signal);
  expect(Buffer.concat(chunks).length).toBeGreaterThan(6000);
  await expect(pastCast(terminal, { ...request, maxBytes: 6000 }, signal)).rejects.toMatchObject({
    code: 'export_too_large',
  });
});

test('a bound of 0 turns the history off, and a removed terminal has none', async () => {
  expect(histories({ history_bytes: 0 }).heldBytes).toBe(0);
  const off = histories({ history_bytes: 0 });
  expect(off.of(observed(off))).toBeUndefined();
  const all = histories({});
  const terminal = observed(all);
  await print(terminal, 'x');
  expect(all.of(terminal)).toBeDefined();
  terminal.remove();
  expect(all.of(terminal)).toBeUndefined();
  expect(all.heldBytes).toBe(0);
});

test('a terminal that prints little keeps less than 8 KiB', async () => {
  const all = histories({});
  const terminal = observed(all);
  await print(terminal, '$ ls\r\nfile\r\n$ ');
  expect(all.heldBytes).toBeLessThan(8 * 1024);
});

test('of input the log has that it came, never its bytes', async () => {
  const all = histories({});
  const terminal = observed(all);
  terminal.feed.input(Buffer.from('hunter2'), true);
  terminal.feed.input(Buffer.from('hunter3'));
  const [chunk] = all.of(terminal)?.chunks ?? [];
  expect(chunk?.inputs).toBe(2);
  const entries = [...(chunk?.entries((bytes) => bytes) ?? [])];
  expect(entries.filter(({ kind }) => kind === 'input').map((entry) => Object.keys(entry))).toEqual([
    ['kind', 'ms', 'end'],
    ['kind', 'ms', 'end'],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/hunter/);
});

test('a terminal that has printed much at once keeps little of that memory once it is idle', () => {
  const all = histories({ history_bytes: 8 << 20 });
  const terminal = observed(all);
  const log = all.of(terminal);
  log?.output(Buffer.alloc(20 * 1024, 'a'), 20 * 1024);
  log?.parsed(true, false);
  const before = all.heldBytes;
  terminal.publish({ event: 'idle', terminal: terminal.id, after_ms: 1000 });
  expect(before).toBeGreaterThan(500 * 1024);
  expect(all.heldBytes).toBeLessThan(64 * 1024);
});

test('clients that do not read hold up no other read of the past', async () => {
  const terminal = observed(histories({}));
  await print(terminal, 'one');
  const connection = () => ({ onGone: () => ({ dispose: () => {} }) });
  // Readers that have caught up go on to their place: those that are behind have none.
  const began: string[] = [];
  const gates = Array.from({ length: 6 }, () => gate());
  const read = (name: string, of: object, caughtUp = () => Promise.resolve()) =>
    readPast(
      terminal,
      { at: 'end', above: 0 },
      () => void began.push(name),
      testCall({ connection: of as never, caughtUp }),
    );
  const slow = gates.map((each, i) => read(`slow ${i}`, connection(), () => each.promise));
  const own = connection();
  await Promise.all([read('first', own), read('second', own), read('other', connection())]);
  expect(began.toSorted()).toEqual(['first', 'other', 'second']);
  for (const each of gates) each.open();
  await Promise.all(slow);
  expect(began).toHaveLength(9);
});
