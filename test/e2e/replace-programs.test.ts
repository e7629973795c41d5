/** Screens of real programs before and after a `replace`: each cell, the cursor, the title, the scrollback, the revision and the picture. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { stopProcess } from '../support/processes.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { replaceable, seenOf, type Replaceable } from '../support/replaceable.js';
import { EventStream } from '../support/wait-for.js';

type Answer = Record<string, unknown>;

/** Without a locale programs take each byte for a character. */
const env = { LC_ALL: 'C.UTF-8', PS1: '$ ' };

/** Every number has come, and once. */
async function events(daemon: Replaceable['daemon'], until: string): Promise<readonly Answer[]> {
  const stream = await EventStream.open(daemon.socketPath, { since: 0 });
  const seen: Answer[] = [];
  do seen.push(await stream.next());
  while (seen.at(-1)?.['name'] !== until);
  stream.close();
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
  return seen;
}

itNeeds(
  'vim',
  'htop',
  'bash',
)('vim, htop and a shell with a running command are the same to the cell, and take keys', async () => {
  const { daemon, ask, replace } = await replaceable();
  const until = async (id: string, condition: object): Promise<Answer> => {
    const waited = await ask({ cmd: 'wait', id, until: condition });
    expect(waited).toMatchObject({ ok: true, outcome: 'matched' });
    return waited;
  };
  const file = path.join(daemon.dir, 'note.txt');
  const lines = Array.from({ length: 400 }, (_, at) => `${at + 1} 漢字 "text" 👩‍👩‍👧 e\u0301`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const set = ['-c', 'syntax on', '-c', 'set number ruler title titlestring=note hlsearch', '-c', '/text', '-c', '250'];
  await ask({ cmd: 'create', name: 'vim', env, cmd_args: [requireProgram('vim'), '-u', 'NONE', '-N', ...set, file] });
  await until('vim', { text: '250,1' });
  const created = await ask({ cmd: 'create', name: 'htop', env, cmd_args: [requireProgram('htop'), '-d', '100'] });
  await until('htop', { text: 'F10' });
  await ask({ cmd: 'create', name: 'shell', cmd_args: ['bash'], cwd: daemon.dir, env, scrollback: 1000 });
  const colours = 'for i in $(seq 1 300); do printf "\\033[38;5;$((i % 256));4mline $i\\033[0m 漢\\n"; done';
  expect(await ask({ cmd: 'run', id: 'shell', command: colours })).toMatchObject({ exit_code: 0 });
  const running = 'while [ ! -e go ]; do sleep 0.05; done; echo over; (exit 9)';
  await ask({ cmd: 'type', id: 'shell', text: running, submit: true, wait: { until: { event: 'command_started' } } });
  for (const id of ['vim', 'htop', 'shell']) await until(id, { settled_ms: 300 });
  // It would draw its figures anew by its own clock.
  await stopProcess(created['pid'] as number);
  await until('htop', { idle_ms: 300 });

  const all = (): Promise<Answer[]> => Promise.all(['vim', 'htop', 'shell'].map((id) => seenOf(daemon, id)));
  const before = await all();
  expect(before).toMatchObject([{ title: 'note', alternate: true }, { alternate: true }, { alternate: false }]);
  for (let count = 0; count < 2; count++) {
    await replace();
    expect(await all()).toEqual(before);
  }

  process.kill(created['pid'] as number, 'SIGCONT');
  await ask({ cmd: 'press', id: 'htop', keys: ['F4'] });
  await ask({ cmd: 'type', id: 'htop', text: 'of-no-process' });
  await until('htop', { text: 'of-no-process' });
  await ask({ cmd: 'press', id: 'htop', keys: ['Escape', 'F10'] });
  expect(await until('htop', { exit: true })).toMatchObject({ exit_code: 0 });

  await ask({ cmd: 'press', id: 'vim', keys: ['j', 'A', '!', 'Escape'] });
  await until('vim', { text: '251,' });
  await ask({ cmd: 'type', id: 'vim', text: ':w | cquit', submit: true });
  expect(await until('vim', { exit: true })).toMatchObject({ exit_code: 1 });
  expect(readFileSync(file, 'utf8')).toBe(`${lines.with(250, `${lines[250]}!`).join('\n')}\n`);

  writeFileSync(path.join(daemon.dir, 'go'), '');
  expect(await until('shell', { done: true })).toMatchObject({ exit_code: 9 });
  expect(await ask({ cmd: 'run', id: 'shell', command: 'echo next; (exit 3)' })).toMatchObject({
    exit_code: 3,
    lines: ['next'],
  });
  const after = await all();
  for (const [at, { rev }] of after.entries()) expect(rev).toBeGreaterThan(before[at]?.['rev'] as number);
  await ask({ cmd: 'publish', name: 'last' });
  const seen = await events(daemon, 'last');
  const codes = (type: string, id: string): unknown[] =>
    seen
      .filter(({ event, terminal }) => event === type && terminal === id)
      .map(({ code, exit_code: other }) => code ?? other);
  expect(codes('exit', 'vim')).toEqual([1]);
  expect(codes('exit', 'htop')).toEqual([0]);
  expect(codes('command_done', 'shell')).toEqual([0, 9, 3]);
});

it(
  'a terminal is the same to the byte of its picture before and after each of ten replacements',
  { timeout: 60_000 },
  async () => {
    const { daemon, ask, replace } = await replaceable();
    // Output of each kind for each line that is read; a character is left open, and goes on behind the next one.
    const script = String.raw`stty -echo; seq 1 200; n=0; while read -r x; do n=$((n+1))
    printf "\242\033[1;38;5;${'$'}((n * 20))m$n bold \033[0;7minverse\033[0m \033[4:3;58;5;9mcurly\033[0m 漢字👩‍👩‍👧e\314\201\r\n"
    printf '\033]8;;http://x.y/'$n'\007link\033]8;;\007 \033(0lqk\033(B \033[3%dmpart %d\n' $((n % 8)) $n
    printf '\033]2;title %d\007\033[3;1H\033[2Lnew %d\033[%d;5Hread \346\274' $n $n $((n + 5)); done; exit 7`;
    await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script], scrollback: 500 });
    await ask({ cmd: 'wait', id: 'a', until: { awaiting_input: true } });
    let last = 0;
    for (let count = 1; count <= 10; count++) {
      const typed = await ask({
        cmd: 'type',
        id: 'a',
        text: 'on',
        submit: true,
        wait: { until: { text: `new ${count}` } },
      });
      expect(typed).toMatchObject({ wait: { outcome: 'matched' } });
      await ask({ cmd: 'wait', id: 'a', until: { awaiting_input: true } });
      await ask({ cmd: 'wait', id: 'a', until: { idle_ms: 50 } });
      const before = await seenOf(daemon, 'a');
      expect(before['rev']).toBeGreaterThan(last);
      last = before['rev'] as number;
      await replace();
      expect(await seenOf(daemon, 'a')).toEqual(before);
    }
    await ask({ cmd: 'press', id: 'a', keys: ['ctrl+d'] });
    expect(await ask({ cmd: 'wait', id: 'a', until: { exit: true } })).toMatchObject({ exit_code: 7 });
  },
);
