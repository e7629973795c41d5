/** Commands for models, their harnesses and shells. None of them starts a daemon. */
import { existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import { TOOL_PROFILES } from '../../src/tools/catalog.js';
import { TOOL_FORMATS, toolSchemas } from '../../src/tools/formats.js';
import { CLI, runCli } from '../support/cli.js';
import { tempDir } from '../support/temp-dir.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the manual', () => {
  const manual = readFileSync(`${ROOT}docs/usage.md`, 'utf8');

  test('is the output of t4a usage, and the body of the skill', async () => {
    expect(await runCli(['usage'])).toMatchObject({ status: 0, stdout: manual, stderr: '' });
    const skill = readFileSync(`${ROOT}skills/t4a/SKILL.md`, 'utf8');
    expect(skill).toMatch(/^---\nname: t4a\ndescription: .{50,1000}\n---\n\n# /);
    expect(skill.endsWith(manual)).toBe(true);
  });

  test('costs under 1,000 tokens', () => {
    // More than any tokenizer makes of it: each mark by itself, words in pieces of five letters, digits in threes.
    const pieces = manual.match(/[A-Za-z]{1,5}|\d{1,3}|[^\sA-Za-z\d]|\n+/g) ?? [];
    expect(pieces.length).toBeLessThan(1000);
    expect(manual.length / 4).toBeLessThan(800);
  });

  test('shows only valid command lines', () => {
    const lines = [...manual.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) => (block ?? '').trim().split('\n'));
    const inline = [...manual.matchAll(/`t4a ([a-z]+(?: [^`]*)?)`/g)].map(([, text]) => `t4a ${text}`);
    const commands = [...lines, ...inline].filter((line) => line.startsWith('t4a ') && !line.includes('COMMAND'));
    expect(commands.length).toBeGreaterThan(15);
    for (const line of commands) {
      const words = [...line.replace(/ {2,}#.*/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        (match) => match[1] ?? match[2] ?? match[3] ?? '',
      );
      expect(parseCommandLine(words.slice(1))?.command.name, line).toBe(words[1]);
    }
  });
});

describe('t4a tools', () => {
  // Each format, and each profile: what they are together, the tests of tools say.
  test.each([
    ...TOOL_FORMATS.map((format) => ({ format, profile: TOOL_PROFILES[0] })),
    ...TOOL_PROFILES.slice(1).map((profile) => ({ format: TOOL_FORMATS[0], profile })),
  ])('prints the schemas for $format in the profile $profile', async ({ format, profile }) => {
    const { status, stdout } = await runCli(['tools', '--format', format, '--profile', profile]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toolSchemas(format, profile))));
  });

  test('prints exactly the tools that are named, also those outside the profile, once each and in its own order', async () => {
    const named = async (...args: string[]): Promise<{ name: string; inputSchema: { properties: object } }[]> => {
      const { stdout } = await runCli(['tools', '--format', 'mcp', ...args]);
      return JSON.parse(stdout) as { name: string; inputSchema: { properties: object } }[];
    };
    const few = await named('--tools', 'grep,create, mouse,t4a_run,press,run');
    expect(few.map(({ name }) => name)).toEqual(['create', 'run', 'grep', 'press', 'mouse']);
    const [, run, grep, , mouse] = few.map(({ inputSchema }) => Object.keys(inputSchema.properties));
    expect(run).toEqual(expect.arrayContaining(['command', 'wait', 'observe']));
    expect(run).not.toContain('env');
    expect(grep).toEqual(expect.arrayContaining(['id', 'pattern', 'ignore_case']));
    expect(mouse).toEqual(expect.arrayContaining(['id', 'row', 'on_text', 'wait', 'observe']));
    expect(JSON.stringify(few).length).toBeLessThan(12_000);
    const [whole] = await named('--tools', 'run', '--profile', 'full');
    expect(Object.keys(whole?.inputSchema.properties ?? {})).toContain('env');
    expect((await named('--allow', 'read')).map(({ name }) => name)).not.toContain('type');
    expect((await named('--tools', 'text,grep', '--allow', 'read')).map(({ name }) => name)).toEqual(['text', 'grep']);
  });

  test.each([
    ['a name that is no tool', ['--tools', 'run,presss'], 'There is no tool "presss"', 'Did you mean "press"?'],
    ['a name like none', ['--tools', 'bash'], 'There is no tool "bash"', 'The tools are create, run, kill,'],
    ['an empty name', ['--tools', 'run,'], 'There is no tool ""', 'The tools are create, run, kill,'],
    ['a command of persons', ['--tools', 'answer'], 'The command "answer" is no tool of a model.', 'The tools are'],
    ['a stream', ['--tools', 'watch'], 'The command "watch" is no tool of a model.', 'The tools are'],
    [
      'what is not allowed',
      ['--tools', 'text,type', '--allow', 'read'],
      'The tool "type" needs the reach "use", and only "read" is allowed.',
      'Allow "use", or leave the tool out.',
    ],
  ])('refuses %s, as t4a mcp does', async (_what, args, message, hint) => {
    for (const command of [['tools'], ['mcp'], ['mcp', '--config', 'codex']]) {
      const { status, stdout, stderr } = await runCli([...command, ...args]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toContain(hint);
    }
  });

  test('refuses an unknown format, and suggests the closest one', async () => {
    const { status, stderr } = await runCli(['tools', '--format', 'opnai']);
    expect(status).toBe(2);
    expect(stderr).toContain('Did you mean "openai"?');
  });
});

describe('t4a mcp --config', () => {
  test.each(['claude', 'cursor'])('prints the JSON for %s, which starts this very program anywhere', async (client) => {
    const { status, stdout, stderr } = await runCli(['mcp', '--config', client]);
    expect(status).toBe(0);
    expect(stderr).toContain('.json');
    const { mcpServers } = JSON.parse(stdout) as { mcpServers: Record<string, unknown> };
    expect(mcpServers['t4a']).toMatchObject({ command: process.execPath, args: [realpathSync(CLI), 'mcp'] });
  });

  test('prints the JSON for vscode, and the TOML for codex, by its name where that is on the PATH', async () => {
    const dir = tempDir();
    symlinkSync(CLI, dir.join('t4a'));
    const env = { PATH: `${dir.path}:${process.env['PATH'] ?? ''}` };
    const vscode = await runCli(['mcp', '--config', 'vscode', '--profile', 'full'], { env });
    expect(JSON.parse(vscode.stdout)).toEqual({
      servers: { t4a: { type: 'stdio', command: 't4a', args: ['mcp', '--profile', 'full'] } },
    });
    const few = await runCli(['mcp', '--config', 'vscode', '--tools', 'run,grep'], { env });
    expect(few.stdout).toContain('"--tools",');
    expect(few.stdout).toContain('"run,grep"');
    const codex = await runCli(['mcp', '--config', 'codex'], { env });
    expect(codex.stdout).toBe('[mcp_servers.t4a]\ncommand = "t4a"\nargs = ["mcp"]\n');
  });
});

test('commands for models, completion and the version start no daemon', async () => {
  const { socketPath } = tempDir();
  for (const args of [
    ['usage'],
    ['tools'],
    ['mcp', '--config', 'claude'],
    ['complete', '--', 'text', ''],
    ['version'],
  ]) {
    expect((await runCli(args, { socketPath })).status).toBe(0);
  }
  expect(existsSync(socketPath)).toBe(false);
});
