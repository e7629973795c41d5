/** Lines of vtr's documentation, typed as they stand there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandSyntax } from '../../src/cli/argv/command-table.js';
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import { commandOf, meaningOf, VTR_WORDS } from '../../src/cli/argv/vtr-words.js';
import { isT4aError } from '../../src/protocol/errors.js';
import { runCli } from '../support/cli.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { testFleet } from '../support/fleet.js';

const cli = useCommandLine();

/** A line as a shell reads it, as far as the documentation of vtr has quotes. */
const typed = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

describe('a session of vtr', () => {
  test('is spawned, read, searched, written to, waited for and removed by the words of vtr', async () => {
    const run = (line: string): Promise<string> => cli.output(typed(line));
    expect(await run('spawn codex --cmd "exec sh" --cwd / --cols 120 --rows 40')).toBe('codex\n');
    expect(await run('resize codex 100 30')).toBe('');
    const [headings = '', row = ''] = (await run('ls')).split('\n');
    expect(headings.split(/ +/).slice(0, 4)).toEqual(['ID', 'STATE', 'SIZE', 'AGE']);
    expect(row).toMatch(/^local\/codex +(?:probably )?(?:working|idle|unknown) +100x30 +\d+m?s /);
    const { terminals } = JSON.parse(await run('ls --json')) as { terminals: { id: string; host: string }[] };
    expect(terminals).toMatchObject([{ id: 'codex', host: 'local' }]);

    // Future output only: neither what is there already nor the echo of what is typed counts before it is typed.
    const waited = run('wait codex "hel+o$" --timeout 20s');
    // The question itself is in flight, too.
    await expect.poll(async () => (await cli.reply(['stats']))['connections']).toMatchObject({ in_flight: 2 });
    await run(String.raw`send codex 'echo hel""lo\n'`);
    expect(await waited).toContain('outcome     matched\n');
    expect(await run('screen codex')).toContain('\nhello\n');
    expect(await run('grep codex "^hello" -B 0 -A 0')).toBe('1:hello\n');
    expect(await run('grep codex "^hello" -C 1')).toContain('0-');
    await run('raw codex 6563686f2061676169');
    await run('key codex n');
    await run('key codex enter');
    expect(await run('idle codex --idle 300ms --timeout 20s')).toMatch(/^outcome +matched\n/);
    expect(await run('screen codex')).toContain('\nagain\n');
    expect(await run('info codex')).toMatch(/^id +codex\ncols +100\nrows +30\n/);
    expect(JSON.parse(await run('info codex --json'))).toMatchObject({ id: 'codex', alive: true });

    await run('kill codex --signal KILL');
    await run('wait codex --exit --no-status');
    // Still readable.
    expect(await run('screen codex')).toContain('\nagain\n');
    await run('rm codex');
    expect((await cli.t4a(['screen', 'codex'])).status).toBe(4);
  });

  test('runs its command also where a setting names the shell', async () => {
    expect(await cli.output(['spawn', 'set', '--cmd', 'echo hi; exec cat'], { env: { T4A_SHELL: '/bin/sh' } })).toBe(
      'set\n',
    );
    expect(await cli.output(['wait', 'set', '--text', 'hi'])).toContain('matched');
    await cli.output(['rm', 'set']);
  });

  test('is searched to the end of the deadline, with the status of a deadline', async () => {
    await cli.output(['spawn', 'quiet', '--cmd', 'echo there; exec cat']);
    await cli.output(['wait', 'quiet', '--text', 'there']);
    expect((await cli.t4a(['wait', 'quiet', 'there', '--timeout', '50ms'])).status).toBe(124);
    expect(await cli.output(['rm', 'quiet'])).toContain('quiet');
  });
});

test('the built command line understands them', async () => {
  const { dir, env } = testFleet();
  const socketPath = dir.join('local');
  expect(await runCli(['spawn', 'w', '--cmd', 'exec cat'], { env, socketPath })).toMatchObject({ stdout: 'w\n' });
  expect(await runCli(['wait', 'w', 'nothing', '--timeout', '1'], { env, socketPath })).toMatchObject({ status: 124 });
  expect(await runCli(['rm', 'w'], { env, socketPath })).toMatchObject({ status: 0 });
  expect((await runCli(['ls', '--help'], { env })).stdout).toMatch(/^"ls" of vtr is "t4a list --all --long" here\.\n/);
});

