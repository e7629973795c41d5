/** What agents are given so that they have the tools of t4a, each in its own form. */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { generatedFolder, removeGenerated, writeGenerated } from '../../src/crew/generated-files.js';
import { inject, type Injection, type InjectionInput } from '../../src/crew/inject.js';
import { crewPlaces } from '../../src/crew/places.js';
import { agentPreset, type AgentPreset } from '../../src/crew/preset.js';
import { SHIPPED } from '../../src/crew/shipped.js';
import { tempDir } from '../support/temp-dir.js';

const HOSTILE = `/h/it's "a" $(b) \`c\` \\d {env:json} {exe} \t\n\u0001\u007f é 漢 😀 ]}'''"""#`;

const shipped = (name: string, changes: Partial<AgentPreset> = {}): AgentPreset => ({
  ...agentPreset.parse(SHIPPED.agent.find((one) => 'name' in one && one.name === name)),
  ...changes,
});

const INPUT: InjectionInput = {
  server: { exe: HOSTILE, args: [HOSTILE, 'mcp'], env: { T4A_SOCKET: HOSTILE, T4A_TERMINAL: 'claude-1' } },
  tools: { reading: ['list', 'text'], all: ['list', 'text', 'run'] },
  env: { HOME: '/home/me', PATH: '/bin' },
  folder: '/run/user/1000/t4a/crew/claude-1',
  readFile: () => undefined,
};

const { exe, args, env } = INPUT.server;

/** @returns the word after the option */
function after({ argv }: Injection, option: string): string {
  return argv[argv.indexOf(option) + 1] ?? '';
}

test('claude gets the server as JSON in its last argument, and those tools approved that read', () => {
  const { argv, env: added, files } = inject(shipped('claude'), INPUT);
  expect(argv.slice(0, -1)).toEqual(['claude', '--allowedTools', 'mcp__t4a__list,mcp__t4a__text', '--mcp-config']);
  expect(JSON.parse(argv.at(-1) ?? '')).toEqual({ mcpServers: { t4a: { type: 'stdio', command: exe, args, env } } });
  expect({ added, files }).toEqual({ added: {}, files: [] });
});

test('with approval of all or of none claude has all tools approved, or no such argument', () => {
  expect(after(inject(shipped('claude', { approve: 'all' }), INPUT), '--allowedTools')).toBe(
    'mcp__t4a__list,mcp__t4a__text,mcp__t4a__run',
  );
  expect(inject(shipped('claude', { approve: 'none' }), INPUT).argv).not.toContain('--allowedTools');
});

test('codex gets the server in one override of its configuration, which is exact TOML', () => {
  const { argv, files } = inject(shipped('codex'), INPUT);
  expect(argv.slice(0, 2)).toEqual(['codex', '-c']);
  expect(argv).toHaveLength(3);
  // One line, as an argument of the command line is a key and a value.
  expect(argv[2]).not.toMatch(/[\n\u007f]/);
  expect(parse(argv[2] ?? '')).toEqual({
    mcp_servers: {
      t4a: {
        command: exe,
        args,
        env,
        tool_timeout_sec: 3600,
        tools: { list: { approval_mode: 'approve' }, text: { approval_mode: 'approve' } },
      },
    },
  });
  expect(files).toEqual([]);
});

test('opencode gets the server beside what its variable holds', () => {
  const before = { model: 'x/y', mcp: { other: { type: 'remote' }, t4a: { type: 'remote', url: 'http://x' } } };
  const { argv, env: added } = inject(shipped('opencode'), {
    ...INPUT,
    env: { ...INPUT.env, OPENCODE_CONFIG_CONTENT: JSON.stringify(before) },
  });
  expect(argv).toEqual(['opencode']);
  expect(Object.keys(added)).toEqual(['OPENCODE_CONFIG_CONTENT']);
  expect(JSON.parse(added['OPENCODE_CONFIG_CONTENT'] ?? '')).toEqual({
    model: 'x/y',
    mcp: { other: { type: 'remote' }, t4a: { type: 'local', command: [exe, ...args], environment: env } },
  });
});

test.each(['{"a": 1, // comment\n}', '[]', 'null', '"x"', '{'])(
  'what opencode has in its variable is never dropped: %s is refused',
  (content) => {
    const given = { ...INPUT, env: { OPENCODE_CONFIG_CONTENT: content } };
    expect(() => inject(shipped('opencode'), given)).toThrow(
      'The variable OPENCODE_CONFIG_CONTENT holds no JSON object',
    );
  },
);

test('gemini gets a file of its own: a copy of the defaults of the system with the server in it', () => {
  const read: string[] = [];
  const readFile = (path: string): string => {
    read.push(path);
    return JSON.stringify({ theme: 'Dracula', mcpServers: { other: { command: 'x' } } });
  };
  const { argv, env: added, files } = inject(shipped('gemini'), { ...INPUT, readFile });
  expect(read).toEqual([expect.stringMatching(/\/system-defaults\.json$/)]);
  const [file] = files;
  expect(file?.path).toMatch(/^\/run\/user\/1000\/t4a\/crew\/claude-1\/gemini-[0-9a-f]{8}\.json$/);
  expect({ argv, added }).toEqual({ argv: ['gemini'], added: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file?.path } });
  expect(JSON.parse(file?.text ?? '')).toEqual({
    theme: 'Dracula',
    mcpServers: { other: { command: 'x' }, t4a: { command: exe, args, env, trust: false } },
  });
});

