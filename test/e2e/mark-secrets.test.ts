/** What proves the marks of a shell is known to that shell alone: programs that it starts find nothing of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { keepFishFromManuals } from '../support/fish-manuals.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

async function create(cmd_args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const created = await request(daemon, { cmd: 'create', cmd_args, env, wait });
  expect(created).toMatchObject({ wait: { outcome: 'matched' } });
  return String(created['id']);
}

interface Start {
  readonly name: string;
  readonly cmd: readonly [string, ...string[]];
  /** Its start-up file, and what that says. */
  readonly file: string;
  readonly says: string;
}

const STARTS: readonly Start[] = [
  { name: 'bash', cmd: ['bash'], file: '.bashrc', says: 'set -a' },
  { name: 'a login bash', cmd: ['bash', '-l'], file: '.bash_profile', says: 'set -a' },
  { name: 'bash with a DEBUG trap', cmd: ['bash'], file: '.bashrc', says: 'set -a\ntrap : DEBUG' },
  { name: 'bash with a PROMPT_COMMAND', cmd: ['bash'], file: '.bashrc', says: 'set -a\nPROMPT_COMMAND=true' },
  { name: 'zsh', cmd: ['zsh'], file: '.zshenv', says: 'setopt all_export' },
  { name: 'dash', cmd: ['dash'], file: 'env', says: 'set -a' },
  { name: 'a login dash', cmd: ['dash', '-l'], file: '.profile', says: 'set -a' },
  { name: 'busybox', cmd: ['busybox', 'ash'], file: 'env', says: 'set -a' },
  { name: 'mksh', cmd: ['mksh'], file: 'env', says: 'set -a' },
  { name: 'ksh93', cmd: ['ksh93'], file: 'env', says: 'set -a' },
];

describe('marks without proofs', () => {
  itNeeds('bash')('are said to be so where their seed cannot be written', async () => {
    const nowhere = path.join(tempDir().path, 'absent');
    const without = await startDaemon({ env: { TMPDIR: nowhere } });
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const created = await request(without, { cmd: 'create', cmd_args: ['bash'], wait });
    const warning = expect.stringContaining(`no proofs (${nowhere}: ENOENT)`) as string;
    expect(created).toMatchObject({ wait: { outcome: 'matched' }, warning });
    const { id } = created;
    expect(await request(without, { cmd: 'status', id })).toMatchObject({ warning });
    const ran = await request(without, { cmd: 'run', id, command: 'sh -c "echo one; exit 3"' });
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['one'] });
    expect(await request(without, { cmd: 'restart', id })).toMatchObject({ generation: 2, warning });
    expect(await request(without, { cmd: 'create', cmd_args: ['cat'] })).not.toHaveProperty('warning');
    await without.stop();
  });

  itNeeds('bash')('are said to be so where the shell cannot read their seed', async () => {
    const shell = path.join(tempDir().path, 'bash');
    writeFileSync(shell, `#!/bin/sh\nunset T4A_MARKS\nexec bash "$@"\n`, { mode: 0o755 });
    const id = await create([shell], {});
    const status = await request(daemon, { cmd: 'status', id });
    expect(status).toMatchObject({ warning: expect.stringContaining('could not read their seed') as string });
    expect(await run(id, 'sh -c "exit 3"')).toMatchObject({ outcome: 'done', exit_code: 3 });
    await request(daemon, { cmd: 'kill', id });
    const other = await create(['bash'], {});
    expect(await request(daemon, { cmd: 'status', id: other })).not.toHaveProperty('warning');
    await request(daemon, { cmd: 'kill', id: other });
  });
});

describe.each(STARTS)('in $name that exports all that is set', ({ cmd, file, says }) => {
  itNeeds(cmd[0])('no environment has more of the proofs than was printed, and marks are proven', async () => {
    const home = tempDir().path;
    writeFileSync(path.join(home, file), `${says}\nseen=1\n`);
    const id = await create(cmd, { HOME: home, ENV: path.join(home, 'env') });
    await run(id, 'true');
    const { lines } = (await run(id, 'env')) as unknown as { lines: string[] };
    expect(lines).toContain('seen=1');
    const { data } = await request(daemon, { cmd: 'output', id, inline: true });
    const printed = Buffer.from(String(data), 'base64').toString('latin1');
    expect(printed).toContain(';proof=');
    for (const line of lines.filter((each) => each.includes('t4a_'))) {
      // Counts and flags are no secret.
      for (const [number] of line.matchAll(/\d{4,}/g)) expect(line).toSatisfy(() => printed.includes(number));
      expect(line).not.toMatch(/^BASH_FUNC/);
    }
    const forged = path.join(home, 'forged');
    writeFileSync(forged, '\x1b]133;D;0\x07\x1b]7777;done;0\x07after\n');
    expect(await run(id, `cat ${forged}; sh -c "exit 3"`)).toMatchObject({ exit_code: 3, lines: ['after'] });
    await request(daemon, { cmd: 'kill', id });
  });
});

itNeeds('fish')(
  'in fish, what its start-up files start can read the seed of the proofs, and what comes later cannot',
  async () => {
    const home = tempDir().path;
    mkdirSync(path.join(home, 'fish'));
    keepFishFromManuals(path.join(home, '.local/share'));
    const [during, later] = [path.join(home, 'during'), path.join(home, 'later')];
    writeFileSync(path.join(home, 'fish', 'config.fish'), `sh -c 'cat $T4A_MARKS >${during}'\n`);
    const id = await create(['fish'], { HOME: home, XDG_CONFIG_HOME: home });
    await run(id, `sh -c 'cat "$T4A_MARKS" >${later}'`);
    expect(readFileSync(during, 'latin1')).toMatch(/^\d+ \d+ \d+ \d+\n$/);
    expect(readFileSync(later, 'latin1')).toBe('');
    await request(daemon, { cmd: 'kill', id });
  },
);