describe('the list of hosts', () => {
  test("is edited by vtr's words of its configuration, by path or glob", async () => {
    const { dir, output: run } = testFleet();
    const glob = dir.join('vtr', '*.sock');
    expect(await run('config', 'add', '/run/alpha.sock')).toBe('alpha\n');
    expect(await run('config', 'add', glob)).toBe('*\n');
    expect(await run('config', 'add', '/other/*.sock')).toBe('*\n');
    const listed = 'HOST   ROUTE\nalpha  unix:/run/alpha.sock\n';
    expect(await run('config', 'ls')).toBe(listed);
    expect(await run('hosts', 'ls')).toBe(listed);
    expect(await run('config', 'resolve')).toBe('HOST   OPENED BY\nalpha  /run/alpha.sock\n');
    expect(await run('config', 'rm', glob)).toBe('*\n');
    expect(JSON.parse(readFileSync(dir.join('config', 't4a', 'hosts.json'), 'utf8'))).toEqual({
      hosts: { alpha: 'unix:/run/alpha.sock', '*': 'unix:/other/*.sock' },
    });
    expect(await run('config', 'rm', '/run/alpha.sock')).toBe('alpha\n');
  });

  test('names a glob that no socket fits', async () => {
    const { output: run, t4a: ask } = testFleet();
    await run('hosts', 'add', '/nonexistent/*.sock');
    const { stderr } = await ask(['config', 'ls']);
    expect(stderr).toBe('No hosts: no socket is there for unix:/nonexistent/*.sock.\n');
  });
});

describe('output_format of vtr', () => {
  const TOML = '[[coordinators]]\npath = "/run/a.sock"\n[defaults]\noutput_format = "json"\n';

  test('is the setting json of t4a from then on', async () => {
    const { dir, t4a: run } = testFleet();
    writeFileSync(dir.join('config.toml'), TOML);
    const { status, stdout, stderr } = await run(['hosts', 'add', '--from', 'config.toml']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'a\n' });
    expect(stderr).toContain('Commands print JSON from now on');
    const config = dir.join('config', 't4a', 'config.json');
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ json: true });
    expect(JSON.parse((await run(['list'])).stdout)).toMatchObject({ ok: true, terminals: [] });
    // A second time there is nothing to do.
    expect((await run(['hosts', 'add', '--from', 'config.toml'])).stderr).toBe(
      'Nothing to change: the list has them already.\n',
    );
  });

  test('leaves the other settings, and a json that is there', async () => {
    const { dir, t4a: run, output: text } = testFleet();
    writeFileSync(dir.join('config.toml'), TOML);
    await text('hosts', 'add', 'web1', 'ssh://web1');
    const config = dir.join('config', 't4a', 'config.json');
    writeFileSync(config, '{"scrollback": 500}');
    await run(['hosts', 'add', '--from', 'config.toml']);
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ scrollback: 500, json: true });
    writeFileSync(config, '{"json": false}');
    const { stderr } = await run(['hosts', 'add', '--from', 'config.toml']);
    expect(stderr).toContain('"output_format" is not taken over');
    expect(readFileSync(config, 'utf8')).toBe('{"json": false}');
  });

  test.each([
    [
      'a word that vtr has not',
      TOML.replace('"json"', '"xml"'),
      '"output_format" is "xml": expected "human" or "json"',
    ],
    ['defaults that are no table', 'defaults = 3\n', '"defaults" is no table'],
  ])('is refused with %s, and nothing is written', async (_what, toml, says) => {
    const { dir, t4a: run } = testFleet();
    writeFileSync(dir.join('config.toml'), toml);
    const { status, stderr } = await run(['hosts', 'add', '--from', 'config.toml']);
    expect(status).toBe(2);
    expect(stderr).toContain(says);
    expect(() => readFileSync(dir.join('config', 't4a', 'hosts.json'))).toThrow('ENOENT');
  });

  test('changes nothing where the configuration file is broken', async () => {
    const { dir, t4a: run, output: text } = testFleet();
    writeFileSync(dir.join('config.toml'), TOML);
    await text('hosts', 'add', 'web1', 'ssh://web1');
    writeFileSync(dir.join('config', 't4a', 'config.json'), '{');
    expect((await run(['hosts', 'add', '--from', 'config.toml'])).status).toBe(2);
    expect(await text('hosts')).toBe('HOST  ROUTE\nweb1  ssh://web1\n');
  });
});

