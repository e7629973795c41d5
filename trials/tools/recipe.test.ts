/**
 * Follows the recipes for a new command and a new feature in CONTRIBUTING.md to the letter, in a copy of the tree: it compiles with its
 * tests, and every client then has the commands.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as client from '../../src/client/index.js';
import { ROOT } from '../../test/support/consumer.js';
import { itNeeds } from '../../test/support/programs.js';

const NAME = 'title';

const PAGE = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** Code that the page has in a sentence. A reader has nothing else to go by. @throws Error if the page does not have it */
function written(code: string): string {
  if (PAGE.includes(`\`${code}\``)) return code;
  throw new Error(`CONTRIBUTING.md does not say \`${code}\``);
}

/** Blocks of TypeScript that begin with the path of their file. */
function filesOfRecipe(): Map<string, string> {
  const blocks = [...PAGE.matchAll(/^ {3}```ts\n {3}\/\/ (\S+)\n([\s\S]*?)^ {3}```$/gm)];
  return new Map(blocks.map(([, file = '', code = '']) => [file, code.replaceAll(/^ {3}/gm, '')]));
}

const home = mkdtempSync('/tmp/t4a-test-');
const socketPath = path.join(home, 's');
const tree = path.join(home, 'tree');

const inTree = (...names: string[]): string => path.join(tree, ...names);
const readIn = (file: string): string => readFileSync(inTree(file), 'utf8');

function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(command, args, {
    cwd: tree,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, T4A_SOCKET: socketPath, ...env },
  });
}

const t4a = (...args: string[]) => run(process.execPath, [inTree('dist/cli.cjs'), ...args]);

function edit(file: string, change: (text: string) => string): void {
  const text = readIn(file);
  const changed = change(text);
  if (changed === text) throw new Error(`${file} is as before`);
  writeFileSync(inTree(file), changed);
}

const atHead = (file: string, list: RegExp, line: string): void =>
  edit(file, (text) => text.replace(list, (head) => `${head}\n  ${line.replace(/,$/, '')},`));

/** The import before the first one, the line at the head of the list. */
function register(file: string, from: string, list: RegExp, line: string, name = NAME): void {
  edit(file, (text) => text.replace(/^import /m, `import { ${name} } from '${from}';\nimport `));
  atHead(file, list, line);
}

const REQUESTS = 'test/protocol/replies.test.ts';
const LIST_OF_REQUESTS = /^const REQUESTS: .*\{$/m;

/** The second time, what the first has not: the rest is as it was. One thread takes little more than half of the work of several. */
const compile = () =>
  run(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    '.',
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    '.compiled',
  ]);

function expectIncomplete(...missing: readonly string[]): void {
  const { status, stdout } = compile();
  expect(status).not.toBe(0);
  for (const one of missing) expect(stdout).toMatch(new RegExp(one));
}

const COPIED = [
  'src test lint bench trials scripts examples clients docs skills package.json tsconfig.json tsconfig.types.json',
  'vitest.config.ts vitest.fast.config.ts vitest.trials.config.ts vitest.lint.config.ts',
].flatMap((names) => names.split(' '));

