/** Commands that the command line answers itself, in the process of the test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultDaemonEntry } from '../../src/client/paths.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { COMMAND_LINE_NAMES } from '../../src/cli/argv/command-table.js';
import { KEY_NAMES } from '../../src/cli/argv/commands.generated.js';
import type { LazyBundles } from '../../src/cli/lazy-bundles.js';
import type { Reply } from '../../src/protocol/registry.js';
import { T4aError } from '../../src/protocol/errors.js';
import { run } from '../support/command-line.js';
import { serve } from '../support/serve.js';
import { onTerminal } from '../support/host.js';
import { tempDir } from '../support/temp-dir.js';

async function candidates(...words: string[]): Promise<string[]> {
  const { status, printed, noted } = await run(['complete', '--', ...words]);
  expect([status, noted]).toEqual([0, '']);
  return printed.split('\n').slice(0, -1);
}

describe('a completion', () => {
  // A shell gives up soon; a busy machine may be slower.
  beforeEach(() => void vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal));
  afterEach(() => void vi.restoreAllMocks());

  test.each<[string[], string[]]>([
    [['scr'], ['screenshot']],
    [['SCR'], ['screenshot']],
    [['--socket', '/x', 'scr'], ['screenshot']],
    [['--soc'], ['--socket']],
    [['nonsense'], []],
    [['create', '--na'], ['--name']],
    [['create', '--NA'], ['--name']],
    [['create', '--js'], ['--json']],
    [['text', '--no-t'], ['--no-trim']],
    [['text', '--tri'], []],
    [
      ['text', '--region', ''],
      ['viewport', 'scrollback', 'all'],
    ],
    [['text', '--region', 's'], ['scrollback']],
    [
      ['text', '--color', ''],
      ['auto', 'always', 'never'],
    ],
    [['create', '--name', ''], []],
    [['create', '--reuse', ''], []],
    [['mouse', 't1', 'cl'], ['click']],
    [
      ['completions', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['help', 'kil'], ['kill']],
    [['run', ''], []],
    [['version', ''], []],
    [['press', 't1', 'pageu'], ['PageUp']],
    [['press', 't1', 'Enter', 'pageu'], ['PageUp']],
    [['press', '--timeout-ms', '5', 't1', 'pageu'], ['PageUp']],
    [['press', '--text', 't1', 'pageu'], ['PageUp']],
  ])('after %j is one of %j', async (words, expected) => {
    expect(await candidates(...words)).toEqual(expected);
  });

  test('is every candidate if the word is still empty', async () => {
    expect(await candidates('')).toEqual(COMMAND_LINE_NAMES);
    expect(await candidates()).toEqual(COMMAND_LINE_NAMES);
    expect(await candidates('help', '')).toEqual(COMMAND_LINE_NAMES);
    expect(await candidates('press', 't1', '')).toEqual(KEY_NAMES);
  });

  test('is the id of an existing terminal where the command takes one', async () => {
    const { socketPath } = await serve({
      list: () => ({ terminals: [{ id: 't1' }, { id: 'build' }] }) as unknown as Reply<'list'>,
    });
    const socket = ['--socket', socketPath];
    expect(await candidates(...socket, 'text', '')).toEqual(['t1', 'build', '@']);
    expect(await candidates('text', ...socket, '')).toEqual(['t1', 'build', '@']);
    expect(await candidates(...socket, 'text', 'b')).toEqual(['build']);
    expect(await candidates(...socket, 'events', '')).toEqual(['t1', 'build', '@']);
    expect(await candidates(...socket, 'view', 't')).toEqual(['t1']);
    expect(await candidates(...socket, 'mouse', 't1', 'b')).toEqual([]);
  });

  test('is empty without a daemon, and if the daemon refuses to list its terminals', async () => {
    expect(await candidates('--socket', tempDir().socketPath, 'text', '')).toEqual([]);
    const { socketPath } = await serve({
      list: () => {
        throw new T4aError('internal', 'Not now.');
      },
    });
    expect(await candidates('--socket', socketPath, 'text', '')).toEqual([]);
  });
});

describe('t4a completions', () => {
  test.each([
    ['bash', 'complete -o default -F _t4a t4a\n'],
    ['zsh', 'compdef _t4a t4a\n'],
    ['fish', "-a '$__t4a_candidates'\n"],
  ])('prints a script for %s that calls t4a complete', async (shell, end) => {
    const { status, printed } = await run(['completions', shell]);
    expect(status).toBe(0);
    expect(printed).toContain('t4a complete -- ');
    expect(printed.endsWith(end)).toBe(true);
  });
});

describe('t4a mcp', () => {
  test('serves the tools of the profile', async () => {
    const served: unknown[] = [];
    const mcp = (): ReturnType<LazyBundles['mcp']> =>
      Promise.resolve({
        serveMcp: (options) => Promise.resolve(void served.push(options)),
        serveToolSet: () => Promise.reject(new Error('no set of tools is meant')),
      });
    expect(await run(['mcp'], {}, { mcp })).toEqual({ status: 0, printed: '', noted: '' });
    await run(['mcp', '--profile', 'full', '--socket', '/run/s'], {}, { mcp });
    expect(served).toEqual([
      { profile: 'default', socketPath: undefined },
      { profile: 'full', socketPath: '/run/s' },
    ]);
  });

  const OWN = path.join(path.dirname(defaultDaemonEntry()), 'cli.cjs');
  const SERVER = { command: process.execPath, args: [OWN, 'mcp'] };

  test.each<[string, string, unknown]>([
    ['claude', '.mcp.json', { mcpServers: { t4a: { type: 'stdio', ...SERVER } } }],
    ['cursor', '.cursor/mcp.json', { mcpServers: { t4a: SERVER } }],
    ['vscode', '.vscode/mcp.json', { servers: { t4a: { type: 'stdio', ...SERVER } } }],
  ])('--config %s prints the content of its configuration file', async (client, file, expected) => {
    const { status, printed, noted } = await run(['mcp', '--config', client]);
    expect([status, JSON.parse(printed)]).toEqual([0, expected]);
    expect(noted).toContain(file);
    expect(printed).toBe(`${JSON.stringify(expected, null, 2)}\n`);
  });

  test('--config includes the given flags', async () => {
    const flags = ['--profile', 'full', '--socket', '/run/s'];
    expect((await run(['mcp', '--config', 'codex', ...flags])).printed).toBe(
      `[mcp_servers.t4a]\ncommand = "${process.execPath}"\nargs = ["${OWN}","mcp","--profile","full","--socket","/run/s"]\n`,
    );
    const codex = await run(['mcp', '--config', 'codex', '--profile', 'default']);
    expect(codex.printed).toContain(`args = ["${OWN}","mcp"]\n`);
  });
});

describe('t4a tools', () => {
  const asked: unknown[] = [];
  const tools = (): ReturnType<LazyBundles['tools']> =>
    Promise.resolve({
      toolSchemas: (...given: unknown[]) => {
        asked.push(given);
        return [{ name: 'x' }];
      },
    } as unknown as Awaited<ReturnType<LazyBundles['tools']>>);

  test('prints the schemas, indented on a terminal', async () => {
    expect(await run(['tools'], {}, { tools })).toEqual({ status: 0, printed: '[{"name":"x"}]\n', noted: '' });
    const person = onTerminal();
    await run(['tools', '--format', 'gemini', '--profile', 'full'], person, { tools });
    expect(person.printed()).toBe('[\n  {\n    "name": "x"\n  }\n]\n');
    await run(['tools', '--tools', 'run,grep', '--allow', 'create'], {}, { tools });
    expect(asked).toEqual([
      ['anthropic', {}],
      ['gemini', { profile: 'full' }],
      ['anthropic', { tools: ['run', 'grep'], allow: 'create' }],
    ]);
  });
});

test('t4a usage prints the manual of the package', async () => {
  const file = (name: string): string => `text of ${name}`;
  expect(await run(['usage'], {}, { file })).toEqual({ status: 0, printed: 'text of docs/usage.md', noted: '' });
});

describe('t4a client --path', () => {
  function installation(...architectures: string[]): { path: string; bundles: Partial<LazyBundles> } {
    const dir = tempDir();
    for (const arch of architectures) {
      mkdirSync(dir.join(`dist/native/${arch}`), { recursive: true });
      writeFileSync(dir.join(`dist/native/${arch}/t4a`), '');
    }
    return { path: dir.path, bundles: { root: () => dir.path } };
  }

  test('prints the path of the native client, for this processor or another', async () => {
    const { path: root, bundles } = installation('x64', 'arm64');
    const own = path.join(root, 'dist/native', process.arch, 't4a');
    expect(await run(['client', '--path'], {}, bundles)).toEqual({ status: 0, printed: `${own}\n`, noted: '' });
    const other = path.join(root, 'dist/native/arm64/t4a');
    const { printed } = await run(['client', '--path', '--arch', 'arm64', '--json'], {}, bundles);
    expect(JSON.parse(printed)).toEqual({ ok: true, path: other, arch: 'arm64' });
  });

  test('says which file is missing, and what would make it', async () => {
    const { path: root, bundles } = installation('x64');
    const { status, noted } = await run(['client', '--path', '--arch', 'arm64'], {}, bundles);
    expect({ status, noted }).toEqual({
      status: 2,
      noted: expect.stringMatching(
        `no native client for arm64: "${root}/dist/native/arm64/t4a" is missing\\.\n  hint: .*compiler.*npm run build`,
      ),
    });
  });

  test.each([
    [['client'], '"t4a client --path" prints'],
    [['client', '--path', '--arch', 'mips'], 'x64'],
    [['client', 'x'], 'x'],
  ])('%j is refused', async (argv, says) => {
    expect(await run(argv)).toEqual({ status: 2, printed: '', noted: expect.stringContaining(says) });
  });
});

test.each<[string[], string[]]>([
  [['daemon'], []],
  [['daemon', '5000'], ['5000']],
  [
    ['daemon', '--verbose', '5000'],
    ['--verbose', '5000'],
  ],
])('t4a %j runs the daemon with the given arguments', async (argv, expected) => {
  const started: unknown[] = [];
  const daemon = (args: readonly string[]): Promise<number> => {
    started.push(args);
    return Promise.resolve(7);
  };
  const { status } = await run([...argv, '--socket', '/run/s'], {}, { daemon });
  expect([status, started]).toEqual([7, [['--socket', '/run/s', ...expected]]]);
});

test('t4a view is refused without a terminal to draw on', async () => {
  expect(await run(['view', 't1'])).toEqual({
    status: 2,
    printed: '',
    noted: 't4a: view needs a terminal to draw on.\n  hint: t4a text, or t4a screenshot -o FILE\n',
  });
});