describe('a wrong line', () => {
  const refusal = (line: string): { message: string; hint: string } => {
    try {
      parseCommandLine(typed(line));
    } catch (error) {
      if (isT4aError(error)) return { message: error.message, hint: error.details.hint ?? '' };
    }
    throw new Error(`"${line}" was taken`);
  };

  const withArguments = VTR_WORDS.filter(({ written }) => /[A-Z]/.test(written) && !written.startsWith('wait'));

  test.each(withArguments.map((word) => [word.written, word] as const))(
    '%s without its arguments names what is absent, and the line of t4a',
    (written, word) => {
      const given = written.replace(/(?: [A-Z]+)+$/, '');
      const { message, hint } = refusal(given);
      expect(message).toBe(`"${given}" needs ${/[A-Z]+/.exec(written)?.[0]}.`);
      expect(hint).toContain(`"t4a ${meaningOf(word).means}"`);
    },
  );

  test.each(VTR_WORDS.filter(({ written, means }) => written !== means).map((word) => [word.written, word] as const))(
    '%s with an unknown flag names the command of t4a',
    (written, word) => {
      const { message, hint } = refusal(`${written} --bogus`);
      expect(message).toBe(`"${commandOf(word)}" has no flag "--bogus".`);
      expect(hint).toContain(`"t4a ${meaningOf(word).means}"`);
    },
  );

  test.each([
    ['spawn x --cols abc', '--cols is "abc": expected a whole number.', 'create --name NAME'],
    ['spawn x --cmd', '--cmd needs a value.', 'create --name NAME'],
    ['idle x --idle soon', '--idle is "soon": expected a time, such as 500, 500ms, 5s or 2m.', 'wait NAME --idle 5s'],
    ['info x y', '"status" takes one argument (id); "y" is one too many.', 'status NAME'],
    ['ls x', '"list" takes no arguments; "x" is one too many.', 'list --all --long'],
    ['key x', '"key" needs KEY.', 'press NAME KEY'],
  ])('%s says what is wrong, and the line of t4a', (line, says, own) => {
    const { message, hint } = refusal(line);
    expect(message).toBe(says);
    expect(hint).toContain(`"t4a ${own}`);
  });

  test.each([
    [['key', 'w', 'Foo'], '"Foo" is not a key.', 't4a press NAME KEY'],
    [['raw', 'w', 'zz'], '"zz" is none', 't4a send NAME HEX --hex'],
    [['wait', 'w', '('], 'missing closing )', 't4a wait NAME --regex PATTERN --fresh'],
    [['spawn', 'a b'], '"name" of "create" is "a b"', 't4a create --name NAME'],
  ])('what only the daemon refuses of %j comes with the line of t4a, too', async (line, says, own) => {
    const id = await cli.create('cat');
    const { status, stderr } = await cli.t4a(line.map((word) => (word === 'w' ? id : word)));
    expect(status).not.toBe(0);
    expect(stderr).toContain(says);
    expect(stderr).toContain(`"${own}`);
  });
});

describe('the commands of t4a keep their meaning', () => {
  test.each([
    ['config --theme light', 'config', { theme: 'light' }],
    ['config --lc-ctype ls', 'config', { lc_ctype: 'ls' }],
    ['wait w --text x', 'wait', { id: 'w' }],
    ['wait w', 'wait', { id: 'w' }],
    ['send w x', 'send', { id: 'w', input: 'x' }],
    ['grep w x -C 2', 'grep', { id: 'w', pattern: 'x', context: 2 }],
    ['kill w --signal INT', 'kill', { id: ['w'], signal: 'INT' }],
  ])('%s', (line, command, params) => {
    const invocation = parseCommandLine(typed(line));
    expect(invocation?.command.name).toBe(command);
    expect(invocation?.params).toEqual(params);
    expect(invocation?.standsFor).toBeUndefined();
  });

  test('web takes the sockets that vtr calls coordinators', () => {
    const { options } = parseCommandLine(typed('web --coordinator /a/*.sock --coordinator /b.sock')) ?? {};
    expect(options).toEqual({ socket: ['/a/*.sock', '/b.sock'] });
  });
});

test('each word stands for a command that there is, in help and in docs/grpc.md on a line of its own', async () => {
  const help = await cli.output(['help']);
  const page = readFileSync(new URL('../../docs/grpc.md', import.meta.url), 'utf8');
  for (const word of VTR_WORDS) {
    const { written, means } = meaningOf(word);
    expect(commandSyntax(commandOf(word)), written).toBeDefined();
    expect(
      help.split('\n').filter((line) => line.startsWith(`  ${written} `) && line.endsWith(`  ${means}`)),
    ).toHaveLength(1);
    expect(page).toContain(`\`${written}\` | \`${word.means.replaceAll('=', ' ')}\``);
  }
});
