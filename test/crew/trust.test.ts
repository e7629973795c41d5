/** Trust of presets: by project, preset and what the preset says; nothing that is in doubt is trusted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Crew } from '../../src/crew/entry.js';
import { CLI, runCli } from '../support/cli.js';
import { type TestCrew, testCrew } from '../support/crew.js';

const trusts = ({ env, project }: TestCrew, name: string): boolean => {
  const crew = new Crew(env, project);
  const { kind, preset } = crew.presetNamed(name);
  return crew.isTrusted(kind, preset);
};

function trustFile({ dir }: TestCrew): string {
  const projects = dir.join('data', 't4a', 'projects');
  const [key = ''] = readdirSync(projects);
  return join(projects, key, 'trust.json');
}

async function trusting(name = 'claude'): Promise<TestCrew> {
  const crew = testCrew();
  expect(await crew.t4a(['crew', 'trust', name])).toMatchObject({ status: 0, stderr: '' });
  expect(trusts(crew, name)).toBe(true);
  return crew;
}

test('trust is of one preset in one project, and is written for the user alone', async () => {
  const crew = testCrew();
  expect(trusts(crew, 'claude')).toBe(false);
  expect(await crew.t4a(['crew', 'trust', 'claude'])).toEqual(
    expect.objectContaining({ status: 0, stdout: 'agent claude: claude\n' }),
  );
  expect([trusts(crew, 'claude'), trusts(crew, 'codex')]).toEqual([true, false]);
  expect(statSync(trustFile(crew)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(trustFile(crew), '..'))).toEqual(['trust.json']);
  mkdirSync(crew.dir.join('other'));
  expect(trusts({ ...crew, project: crew.dir.join('other') }, 'claude')).toBe(false);
  // By another path the project is the same.
  symlinkSync(crew.project, crew.dir.join('link'));
  expect(trusts({ ...crew, project: crew.dir.join('link') }, 'claude')).toBe(true);
});

test('an edit of the preset asks again, another order of its fields does not', async () => {
  const crew = testCrew();
  crew.preset('processes', 'dev.json', '{"name": "dev", "argv": ["make", "dev"], "env": {"A": "1", "B": "2"}}');
  await crew.t4a(['crew', 'trust', 'dev']);
  crew.preset('processes', 'dev.json', '{"env": {"B": "2", "A": "1"},\n "argv": ["make", "dev"], "name": "dev"}');
  expect(trusts(crew, 'dev')).toBe(true);
  crew.preset('processes', 'dev.json', '{"name": "dev", "argv": ["make", "dev"], "env": {"A": "1", "B": "3"}}');
  expect(trusts(crew, 'dev')).toBe(false);
  expect((await crew.t4a(['crew', 'trust', '--list'])).stdout).toBe(
    'KIND     NAME  STATE    PROGRAM\nprocess  dev   changed  make dev\n',
  );
});

test('trust ends by --revoke, and by nothing else', async () => {
  const crew = await trusting();
  await crew.t4a(['crew', 'trust', 'codex']);
  expect(await crew.t4a(['crew', 'trust', '--revoke', 'claude'])).toMatchObject({ status: 0, stdout: 'claude\n' });
  expect([trusts(crew, 'claude'), trusts(crew, 'codex')]).toEqual([false, true]);
  const again = await crew.t4a(['crew', 'trust', '--revoke', 'claude']);
  expect(again.status).toBe(2);
  expect(again.stderr).toContain('"claude" is not trusted');
  // Of a preset that is gone as well.
  crew.preset('agents', 'codex.json', { name: 'codex', disabled: true });
  expect((await crew.t4a(['crew', 'trust'])).stdout).toMatch(/codex +gone/);
  expect((await crew.t4a(['crew', 'trust', '--revoke', 'codex'])).status).toBe(0);
  expect((await crew.t4a(['crew', 'trust'])).stderr).toContain('Nothing is trusted');
});

const DOUBTS: readonly [string, string, (file: string) => void][] = [
  ['writable by its group', 'can be written by others', (file) => chmodSync(file, 0o620)],
  ['writable by all', 'can be written by others', (file) => chmodSync(file, 0o602)],
  ['in a folder that others can write', 'can be written by others', (file) => chmodSync(join(file, '..'), 0o777)],
  [
    'a link',
    'is a link',
    (file) => {
      renameSync(file, `${file}.there`);
      symlinkSync(`${file}.there`, file);
    },
  ],
  [
    'a directory',
    'a directory',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
  ['no JSON any more', 'is not JSON', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(1))],
  ['cut off', 'is not JSON', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40))],
  ['empty', 'is not JSON', (file) => writeFileSync(file, '')],
  ['edited to a wildcard', 'is not as t4a writes it', (file) => edit(file, /"[0-9a-f]{64}"/, '"*"')],
  ['edited with a field more', 'is not as t4a writes it', (file) => edit(file, '"version"', '"all": true, "version"')],
  ['of another version', 'is not as t4a writes it', (file) => edit(file, '"version": 1', '"version": 2')],
  ['of another project', 'is about "/another"', (file) => edit(file, /"project": "[^"]*"/, '"project": "/another"')],
  ['too large', 'has more than', (file) => writeFileSync(file, readFileSync(file, 'utf8') + ' '.repeat(600_000))],
];

function edit(file: string, from: string | RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

test.each(DOUBTS)('a file of trust that is %s grants nothing, and says why', async (_, says, change) => {
  const crew = await trusting();
  change(trustFile(crew));
  expect(trusts(crew, 'claude')).toBe(false);
  const { status, stderr } = await crew.t4a(['crew', 'trust', '--list']);
  expect(status).toBe(0);
  expect(stderr).toContain(says);
  expect(stderr).toContain('nothing is trusted');
});

test('another hash, written by hand, is what it says', async () => {
  const crew = await trusting();
  edit(trustFile(crew), /"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`);
  expect(trusts(crew, 'claude')).toBe(false);
  expect((await crew.t4a(['crew', 'trust', '--json'])).stdout).toContain('"state":"changed"');
});

test('a file in doubt is replaced by the next grant, without what it said', async () => {
  const crew = await trusting();
  chmodSync(trustFile(crew), 0o666);
  expect((await crew.t4a(['crew', 'trust', 'codex'])).status).toBe(0);
  expect([trusts(crew, 'claude'), trusts(crew, 'codex')]).toEqual([false, true]);
  expect(statSync(trustFile(crew)).mode & 0o777).toBe(0o600);
});

test('where the folder is not safe, nothing is written', async () => {
  const crew = await trusting();
  const before = readFileSync(trustFile(crew), 'utf8');
  chmodSync(join(trustFile(crew), '..'), 0o777);
  const { status, stderr } = await crew.t4a(['crew', 'trust', 'codex']);
  expect(status).toBe(2);
  expect(stderr).toContain('can be written by others: nothing was changed');
  expect(readFileSync(trustFile(crew), 'utf8')).toBe(before);
});

test.each(['/proc/nope', '/dev/null'])('a folder of data that cannot be made, %s, is named at once', async (data) => {
  const { env, project } = testCrew();
  // A process of its own: what never returns ends with it.
  const args = ['crew', 'trust', 'claude'];
  const { status, stderr } = await runCli(args, { env: { ...env, XDG_DATA_HOME: data }, cwd: project });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(
      /trust\.json" cannot be written \((ENOENT|ENOTDIR|EACCES)\): nothing was changed/,
    ) as string,
  });
});

test.each(['/proc/nope', '/dev/null'])(
  'a folder of data that cannot be entered, %s, counts as absent',
  async (data) => {
    const { env, project } = testCrew();
    const trust = await runCli(['crew', 'trust'], { env: { ...env, XDG_DATA_HOME: data }, cwd: project });
    expect(trust).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Nothing is trusted/) as string });
  },
);

test('of many that trust at once none is lost', async () => {
  const crew = testCrew();
  const names = Array.from({ length: 6 }, (_, i) => `p${i}`);
  for (const name of names) crew.preset('processes', `${name}.json`, { name, argv: [name] });
  const children = names.map((name) =>
    spawn(process.execPath, [CLI, 'crew', 'trust', name], {
      cwd: crew.project,
      env: { ...crew.env, PATH: process.env['PATH'] },
      stdio: 'ignore',
    }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0] as number));
  expect(codes).toEqual(names.map(() => 0));
  expect(names.filter((name) => trusts(crew, name))).toEqual(names);
});

test.each([
  [['crew', 'trust', 'nonsense'], 'There is no preset "nonsense"'],
  [['crew', 'trust', 'claude', 'codex'], 'an argument too many: "codex"'],
  [['crew', 'trust', 'claude', '--list'], 'takes one of a name'],
  [['crew', 'presets', '--revoke', 'claude'], '"--revoke" does not go with "crew presets"'],
  [['crew', 'presets', 'x'], 'an argument too many: "x"'],
  [['crew', 'sail'], 'sail'],
  [['crew'], 'needs a terminal'],
])('%j is refused', async (args, says) => {
  const { status, stderr } = await testCrew().t4a(args);
  expect(status).toBe(2);
  expect(stderr).toContain(says);
});

test('an agent and a process of one name are trusted by their kinds', async () => {
  const crew = testCrew();
  crew.preset('processes', 'c.json', { name: 'claude', argv: ['true'] });
  expect((await crew.t4a(['crew', 'trust', 'claude'])).stderr).toContain('--kind agent');
  expect((await crew.t4a(['crew', 'trust', 'claude', '--kind', 'process'])).stdout).toBe('process claude: true\n');
  const own = new Crew(crew.env, crew.project);
  expect(own.trusted().presets.map(({ kind }) => kind)).toEqual(['process']);
});

test('a preset that is broken cannot be trusted', async () => {
  const crew = testCrew();
  crew.preset('agents', 'claude.json', '{"name": "claude", "argv": 1}');
  const { status, stderr } = await crew.t4a(['crew', 'trust', 'claude']);
  expect(status).toBe(2);
  expect(stderr).toContain('claude.json\\", line 1'.replaceAll('\\', ''));
});
