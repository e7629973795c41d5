/** `replace` from each supported Node to each other: the state of one is read by all. T4A_NODE_BINARIES as in node-versions.test.ts. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { replaceable } from '../support/replaceable.js';

const binaries = [
  process.execPath,
  ...(process.env['T4A_NODE_BINARIES'] ?? '').split(':').filter((file) => file !== ''),
];

/** Each of them follows each other one, itself too, in one walk. */
const walk = binaries.flatMap((from, at) => [from, ...binaries.slice(at + 1).flatMap((to) => [to, from])]);

it('a terminal, its scrollback and its program go on over all of them', async () => {
  const { ask } = await replaceable();
  const script =
    'stty -echo; seq 1 3000; echo 漢字👩‍👩‍👧; n=0; while read -r x; do n=$((n+1)); echo "$n <$x>"; done; exit 7';
  await ask({ cmd: 'create', name: 'n', cmd_args: ['sh', '-c', script], scrollback: 5000 });
  await ask({ cmd: 'wait', id: 'n', until: { text: '漢字' } });
  await ask({ cmd: 'wait', id: 'n', until: { awaiting_input: true } });
  const typed: string[] = [];
  for (const exec of walk) {
    expect(await ask({ cmd: 'replace', exec })).toMatchObject({ ok: true });
    expect((await ask({ cmd: 'stats' }))['node']).toBe(execFileSync(exec, ['--version'], { encoding: 'utf8' }).trim());
    await ask({ cmd: 'type', id: 'n', text: 'on', submit: true });
    typed.push(`${typed.length + 1} <on>`);
    await ask({ cmd: 'wait', id: 'n', until: { text: typed.at(-1) } });
  }
  const { lines } = await ask({ cmd: 'text', id: 'n', region: 'all', trim: true });
  const numbers = Array.from({ length: 3000 }, (_, at) => String(at + 1));
  expect((lines as string[]).filter((line) => line !== '')).toEqual([...numbers, '漢字👩‍👩‍👧', ...typed]);
  await ask({ cmd: 'press', id: 'n', keys: ['ctrl+d'] });
  expect(await ask({ cmd: 'wait', id: 'n', until: { exit: true } })).toMatchObject({ exit_code: 7 });
});