beforeAll(() => {
  mkdirSync(tree);
  for (const name of COPIED) cpSync(path.join(ROOT, name), inTree(name), { recursive: true });
  for (const name of ['node_modules', 'fonts', 'shell']) symlinkSync(path.join(ROOT, name), inTree(name));
  const files = filesOfRecipe();
  const write = (file: string): void => {
    mkdirSync(path.dirname(inTree(file)), { recursive: true });
    writeFileSync(inTree(file), files.get(file) ?? '');
  };

  write(`src/protocol/commands/${NAME}.ts`);
  register('src/protocol/registry.ts', `./commands/${NAME}.js`, /^export const COMMANDS = \{$/m, NAME);
  expectIncomplete(`src/daemon/handlers.ts.*'${NAME}'`, `${REQUESTS}.*'${NAME}'`);
  write(`src/features/reading/${NAME}.ts`);
  const reading = 'src/features/reading/feature.ts';
  register(reading, `./${NAME}.js`, /^ {4}handlers: \{$/m, `    ${written('title: title(core)')}`);
  edit(reading, (text) => text.replace(/^type Name = /m, `type Name = '${NAME}' | `));
  atHead(REQUESTS, LIST_OF_REQUESTS, written("title: [{ id: 'a' }],"));

  for (const file of ['src/protocol/commands/bells.ts', 'src/events/waits/bells.ts', 'src/features/bells/feature.ts'])
    write(file);
  register('src/protocol/registry.ts', './commands/bells.js', /^export const COMMANDS = \{$/m, 'bells', 'bells');
  atHead(REQUESTS, LIST_OF_REQUESTS, written("bells: [{ id: 'a' }],"));
  const condition = written("bells: z.int().min(1).describe('The bell has rung this often.'),");
  atHead('src/protocol/conditions.ts', /^export const conditionShape = \{$/m, condition);
  expectIncomplete("src/daemon/handlers.ts.*'bells'", "src/events/waits/conditions.ts.*'bells'");
  register('src/events/waits/conditions.ts', './bells.js', /^const MAKERS: .*\{$/m, 'bells', 'bells');
  atHead('src/features/triggers/appearance.ts', /^const REARM: .*\{$/m, written('bells: never'));
  const composition = 'src/daemon/handlers.ts';
  const spread = `  ${written('...bells.handlers')}`;
  const list = /^ {2}const handlers: Handlers = \{$/m;
  register(composition, '../features/bells/feature.js', list, spread, 'bellsFeature');
  const made = written('const bells = bellsFeature(core);');
  edit(composition, (text) => text.replace(/^ {2}const features = \[/m, `  ${made}\n$&bells, `));
  const row = /``(\| `features\/bells` .*\|)``/.exec(PAGE)?.[1] ?? '';
  edit('docs/ARCHITECTURE.md', (text) => text.replace(/^\| `features\/recording` /m, `${row}\n$&`));
  for (const script of ['generate', 'rooms', 'build']) {
    const { status, stderr } = run(process.execPath, [`scripts/${script}.mjs`]);
    expect(status, stderr).toBe(0);
  }
  const program = ['sh', '-c', 'printf "\\033]2;Deep Thought\\007"; cat'];
  expect(t4a('create', '--name', 'build', '--wait', 'event=title', '--', ...program)).toMatchObject({ status: 0 });
}, 900_000);

afterAll(() => {
  t4a('shutdown');
  rmSync(home, { recursive: true });
});

test('the tree with the new command and the new feature compiles, with its tests', () => {
  const { status, stdout } = compile();
  expect(status, stdout).toBe(0);
});

test('the import rules hold, and the replies of both commands match the contract', () => {
  const args = ['run', '--maxWorkers', '1', 'test/architecture.test.ts', REQUESTS];
  const { status, stdout, stderr } = run(process.execPath, ['node_modules/vitest/vitest.mjs', ...args]);
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain('replies.test.ts');
});

test('the command line lists the new command in help, completes it and prints its reply', () => {
  expect(t4a('help').stdout).toMatch(/^Look:\n(?: {2}.*\n)* {2}title +Show the window title of a terminal\.$/m);
  expect(t4a('title', '--help').stdout).toMatch(
    /^Usage: t4a title \[flags\] \[id\]\n[\s\S]*--upper +In capital letters\./,
  );
  expect(t4a('complete', '--', 'tit').stdout).toBe('title\n');
  expect(t4a('complete', '--', 'title', '').stdout).toBe('build\n@\n');
  expect(t4a('complete', '--', 'title', '--up').stdout).toBe('--upper\n');
  expect(t4a('title', 'build')).toMatchObject({
    status: 0,
    stdout: 'title  Deep Thought\n',
    stderr: '',
  });
  expect(t4a('title', '--upper').stdout).toBe('title  DEEP THOUGHT\n');
  const shown = t4a('run', '--', process.execPath, inTree('dist/cli.cjs'), 'title', 'build').stdout;
  expect(shown).toMatch(/^title +Deep Thought$/m);
  expect(t4a('title', 'biuld')).toMatchObject({ status: 4, stdout: '' });
  expect(t4a('title', 'build', '--uper')).toMatchObject({ status: 2, stdout: '' });
});

test('the TypeScript client calls the new command', async () => {
  const { connect } = (await import(pathToFileURL(inTree('dist/client.js')).href)) as typeof client;
  await using daemon = await connect({ socketPath });
  // The types of this tree do not have the command.
  const untyped = daemon as unknown as { call(cmd: string, fields: object): Promise<unknown> };
  expect(await untyped.call(NAME, { id: 'build', upper: true })).toEqual({ title: 'DEEP THOUGHT' });
});

itNeeds('python3')('the Python client calls the new command', () => {
  const program = [
    'import t4a',
    'with t4a.connect() as client:',
    '    print(t4a.attach("build", client).title(upper=True)["title"])',
  ];
  const { stdout, stderr } = run('python3', ['-B', '-c', program.join('\n')], { PYTHONPATH: inTree('clients/python') });
  expect(stdout, stderr).toBe('DEEP THOUGHT\n');
});

test('MCP offers the new command as a read-only tool', async () => {
  const mcp = new Client({ name: 'test', version: '1' });
  const args = [inTree('dist/cli.cjs'), '--socket', socketPath, 'mcp', '--profile', 'full'];
  await mcp.connect(new StdioClientTransport({ command: process.execPath, args, cwd: tree, stderr: 'ignore' }));
  try {
    const tool = (await mcp.listTools()).tools.find(({ name }) => name === NAME);
    expect(tool).toMatchObject({
      title: 'Show the window title of a terminal',
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    });
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['id', 'upper']);
    const { content } = await mcp.callTool({ name: NAME, arguments: { id: 'build' } });
    expect(content).toEqual([{ type: 'text', text: '{"title":"Deep Thought"}' }]);
  } finally {
    await mcp.close();
  }
});

test('the docs describe the new command', () => {
  expect(readIn('docs/cli.md')).toContain('### t4a title\n');
  expect(readIn('docs/protocol.md')).toContain(
    '\n### title\n\nShow the window title of a terminal.\n\nReach: `read`.\n',
  );
  const schema = JSON.parse(readIn('docs/schema.json')) as {
    commands: Record<string, { effect: string; reach: string }>;
  };
  expect(schema.commands[NAME]).toMatchObject({ effect: 'read', reach: 'read' });
});

test('the new feature counts, its command shows the count, and a wait ends by it', async () => {
  const program = ['sh', '-c', 'printf "\\a"; read x; printf "\\a"; cat'];
  expect(t4a('create', '--name', 'loud', '--', ...program)).toMatchObject({ status: 0 });
  const { connect } = (await import(pathToFileURL(inTree('dist/client.js')).href)) as typeof client;
  await using daemon = await connect({ socketPath });
  const untyped = daemon as unknown as { call(cmd: string, fields: object): Promise<unknown> };
  const bells = (count: number): object => ({ until: { bells: count }, timeout_ms: 20_000 });
  expect(await untyped.call('wait', { id: 'loud', ...bells(1) })).toMatchObject({ outcome: 'matched' });
  expect(t4a('bells', 'loud')).toMatchObject({ status: 0, stdout: 'bells  1\n' });
  expect(await untyped.call('press', { id: 'loud', keys: ['Enter'], wait: bells(2) })).toMatchObject({
    wait: { outcome: 'matched' },
  });
  expect(t4a('bells', 'loud').stdout).toBe('bells  2\n');
  await expect(untyped.call('wait', { id: 'loud', ...bells(0) })).rejects.toMatchObject({ code: 'invalid_field' });
});
