/** Notes of a project: by the tools, beside editors and other writers, and where what stands there is no file of the person's. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_SCRATCHPAD_BYTES, MAX_SCRATCHPADS } from '../../src/crew/scratchpads.js';
import { callAs, codeOf, type CrewCall, type CrewReply } from '../support/crew-tools.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';

const withAgent = agentsOfFile();

async function withPads(): Promise<{ fake: FakeAgents; call: CrewCall; folder: string }> {
  const fake = await withAgent();
  const call = callAs(fake, undefined, true);
  const { project } = (await call('get_project_status')) as { project: { key: string } };
  return { fake, call, folder: fake.dir.join('data', 't4a', 'projects', project.key, 'scratchpads') };
}

const namesOf = ({ scratchpads }: CrewReply): unknown => (scratchpads as { name: string }[]).map(({ name }) => name);

test('a note is written, read, appended to, listed and deleted, in a file for the user alone', async () => {
  const { call, folder } = await withPads();
  expect(await call('scratchpad_list')).toEqual({ scratchpads: [] });
  const written = await call('scratchpad_write', { name: 'todos', content: '- 1\n' });
  expect(written).toMatchObject({ name: 'todos.md', size: 4 });
  expect(readFileSync(join(folder, 'todos.md'), 'utf8')).toBe('- 1\n');
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'todos.md')).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(await call('scratchpad_read', { name: 'todos.md' })).toMatchObject({
    content: '- 1\n',
    revision: written['revision'],
  });
  const appended = await call('scratchpad_append', { name: 'todos', content: '- 2 ∞\n' });
  expect(await call('scratchpad_read', { name: 'todos' })).toMatchObject({
    content: '- 1\n- 2 ∞\n',
    revision: appended['revision'],
  });
  await call('scratchpad_append', { name: 'a', content: 'x' });
  expect(namesOf(await call('scratchpad_list'))).toEqual(['a.md', 'todos.md']);
  expect((await call('get_project_status'))['scratchpads']).toEqual((await call('scratchpad_list'))['scratchpads']);
  expect(await call('scratchpad_delete', { name: 'todos' })).toEqual({ ok: true });
  expect(codeOf(await call('scratchpad_read', { name: 'todos' }))).toBe('not_found');
  expect(codeOf(await call('scratchpad_delete', { name: 'todos' }))).toBe('not_found');
  expect(readdirSync(folder)).toEqual(['a.md']);
});

test('a change since the revision that was read is not overwritten, also if an editor made it', async () => {
  const { call, folder } = await withPads();
  const { revision } = await call('scratchpad_write', { name: 'n', content: 'one', revision: '' });
  expect(codeOf(await call('scratchpad_write', { name: 'n', content: 'x', revision: '' }))).toBe('revision_conflict');
  writeFileSync(join(folder, 'n.md'), 'by an editor');
  for (const name of ['scratchpad_write', 'scratchpad_delete']) {
    const content = name === 'scratchpad_write' ? { content: 'two' } : {};
    const refused = await call(name, { name: 'n', revision, ...content });
    expect([name, codeOf(refused)]).toEqual([name, 'revision_conflict']);
    const { revision: now } = (refused as { error: { revision: string } }).error;
    expect((await call('scratchpad_read', { name: 'n' }))['revision']).toBe(now);
  }
  expect(readFileSync(join(folder, 'n.md'), 'utf8')).toBe('by an editor');
});

test('of many writers at once none loses what it appends, and of those with one revision one writes', async () => {
  const { fake, call } = await withPads();
  const writers = Array.from({ length: 20 }, (_, i) => ({ i, own: callAs(fake, undefined, true) }));
  await Promise.all(writers.map(({ i, own }) => own('scratchpad_append', { name: 'log', content: `${i}\n` })));
  const { content, revision } = (await call('scratchpad_read', { name: 'log' })) as {
    content: string;
    revision: string;
  };
  expect(
    content
      .trim()
      .split('\n')
      .map(Number)
      .toSorted((a, b) => a - b),
  ).toEqual(writers.map(({ i }) => i));
  const codes = await Promise.all(
    writers.map(async ({ i, own }) =>
      codeOf(await own('scratchpad_write', { name: 'log', content: `${i}`, revision })),
    ),
  );
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set([undefined, 'revision_conflict']));
});

test.each([
  '../x',
  '..',
  '.',
  '',
  '.md',
  '.hidden',
  'a/b',
  '/etc/passwd',
  'a\0',
  'a b',
  'a\n',
  'x'.repeat(70),
  '-rf',
  'a\u200db',
  'plan\ufe0f',
  '\u3164',
  '漢'.repeat(100),
])('the name %j is refused by each tool', async (name) => {
  const { call, fake } = await withPads();
  for (const [tool, more] of [
    ['scratchpad_read', {}],
    ['scratchpad_write', { content: 'x' }],
    ['scratchpad_append', { content: 'x' }],
    ['scratchpad_delete', {}],
  ] as const) {
    expect([tool, codeOf(await call(tool, { name, ...more }))]).toEqual([
      tool,
      name === '' ? 'invalid_field' : 'bad_name',
    ]);
  }
  expect(readdirSync(fake.dir.join('data'))).toEqual(['t4a']);
  expect(await call('scratchpad_list')).toEqual({ scratchpads: [] });
});

test.each<[string, (path: string, other: string) => void]>([
  ['a link', (path, other) => symlinkSync(other, path)],
  ['a link to nothing', (path) => symlinkSync('/no/such', path)],
  ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
  ['a directory', (path) => mkdirSync(path)],
  ['too large', (path) => writeFileSync(path, 'x'.repeat(MAX_SCRATCHPAD_BYTES + 1))],
])('a note that is %s is listed without a revision, and neither read nor changed', async (_what, make) => {
  const { fake, call, folder } = await withPads();
  await call('scratchpad_write', { name: 'a', content: 'x' });
  const other = fake.dir.join('other');
  writeFileSync(other, 'mine');
  make(join(folder, 'bad.md'), other);
  const { scratchpads } = await call('scratchpad_list');
  expect(scratchpads).toMatchObject([{ name: 'a.md' }, { name: 'bad.md', revision: null }]);
  for (const [tool, more] of [
    ['scratchpad_read', {}],
    ['scratchpad_write', { content: 'y' }],
    ['scratchpad_append', { content: 'y' }],
    ['scratchpad_delete', {}],
  ] as const) {
    expect(['not_permitted', 'limit_reached']).toContain(codeOf(await call(tool, { name: 'bad', ...more })));
  }
  expect(readFileSync(other, 'utf8')).toBe('mine');
  expect(readdirSync(folder).toSorted()).toEqual(['a.md', 'bad.md']);
});

test.each<[string, (folder: string, elsewhere: string) => void]>([
  ['can be written by others', (folder) => chmodSync(folder, 0o777)],
  [
    'is a link',
    (folder, elsewhere) => {
      renameSync(folder, elsewhere);
      symlinkSync(elsewhere, folder);
    },
  ],
])('a folder of notes that %s is not used, and the status of the project says so', async (_what, change) => {
  const { fake, call, folder } = await withPads();
  await call('scratchpad_write', { name: 'a', content: 'x' });
  change(folder, fake.dir.join('elsewhere'));
  expect(codeOf(await call('scratchpad_list'))).toBe('not_permitted');
  expect(codeOf(await call('scratchpad_read', { name: 'a' }))).toBe('not_permitted');
  expect(codeOf(await call('scratchpad_write', { name: 'a', content: 'y' }))).toBe('not_permitted');
  expect(await call('get_project_status')).toMatchObject({
    scratchpads: [],
    warning: expect.stringContaining('are not used') as string,
  });
});

test('notes have bounds in size and number', async () => {
  const { call, folder } = await withPads();
  const most = 'x'.repeat(MAX_SCRATCHPAD_BYTES);
  expect(await call('scratchpad_write', { name: 'n0', content: most })).toMatchObject({ size: MAX_SCRATCHPAD_BYTES });
  expect(codeOf(await call('scratchpad_append', { name: 'n0', content: 'y' }))).toBe('limit_reached');
  expect(codeOf(await call('scratchpad_write', { name: 'n0', content: `${most.slice(1)}∞` }))).toBe('limit_reached');
  expect(codeOf(await call('scratchpad_write', { name: 'n0', content: `${most}y` }))).toBe('invalid_field');
  expect(codeOf(await call('scratchpad_write', { name: 'n0', content: '\ud800' }))).toBe('invalid_field');
  expect(readFileSync(join(folder, 'n0.md'), 'utf8')).toBe(most);
  for (let n = 1; n < MAX_SCRATCHPADS; n++) writeFileSync(join(folder, `n${n}.md`), '');
  expect(codeOf(await call('scratchpad_write', { name: 'more', content: '' }))).toBe('limit_reached');
  expect(await call('scratchpad_write', { name: 'n1', content: 'y' })).toMatchObject({ size: 1 });
});

test('a claim that a killed writer left is named, and the note can still be read', async () => {
  const { call, folder } = await withPads();
  await call('scratchpad_write', { name: 'a', content: 'x' });
  writeFileSync(join(folder, '.a.md.new'), '');
  const refused = await call('scratchpad_write', { name: 'a', content: 'y' });
  expect(refused).toMatchObject({ error: { code: 'busy', message: expect.stringContaining('.a.md.new') as string } });
  expect(await call('scratchpad_read', { name: 'a' })).toMatchObject({ content: 'x' });
});

test('a name in any form of Unicode is that of the note which is there', async () => {
  const { call, folder } = await withPads();
  await call('scratchpad_write', { name: 'cafe\u0301', content: 'one' });
  expect(readdirSync(folder)).toEqual(['caf\u00e9.md']);
  expect(await call('scratchpad_append', { name: 'caf\u00e9', content: ' two' })).toMatchObject({
    name: 'caf\u00e9.md',
  });
  // An editor on another system wrote this one.
  writeFileSync(join(folder, 'e\u0301.md'), 'mine');
  expect(await call('scratchpad_read', { name: '\u00e9' })).toMatchObject({ name: 'e\u0301.md', content: 'mine' });
  await call('scratchpad_write', { name: '\u00e9', content: 'ours' });
  expect(readdirSync(folder).toSorted()).toEqual(['caf\u00e9.md', 'e\u0301.md']);
  expect(await call('scratchpad_delete', { name: 'cafe\u0301' })).toEqual({ ok: true });
});