test('gemini trusts the server only if all tools are approved, and copies the file that its variable names', () => {
  const readFile = (path: string): string | undefined => (path === '/mine.json' ? '{"a": 1}' : undefined);
  const given = { ...INPUT, readFile, env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/mine.json' } };
  const { files } = inject(shipped('gemini', { approve: 'all' }), given);
  expect(JSON.parse(files[0]?.text ?? '')).toMatchObject({ a: 1, mcpServers: { t4a: { trust: true } } });
});

test('a preset of your own is filled by the same placeholders, and other braces are text', () => {
  const preset = agentPreset.parse({
    name: '../../etc/x y',
    argv: ['mine', '{exe}'],
    env: { A: '{exe}' },
    mcp: {
      args: ['--server={exe}', '{}', '{ "a": {args:json} }', 'awk {print}'],
      file: { env: 'MINE', json: { deep: [{ it: '{env}' }, 'run {exe}'] } },
    },
  });
  const { argv, env: added, files } = inject(preset, INPUT);
  expect(argv).toEqual(['mine', '{exe}', `--server=${exe}`, '{}', `{ "a": ${JSON.stringify(args)} }`, 'awk {print}']);
  expect(files[0]?.path).toMatch(/^\/run\/user\/1000\/t4a\/crew\/claude-1\/etc-x-y-[0-9a-f]{8}\.json$/);
  expect(added).toEqual({ A: '{exe}', MINE: files[0]?.path });
  expect(JSON.parse(files[0]?.text ?? '')).toEqual({ deep: [{ it: env }, `run ${exe}`] });
});

test('an agent without "mcp" is started as its preset has it', () => {
  const preset = agentPreset.parse({ name: 'plain', argv: ['plain'], env: { A: 'b' } });
  expect(inject(preset, INPUT)).toEqual({ argv: ['plain'], env: { A: 'b' }, files: [] });
});

test('half a character is refused in TOML, which cannot hold it', () => {
  const server = { ...INPUT.server, exe: '/h/\ud800' };
  expect(() => inject(shipped('codex'), { ...INPUT, server })).toThrow('is no Unicode text');
});

test('generated files are for the user alone, and are written whole over what stood there', () => {
  const dir = tempDir();
  const places = crewPlaces({ HOME: dir.path, XDG_RUNTIME_DIR: dir.path });
  const folder = generatedFolder(places, 'gemini-1');
  const { files } = inject(shipped('gemini'), { ...INPUT, folder });
  const path = files[0]?.path ?? '';
  for (const text of ['first, and longer', 'second']) writeGenerated(path, text);
  expect(readFileSync(path, 'utf8')).toBe('second');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  removeGenerated(places, 'gemini-1', '/another/daemon');
  expect(readFileSync(path, 'utf8')).toBe('second');
  removeGenerated(places, 'gemini-1', INPUT.server.env['T4A_SOCKET'] ?? '');
  expect(() => statSync(folder)).toThrow('ENOENT');
});

test('generated files are in the runtime folder of the user, or in the state where all may write that', () => {
  const dir = tempDir();
  const generated = (runtime?: string): string =>
    crewPlaces({ HOME: dir.path, ...(runtime === undefined ? {} : { XDG_RUNTIME_DIR: runtime }) }).generated;
  expect(generated(dir.path)).toBe(dir.join('t4a', 'crew'));
  for (const unfit of ['/tmp', 'relative', dir.join('missing'), undefined]) {
    expect(generated(unfit)).toBe(dir.join('.local', 'state', 't4a', 'crew'));
  }
});

test.each<[string, (folder: string, elsewhere: string) => void]>([
  [
    'open to others',
    (folder) => {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
    },
  ],
  ['a link', (folder, elsewhere) => symlinkSync(elsewhere, folder)],
])('a folder for generated files that is %s is refused', (_, make) => {
  const dir = tempDir();
  mkdirSync(dir.join('elsewhere'), { mode: 0o700 });
  make(dir.join('x'), dir.join('elsewhere'));
  expect(() => writeGenerated(dir.join('x', 'f.json'), 'text')).toThrow('is not a folder of yours alone');
  expect(() => statSync(dir.join('elsewhere', 'f.json'))).toThrow('ENOENT');
});

test('a link in the place of a generated file is replaced, and what it leads to is not written', () => {
  const dir = tempDir();
  writeGenerated(dir.join('own', 'there.json'), 'mine');
  symlinkSync(dir.join('own', 'there.json'), dir.join('own', 'f.json'));
  writeGenerated(dir.join('own', 'f.json'), 'generated');
  expect(readFileSync(dir.join('own', 'there.json'), 'utf8')).toBe('mine');
  rmSync(dir.join('own', 'f.json'));
});
