/** From argv to the exit status, with a daemon in the process of the test. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/base/version.js';
import { ClosedOutput } from '../../src/cli/host.js';
import { T4aError } from '../../src/protocol/errors.js';
import type { Handlers } from '../../src/rpc/service.js';
import { run, served } from '../support/command-line.js';
import { serve } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';
import { textReply } from '../support/test-handlers.js';

describe('without a daemon', () => {
  test('--version prints the version, and --help the overview', async () => {
    expect(await run(['--version'])).toEqual({ status: 0, printed: `t4a ${VERSION}\n`, noted: '' });
    expect(await run(['version'])).toEqual({ status: 0, printed: `t4a ${VERSION}\n`, noted: '' });
    const help = await run(['--help']);
    expect(help).toMatchObject({ status: 0, noted: '' });
    expect(help.printed).toContain('\nStart and end:\n');
    expect(await run(['help'])).toEqual(help);
    // Nothing was asked: that is a mistake, and the help is no data.
    expect(await run([])).toEqual({ status: 2, printed: '', noted: help.printed });
    expect(await run(['--color', 'never'])).toEqual({ status: 2, printed: '', noted: help.printed });
  });

  test('help, --help and -h print the same explanation of a command', async () => {
    const explained = await run(['create', '--help']);
    expect(explained).toMatchObject({ status: 0, noted: '' });
    expect(explained.printed).toMatch(/^Usage: t4a create /);
    for (const argv of [
      ['help', 'create'],
      ['--help', 'create'],
      ['create', '-h'],
    ])
      expect(await run(argv)).toEqual(explained);
    expect((await run(['view', '--help'])).printed).toMatch(/^Usage: t4a view /);
  });

  test('an invalid command line is reported with a next step, and as JSON with --json', async () => {
    expect(await run(['lsit'])).toEqual({
      status: 2,
      printed: '',
      noted: 't4a: There is no command "lsit".\n  hint: Did you mean "t4a list"?\n',
    });
    const { status, noted } = await run(['lsit', '--json']);
    expect(status).toBe(2);
    expect(JSON.parse(noted)).toMatchObject({ ok: false, code: 'usage', hint: 'Did you mean "t4a list"?' });
    // The flag of another program.
    expect((await run(['create', '--cols', 'x', '--', 'jq', '--json'])).noted).toMatch(/^\{"ok":false/);
  });
});

describe('an error of the daemon', () => {
  const failing = (code: 'terminal_not_found' | 'internal', details: object = {}): Partial<Handlers> => ({
    cursor: () => {
      throw new T4aError(code, 'No terminal "t\x1b9".', details);
    },
  });

  test('is printed with its control characters escaped, its hint and the closest name', async () => {
    const told = async (details: object): Promise<string> =>
      (await (await served(failing('terminal_not_found', details)))(['cursor', 't9'])).noted;
    const says = 't4a: No terminal "t\\x1b9".\n';
    expect(await told({})).toBe(says);
    expect(await told({ hint: 't4a list\x07' })).toBe(`${says}  hint: t4a list\\x07\n`);
    expect(await told({ closest: 't1' })).toBe(`${says}  hint: Did you mean "t1"?\n`);
    expect(await told({ closest: 't1', hint: 'List them.' })).toBe(
      `${says}  hint: Did you mean "t1"?\n  hint: List them.\n`,
    );
    expect(await told({ closest: 't1', hint: 'Try t1.' })).toBe(`${says}  hint: Try t1.\n`);
  });

  test('is printed as JSON with --json, and ends with the status of its code', async () => {
    const t4a = await served(failing('internal'));
    expect((await t4a(['cursor', 't9'])).status).toBe(1);
    const { status, printed, noted } = await t4a(['cursor', 't9', '--json']);
    expect([status, printed]).toEqual([1, '']);
    expect(JSON.parse(noted)).toMatchObject({ ok: false, code: 'internal' });
  });
});

describe('a request', () => {
  test('refers to the named terminal, else the surrounding one, else the one used last', async () => {
    const ids: unknown[] = [];
    const t4a = await served({
      cursor: ({ id }) => {
        ids.push(id);
        return { reply: { row: 1, col: 2, visible: true, shape: 'block', blink: false, rev: 3 } };
      },
    });
    await t4a(['cursor', 't1'], { env: { T4A_TERMINAL: 't2' } });
    await t4a(['cursor'], { env: { T4A_TERMINAL: 't2' } });
    await t4a(['cursor'], { env: { T4A_TERMINAL: '' } });
    await t4a(['cursor']);
    expect(ids).toEqual(['t1', 't2', '@', '@']);
  });

  test('finds its daemon through T4A_SOCKET', async () => {
    const { socketPath } = await serve();
    const { status, printed } = await run(['ping', '--json'], { env: { T4A_SOCKET: socketPath } });
    expect([status, printed]).toEqual([0, expect.stringContaining('"version":"0.0.0-test"')]);
  });

  test.each(['ping', 'stats', 'shutdown'])('%s starts no daemon', async (command) => {
    const { socketPath } = tempDir();
    const { status, noted } = await run(['--socket', socketPath, command]);
    expect(noted).toContain(`No daemon listens on ${JSON.stringify(socketPath)}`);
    expect(status === 0).toBe(command === 'shutdown');
    expect(existsSync(socketPath)).toBe(false);
  });

  test('prints text, the whole reply with --json, and JSON where T4A_JSON asks for it', async () => {
    const t4a = await served({ text: () => textReply(['a', '']) });
    expect((await t4a(['text', 't1'])).printed).toBe('a\n');
    expect(JSON.parse((await t4a(['text', 't1', '--json'])).printed)).toMatchObject({ ok: true, lines: ['a', ''] });
    const asJson = { status: 0, printed: '{"ok":true,"terminals":[]}\n', noted: '' };
    expect(await t4a(['list', '--json'])).toEqual(asJson);
    expect(await t4a(['list'], { env: { T4A_JSON: '1' } })).toEqual(asJson);
    expect((await t4a(['list', '--no-json'], { env: { T4A_JSON: '1' } })).printed).toBe('');
    const wrong = await t4a(['list'], { env: { T4A_JSON: 'yes' } });
    expect(wrong).toMatchObject({ status: 2, printed: '' });
    expect(wrong.noted).toContain('$T4A_JSON is "yes"');
  });

  test('is reported on standard error with --verbose', async () => {
    const t4a = await served({});
    expect((await t4a(['ping', '--verbose'])).noted).toMatch(
      /^t4a: connected to \S+\/s after \d+\.\d ms\nt4a: "ping" was done after \d+\.\d ms, exit status 0\n$/,
    );
    expect((await t4a(['ping'])).noted).toBe('');
  });

  test('ends quietly if its output is closed, and fails on other write errors', async () => {
    const t4a = await served({});
    const closed = (): never => {
      throw new ClosedOutput();
    };
    expect(await t4a(['ping'], { out: closed })).toEqual({ status: 0, printed: '', noted: '' });
    const broken = (): never => {
      throw new Error('EIO');
    };
    await expect(t4a(['ping'], { out: broken })).rejects.toThrow('EIO');
  });
});
