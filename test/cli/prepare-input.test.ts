/** The input of send, type and paste: an argument, standard input, or a secret. */
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/cli/argv/invocation.js';
import type { Host } from '../../src/cli/host.js';
import { MAX_INPUT_BYTES } from '../../src/protocol/limits.js';
import { prepared, refusal } from '../support/prepared.js';
import { input, onTerminal, host } from '../support/host.js';

describe('the input of send', () => {
  test.each<[string, string[], Fields]>([
    ['is the argument with its escapes read', ['send', 't1', 'ls\\n'], { input: 'ls\n' }],
    ['is the unchanged argument with --raw', ['send', 't1', 'ls\\n', '--raw'], { input: 'ls\\n' }],
    ['is base64 if it is no UTF-8', ['send', 't1', '\\xff'], { input_base64: '/w==' }],
    ['keeps a byte order mark', ['send', 't1', '\ufeffx'], { input: '\ufeffx' }],
    ['is the given base64', ['send', 't1', '--input-base64', 'AA=='], { input_base64: 'AA==' }],
    ['is standard input without an argument', ['send', 't1'], { input: 'from stdin\n' }],
  ])('%s', async (_name, argv, fields) => {
    const where = host({ stdin: () => input('from ', 'stdin\n') });
    expect(await prepared(argv, where)).toEqual({ id: 't1', ...fields });
    expect(where.noted()).toBe('');
  });

  test('is asked for if standard input is a terminal', async () => {
    const where = onTerminal({ stdin: () => input('typed') });
    expect(await prepared(['send', 't1'], where)).toEqual({ id: 't1', input: 'typed' });
    expect(where.noted()).toBe('Input for t1, until Ctrl+D:\n');
  });

  test('is refused if it is larger than one request may carry', async () => {
    const most = new Uint8Array(MAX_INPUT_BYTES).fill(0x61);
    const { input: sent } = await prepared(['send', 't1'], host({ stdin: () => input(most) }));
    expect(sent).toHaveLength(MAX_INPUT_BYTES);
    expect(await refusal(['send', 't1'], host({ stdin: () => input(most, 'b') }))).toContain(
      `usage | Standard input holds more than the ${MAX_INPUT_BYTES} bytes`,
    );
  });
});

describe('the text of type and paste', () => {
  const piped = (text: string | Uint8Array): Host => host({ stdin: () => input(text) });

  test('is the argument, else standard input, whose last line break type drops', async () => {
    expect(await prepared(['type', 't1', 'a\n'], piped('piped'))).toEqual({ id: 't1', text: 'a\n' });
    expect(await prepared(['paste', 't1', 'a\n'], piped('piped'))).toEqual({ id: 't1', text: 'a\n' });
    const given = await prepared(['paste', 't1', '--text-base64', 'YQ=='], piped('piped'));
    expect(given).toEqual({ id: 't1', text_base64: 'YQ==' });
    expect(await prepared(['type', 't1'], piped('a\nb\r\n'))).toEqual({ id: 't1', text: 'a\nb' });
    expect(await prepared(['type', 't1'], piped('a\n\n'))).toEqual({ id: 't1', text: 'a\n' });
    expect(await prepared(['paste', 't1'], piped('a\r\n'))).toEqual({ id: 't1', text: 'a\r\n' });
  });

  test('is refused if it is no UTF-8', async () => {
    for (const command of ['type', 'paste']) {
      expect(await refusal([command, 't1'], piped(Uint8Array.of(0xff)))).toBe(
        'invalid_utf8 | Standard input is not UTF-8. | "t4a send" sends any bytes.',
      );
    }
  });

  test('as a secret is read from standard input, without its line break except by send', async () => {
    expect(await prepared(['type', 't1', '--secret'], piped('s3\n'))).toEqual({ id: 't1', secret: true, text: 's3' });
    expect(await prepared(['paste', 't1', '--secret'], piped('s3\n'))).toEqual({ id: 't1', secret: true, text: 's3' });
    expect(await prepared(['send', 't1', '--secret'], piped('s3\n'))).toEqual({
      id: 't1',
      secret: true,
      input: 's3\n',
    });
  });

  test.each([
    [['type', 't1', 's3', '--secret']],
    [['paste', 't1', 's3', '--secret']],
    [['paste', 't1', '--text-base64', 'YQ==', '--secret']],
    [['send', 't1', 's3', '--secret']],
    [['send', 't1', '--input-base64', 'YQ==', '--secret']],
  ])('as a secret is refused in an argument: %j', async (argv) => {
    expect(await refusal(argv, piped('other'))).toContain('usage | A secret is not taken from the command line');
  });

  test('as a secret is asked for on a terminal, and not shown', async () => {
    const where = onTerminal();
    const asked = prepared(['type', '@', '--secret'], where);
    await expect.poll(() => where.noted()).toBe('Secret for @, not shown: ');
    where.press('s3');
    expect(where.watchers()).toBe(1);
    where.press('\r');
    expect(await asked).toEqual({ id: '@', secret: true, text: 's3' });
    expect([where.noted(), where.printed(), where.watchers()]).toEqual(['Secret for @, not shown: \n', '', 0]);
  });

  test('as a secret is not sent after Ctrl+C', async () => {
    const where = onTerminal();
    const asked = refusal(['type', '@', '--secret'], where);
    await expect.poll(() => where.watchers()).toBe(1);
    where.press('s3\x03');
    expect(await asked).toContain('usage | No secret was given: nothing was sent.');
    expect(where.watchers()).toBe(0);
  });
});
