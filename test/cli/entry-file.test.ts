/** Files of entries of daemons that have ended: read, and compacted, without a daemon. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  changesIn,
  compactLines,
  lineOfChange,
  type NumberedChange,
  replayEntries,
} from '../../src/protocol/entry-lines.js';
import { run } from '../support/command-line.js';
import { tempDir } from '../support/temp-dir.js';

function change(n: number, op: NumberedChange['op'], id: string, version: number): NumberedChange {
  const place = { terminal: 't1', ts: 0, rev: n, line: n, lines: 1, confidence: 1 };
  const entry = { id, kind: `kind_${id}`, rule: 'r', version, open: op === 'upsert', ...place };
  return { n, op, entry: { ...entry, data: { text: `${id} ${version}` } } };
}

it('what is no file has no entries, and does not keep its reader waiting', async () => {
  const { join } = tempDir();
  mkdirSync(join('folder.jsonl'));
  execFileSync('mkfifo', [join('fifo.jsonl')]);
  for (const path of [join('folder.jsonl'), join('fifo.jsonl')]) {
    const { status, noted } = await run(['entries', path]);
    expect([status, noted]).toEqual([2, `t4a: "${path}" is no regular file.\n`]);
  }
});

it('compacted lines have the entries of all lines, and are not shorter a second time', () => {
  const step = fc.tuple(
    fc.constantFrom('upsert' as const, 'finalize' as const, 'delete' as const),
    fc.constantFrom('a', 'b', 'c'),
    fc.nat(9),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const changes = steps.map(([op, id, version], i) => change(i + 1, op, id, version));
      const lines = compactLines(changes);
      expect(replayEntries(changesIn(lines))).toEqual(replayEntries(changes));
      expect(compactLines(changesIn(lines)).split('\n').slice(0, -2)).toEqual(lines.split('\n').slice(0, -2));
    }),
  );
});

it('a file whose last line is torn is read, and compacted once no daemon writes to it', async () => {
  const dir = tempDir();
  const lines = [change(1, 'upsert', 'a', 1), change(2, 'finalize', 'a', 1), change(3, 'upsert', 'b', 1)].map(
    lineOfChange,
  );
  const fileIn = (folder: string): string => {
    mkdirSync(dir.join(folder));
    const file = path.join(dir.join(folder), '1.jsonl');
    writeFileSync(file, `${lines.join('')}${lines[0]?.slice(0, 30)}`);
    return file;
  };
  const [ended, living] = [fileIn('start-4194999'), fileIn(`start-${process.pid}`)];
  const json = await run(['entries', ended, '--open', '--json']);
  const reply = { ok: true, next: 3, entries: [{ id: 'b', open: true }], file: ended };
  expect([json.status, JSON.parse(json.printed)]).toMatchObject([0, reply]);
  expect((await run(['entries', ended, '--kinds', 'kind_a'])).printed).toMatch(/^[\d:]{8} kind_a: a 1\n$/);
  expect(await run(['entries', living, '--compact'])).toMatchObject({
    status: 2,
    noted: expect.stringContaining(`pid ${process.pid} may still write`) as string,
  });
  expect((await run(['entries', ended, '--compact'])).printed).toMatch(/1\.jsonl: \d+ of \d+ bytes\n$/);
  expect(readFileSync(ended, 'utf8')).toBe(`${lines[1]}${lines[2]}{"type":"checkpoint","n":3,"open":["b"]}\n`);
  expect((await run(['entries', ended, '--follow'])).status).toBe(2);
  expect((await run(['entries', '--compact'])).status).toBe(2);
  writeFileSync(ended, 'something else\n');
  expect((await run(['entries', ended])).noted).toContain('is no file of entries');
});
