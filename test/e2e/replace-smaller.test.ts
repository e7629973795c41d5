/** `replace` with `scrollback`: the newest lines go along, under their numbers; a daemon that is not replaced keeps all. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { replaceable } from '../support/replaceable.js';
import { tempDir } from '../support/temp-dir.js';

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

it('the newest lines of each scrollback go along, and a refusal leaves all of them', async () => {
  const { ask } = await replaceable();
  const script = 'seq 1 3000; read x; seq 3001 3010; exec cat';
  await ask({ cmd: 'create', name: 'full', rows: 10, cmd_args: ['sh', '-c', script] });
  const other = 'seq 1 500; printf "\\033[?1049h\\033[Hother"; read x; printf "\\033[?1049l"; exec cat';
  await ask({ cmd: 'create', name: 'other', rows: 10, cmd_args: ['sh', '-c', other] });
  await ask({ cmd: 'create', name: 'few', rows: 10, cmd_args: ['sh', '-c', 'seq 1 20; exit 4'] });
  await ask({ cmd: 'wait', id: 'full', until: { text: '3000' } });
  await ask({ cmd: 'wait', id: 'other', until: { text: 'other' } });
  await ask({ cmd: 'wait', id: 'few', until: { exit: true } });
  const linesOf = async (id: string): Promise<readonly string[]> => {
    const { lines } = await ask({ cmd: 'text', id, region: 'all', trim: true });
    return (lines as string[]).filter((line) => line !== '');
  };
  const entry = path.join(tempDir().path, 'ends.cjs');
  writeFileSync(entry, 'process.exit(1)', { mode: 0o600 });
  expect(await ask({ cmd: 'replace', entry, scrollback: 5 })).toMatchObject({ code: 'replace_refused' });
  expect(await linesOf('full')).toEqual(numbers(1, 3000));

  const { state_bytes: all } = await ask({ cmd: 'replace' });
  expect(await linesOf('full')).toEqual(numbers(1, 3000));
  const cut = await ask({ cmd: 'replace', scrollback: 100, history: false });
  // Of `full` 3,001 lines with the one of the cursor, of `other` 501, and `few` has no more than 100.
  expect(cut['error']).toBeUndefined();
  expect(cut).toMatchObject({ ok: true, terminals: 3, left_lines: 3001 - 10 - 100 + (501 - 10 - 100) });
  expect(cut['state_bytes'] as number).toBeLessThan((all as number) / 4);
  expect(await linesOf('full')).toEqual(numbers(2892, 3000));
  expect(await linesOf('few')).toEqual(numbers(1, 20));
  expect(await linesOf('other')).toEqual(['other']);
  for (const [id, until] of [
    ['full', '3010'],
    ['other', '500'],
  ] as const)
    expect(await ask({ cmd: 'press', id, keys: ['Enter'], wait: { until: { text: until } } })).toMatchObject({
      ok: true,
    });
  expect(await linesOf('other')).toEqual(numbers(392, 500));
  const { scrollback_limit: limit } = await ask({ cmd: 'status', id: 'full' });
  expect(await linesOf('full')).toEqual(numbers(2892, 3010));
  expect(limit).toBe((await ask({ cmd: 'status', id: 'few' }))['scrollback_limit']);
});

it('a command of a shell whose lines stayed behind has lost them, and the next has its own', async () => {
  const { ask } = await replaceable();
  await ask({ cmd: 'create', name: 's', rows: 10, cmd_args: ['bash'], env: { PS1: '$ ' } });
  expect(await ask({ cmd: 'run', id: 's', command: 'seq 1 300' })).toMatchObject({ exit_code: 0 });
  expect((await ask({ cmd: 'replace', scrollback: 20 }))['error']).toBeUndefined();
  const output = await ask({ cmd: 'text', id: 's', command: 1 });
  expect((output['lines'] as string[]).at(-1)?.trimEnd()).toBe('300');
  expect(output['lost_lines']).toBeGreaterThan(250);
  expect(await ask({ cmd: 'run', id: 's', command: 'echo next; (exit 3)' })).toMatchObject({
    exit_code: 3,
    lines: ['next'],
    lost_lines: 0,
  });
});
