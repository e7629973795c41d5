/** Presets: which there are, and which files are refused. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Crew } from '../../src/crew/entry.js';
import { crewPlaces } from '../../src/crew/places.js';
import { listPresets } from '../../src/crew/presets.js';
import { runCli } from '../support/cli.js';
import { tempDir } from '../support/temp-dir.js';
import { type TestCrew, testCrew } from '../support/crew.js';

interface Listed {
  readonly kind: string;
  readonly name: string;
  readonly file: string | null;
  readonly preset?: Record<string, unknown>;
  readonly error?: string;
}

async function listed({ t4a }: TestCrew): Promise<Listed[]> {
  const { status, stdout } = await t4a(['crew', 'presets', '--json']);
  expect(status).toBe(0);
  return (JSON.parse(stdout) as { presets: Listed[] }).presets;
}

async function found(crew: TestCrew, name: string): Promise<Listed | undefined> {
  return (await listed(crew)).find((one) => one.name === name);
}

test('a folder that cannot be seen counts as absent', () => {
  const { join } = tempDir();
  writeFileSync(join('file'), '');
  const places = { ...crewPlaces({}), presets: join('file/presets') };
  const all = listPresets(places);
  expect(all.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(all.map(({ name }) => name)).toContain('claude');
});

test('four agents and two processes are shipped', async () => {
  const { env, t4a } = testCrew();
  const { stdout, stderr } = await t4a(['crew', 'presets']);
  expect(stderr).toBe('');
  expect(stdout).toBe(
    [
      'KIND     NAME         FROM     PROGRAM',
      'agent    claude       shipped  claude',
      'agent    codex        shipped  codex',
      'agent    gemini       shipped  gemini',
      'agent    opencode     shipped  opencode',
      'process  bun run dev  shipped  bun run dev',
      'process  vitest       shipped  npx vitest --watch',
      '',
    ].join('\n'),
  );
  // By the built command line as well.
  expect(await runCli(['crew', 'presets'], { env })).toMatchObject({ status: 0, stdout });
});

test('a file changes the fields that it names of the shipped preset of its name', async () => {
  const crew = testCrew();
  const path = crew.preset('agents', 'mine.json', {
    name: 'claude',
    argv: ['claude', '--model', 'opus'],
    approve: 'none',
  });
  expect(await found(crew, 'claude')).toMatchObject({
    file: path,
    preset: {
      argv: ['claude', '--model', 'opus'],
      approve: 'none',
      rules: 'claude',
      mcp: { args: ['--mcp-config', '{servers:json}'] },
    },
  });
  expect(await found(crew, 'codex')).toMatchObject({ file: null, preset: { approve: 'reading' } });
});

test('a file adds a preset, and one with "disabled" hides a preset', async () => {
  const crew = testCrew();
  crew.preset('processes', 'api.json', {
    name: 'api',
    argv: ['make', 'api'],
    env: { PORT: '3000' },
    working_dir: 'server',
  });
  crew.preset('agents', 'gemini.json', { name: 'gemini', disabled: true });
  crew.preset('agents', 'gone.json', { name: 'gone', disabled: true });
  const names = (await listed(crew)).map(({ name }) => name);
  expect(names).toEqual(['claude', 'codex', 'opencode', 'api', 'bun run dev', 'vitest']);
  const own = new Crew(crew.env, crew.project);
  expect(own.presetNamed('api').preset).toEqual({
    name: 'api',
    argv: ['make', 'api'],
    env: { PORT: '3000' },
    working_dir: 'server',
  });
  expect(() => own.presetNamed('gemini')).toThrow('There is no preset "gemini"');
  expect(() => own.presetNamed('cladue')).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ closest: 'claude' }) }),
  );
});

test.each([
  ['a field of a wrong type', '{"name": "x",\n "argv": "x"}', 'line 2', '"argv"'],
  ['an empty argv', '{"name": "x",\n\n "argv": []}', 'line 3', '"argv"'],
  ['no argv', '{"name": "x"}', 'line 1', '"argv"'],
  ['no name', '{"argv": ["x"]}', 'line 1', '"name"'],
  ['a name with a control character', '{"argv": ["x"],\n"name": "a\\u001b[2J"}', 'line 2', '"name"'],
  ['an unknown field', '{"name": "x",\n"argv": ["x"],\n"arg": 1}', 'line 3', '"arg"'],
  ['an unknown field within', '{"name": "x", "argv": ["x"],\n"mcp": {\n"arg": []}}', 'line 3', 'arg'],
  [
    'an unknown placeholder',
    '{"name": "x", "argv": ["x"], "mcp": {\n"args": ["{exes:toml}"]}}',
    'line 2',
    '{exes:toml}',
  ],
  [
    'a placeholder that needs a notation',
    '{"name": "x", "argv": ["x"], "mcp": {\n"args": ["{env}"]}}',
    'line 2',
    '{env}',
  ],
  ['an approval that there is not', '{"name": "x", "argv": ["x"],\n"approve": "writing"}', 'line 2', '"approve"'],
  ['a NUL', '{"name": "x",\n"argv": ["a\\u0000b"]}', 'line 2', 'argv.0'],
  ['no JSON', '{"name": "x",\n"argv": ["x",]}', 'line 2', 'expected a value'],
  ['a list', '[]', 'line 1', 'expected an object'],
  ['nothing', '', 'line 1', 'expected a value'],
])('a preset with %s is listed with file and line, and the others live', async (_, text, line, says) => {
  const crew = testCrew();
  const path = crew.preset('agents', 'x.json', text);
  const list = await listed(crew);
  const broken = list.filter((one) => one.preset === undefined);
  expect(broken).toMatchObject([{ kind: 'agent', name: 'x', file: path }]);
  expect(broken[0]?.error).toContain(`In ${JSON.stringify(path)}, ${line}: `);
  expect(broken[0]?.error).toContain(says);
  expect(list.filter((one) => one.preset !== undefined)).toHaveLength(6);
  const { status, stdout, stderr } = await crew.t4a(['crew', 'presets']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^agent +x +yours +broken$/m);
  expect(stderr).toContain(broken[0]?.error);
});

test('a broken file takes the place of the shipped preset that it is about', async () => {
  const crew = testCrew();
  crew.preset('agents', 'claude.json', '{"approve": "none",,}');
  crew.preset('agents', 'other.json', '{"name": "codex", "approve": "nonsense"}');
  expect((await found(crew, 'claude'))?.error).toContain('claude.json", line 1');
  expect((await found(crew, 'codex'))?.error).toContain('other.json", line 1');
  expect(() => new Crew(crew.env, crew.project).presetNamed('claude')).toThrow('claude.json", line 1');
});

test('the second of two files of one name is not used, and listed so', async () => {
  const crew = testCrew();
  crew.preset('agents', 'a.json', { name: 'x', argv: ['first'] });
  const second = crew.preset('agents', 'b.json', { name: 'x', argv: ['second'] });
  const both = (await listed(crew)).filter(({ name }) => name === 'x');
  expect(both).toMatchObject([{ preset: { argv: ['first'] } }, { file: second }]);
  expect(both[1]?.error).toContain('has the name "x", as ');
});

const REFUSED: readonly [string, string, (path: string) => void][] = [
  [
    'a link',
    'is a link',
    (path) => {
      writeFileSync(`${path}.there`, JSON.stringify({ name: 'x', argv: ['x'] }));
      symlinkSync(`${path}.there`, path);
    },
  ],
  ['a FIFO', 'is a FIFO', (path) => execFileSync('mkfifo', [path])],
  ['a directory', 'is a directory', (path) => mkdirSync(path)],
  ['a device', 'is a link', (path) => symlinkSync('/dev/zero', path)],
  ['too large', 'has more than 65536 bytes', (path) => writeFileSync(path, ' '.repeat(64 * 1024 + 1))],
  [
    'one that others can write',
    'can be written by others',
    (path) => {
      writeFileSync(path, JSON.stringify({ name: 'x', argv: ['x'] }));
      chmodSync(path, 0o666);
    },
  ],
];

test.each(REFUSED)('a file that is %s is not read', async (_, says, make) => {
  const crew = testCrew();
  make(crew.dir.join('config', 't4a', 'presets', 'agents', 'x.json'));
  const broken = (await listed(crew)).filter((one) => one.preset === undefined);
  expect(broken).toHaveLength(1);
  expect(broken[0]).toMatchObject({ name: 'x' });
  expect(broken[0]?.error).toContain(says);
});

test('a folder that others can write makes all presets of its kind unusable, since they are commands', async () => {
  const crew = testCrew();
  crew.preset('agents', 'x.json', { name: 'x', argv: ['x'] });
  chmodSync(crew.dir.join('config', 't4a', 'presets', 'agents'), 0o777);
  const list = await listed(crew);
  expect(list.filter((one) => one.preset !== undefined).map(({ kind }) => kind)).toEqual(['process', 'process']);
  expect(list[0]?.error).toContain('can be written by others');
});

test('presets are read from the folder of the person alone, never from a project', async () => {
  const crew = testCrew();
  for (const folder of ['.t4a', 't4a', '.config/t4a']) {
    mkdirSync(`${crew.project}/${folder}/presets/agents`, { recursive: true });
    writeFileSync(
      `${crew.project}/${folder}/presets/agents/evil.json`,
      JSON.stringify({ name: 'evil', argv: ['evil'] }),
    );
  }
  expect(await found(crew, 'evil')).toBeUndefined();
  const env = { ...crew.env, XDG_CONFIG_HOME: '.' };
  expect(listPresets(crewPlaces(env)).some(({ name }) => name === 'evil')).toBe(false);
});

test('without a folder of presets the shipped ones are there', () => {
  const crew = testCrew();
  rmSync(crew.dir.join('config', 't4a'), { recursive: true });
  expect(listPresets(crewPlaces(crew.env)).map(({ error }) => error)).toEqual(Array.from({ length: 6 }));
});
