/** Requests made from command lines, where the two differ. */
import { describe, expect, test } from 'vitest';
import { LAST_TERMINAL } from '../../src/cli/argv/commands.generated.js';
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import type { Fields } from '../../src/cli/argv/invocation.js';
import { prepare as prepareRequest } from '../../src/cli/prepare/prepare.js';
import type { Host } from '../../src/cli/host.js';
import type { Client } from '../../src/client/client.js';
import { prepared, refusal } from '../support/prepared.js';
import { onTerminal, host } from '../support/host.js';

describe('the wait of a command that acts', () => {
  test.each<[string, Fields]>([
    ['settled', { settled_ms: 300 }],
    ['settled=0', { settled_ms: 0 }],
    ['settled=250', { settled_ms: 250 }],
    ['idle', { idle_ms: 500 }],
    ['idle=20', { idle_ms: 20 }],
    ['text=a=b', { text: 'a=b' }],
    ['regex=^a', { regex: '^a' }],
    ['gone=Loading', { gone: 'Loading' }],
    ['event=bell', { event: 'bell' }],
    ['done', { done: true }],
    ['exit', { exit: true }],
    ['input', { awaiting_input: true }],
    ['input=password', { awaiting_input: 'password' }],
  ])('has the condition of --wait %s', async (given, condition) => {
    expect(await prepared(['press', 't1', 'Enter', '--wait', given])).toEqual({
      id: 't1',
      keys: ['Enter'],
      wait: { until: [condition] },
    });
  });

  test('has every given condition and failure, and the deadline', async () => {
    const flags = ['--wait', 'done', '--wait', 'text=$', '--fail', 'panic', '--fail', 'abort', '--timeout', '9'];
    expect(await prepared(['focus', 't1', ...flags])).toMatchObject({
      wait: { until: [{ done: true }, { text: '$' }], fail: [{ regex: 'panic' }, { regex: 'abort' }], timeout_ms: 9 },
    });
  });

  test('is not needed for the readings of --text and --screenshot', async () => {
    const look = async (...flags: string[]): Promise<unknown> =>
      (await prepared(['resize', 't1', '80', '24', ...flags]))['observe'];
    expect(await look()).toBeUndefined();
    expect(await look('--text')).toEqual({ text: true });
    expect(await look('--no-text')).toBeUndefined();
    expect(await look('--screenshot', 'x.png')).toEqual({ screenshot: true });
    expect(await look('--text', '--screenshot', 'x.webp')).toEqual({ text: true, screenshot: { format: 'webp' } });
  });

  test.each([
    [
      ['--wait', 'never'],
      'usage | --wait is "never": expected one of settled, idle, text, regex, gone, event, control, doing, done',
    ],
    [['--wait', 'toString'], 'usage | --wait is "toString": expected one of'],
    [['--wait', 'text'], 'usage | --wait text needs a value. | For example --wait text=Done'],
    [['--wait', 'text='], 'usage | --wait text needs a value.'],
    [['--wait', 'regex'], 'usage | --wait regex needs a value. | For example --wait regex=^Done'],
    [['--wait', 'gone'], 'usage | --wait gone needs a value. | For example --wait gone=Loading'],
    [['--wait', 'event'], 'usage | --wait event needs a value. | For example --wait event=bell'],
    [['--wait', 'idle=5x'], 'usage | --wait has "5x" for a time: expected a time, such as 500, 500ms, 5s or 2m.'],
    [['--wait', 'settled=x5'], 'usage | --wait has "x5" for a time'],
    [['--fail', 'x'], 'usage | --fail, --at-cursor and --timeout go with --wait. | For example --wait settled.'],
    [['--timeout', '5'], 'usage | --fail, --at-cursor and --timeout go with --wait.'],
  ])('is refused: %j', async (flags, message) => {
    expect(await refusal(['press', 't1', 'Enter', ...flags])).toContain(message);
  });
});

describe('the conditions of wait', () => {
  test('come from one flag each, and some flags may be repeated', async () => {
    const flags =
      '--text a --text b --regex c --gone d --done --input --input-kind line --settled-ms 1 --idle-ms 2 --exit --event bell --changed-since 3 --output-since 4'.split(
        ' ',
      );
    expect(await prepared(['wait', 't1', ...flags, '--fail', 'x', '--fail', 'y'])).toEqual({
      id: 't1',
      until: [
        { text: 'a' },
        { text: 'b' },
        { regex: 'c' },
        { gone: 'd' },
        { idle_ms: 2 },
        { settled_ms: 1 },
        { done: true },
        { exit: true },
        { event: 'bell' },
        { awaiting_input: true },
        { awaiting_input: 'line' },
        { changed_since: 3 },
        { output_since: 4 },
      ],
      fail: [{ regex: 'x' }, { regex: 'y' }],
    });
    expect(await prepared(['wait', 't1', '--done'])).toEqual({ id: 't1', until: [{ done: true }] });
  });

  test('are required', async () => {
    expect(await refusal(['wait', 't1', '--fail', 'x'])).toBe('usage | "wait" needs a condition. | t4a wait --help');
  });
});

test('text requests lines without trailing blanks, except with --no-trim', async () => {
  expect(await prepared(['text', 't1'])).toEqual({ id: 't1', trim: true });
  expect(await prepared(['text', 't1', '--no-trim'])).toEqual({ id: 't1', trim: false });
});

test('config requests the sources of settings, except for JSON', async () => {
  expect(await prepared(['config'])).toEqual({ sources: true });
  expect(await prepared(['config', '--json'], onTerminal())).toEqual({});
  expect(await prepared(['config', '--no-sources'], onTerminal())).toEqual({ sources: false });
});

describe('a picture', () => {
  test.each<[string[], Fields]>([
    [['-o', 'x'], {}],
    [['-o', 'x.png'], {}],
    [['-o', '-'], {}],
    [['-o', 'a.b/x.JPG'], { format: 'jpeg' }],
    [['-o', 'x.jpeg'], { format: 'jpeg' }],
    [['-o', 'x.webp'], { format: 'webp' }],
    [['-o', 'x.svg'], { format: 'svg' }],
    [['-o', 'x.html'], { format: 'html' }],
    [['-o', 'x.svg', '--format', 'png'], { format: 'png' }],
    [['-o', 'x.svg', '--json'], { format: 'svg' }],
    [['--json'], { inline: true }],
    [[], {}],
    [['--region', '1, 2,3,-4'], { region: { row: 1, col: 2, rows: 3, cols: -4 } }],
    [
      ['--mark', 'plain', '--mark', '/re/', '--mark', '//', '--mark', '/ab', '--mark', 'ab/'],
      { mark: ['plain', { regex: 're' }, '//', '/ab', 'ab/'] },
    ],
    [['--mark', 'a/'], { mark: ['a/'] }],
  ])('is requested according to its file name and flags: %j', async (flags, fields) => {
    expect(await prepared(['screenshot', 't1', ...flags])).toEqual({ id: 't1', ...fields });
  });

  test.each([
    [['-o', 'x.gif'], 'usage | --output is "x.gif": a picture is png, webp, jpeg, svg or html. | For example x.png'],
    [['-o', 'x.TIFF'], 'For example x.png'],
    [['--region', '1,2,3'], 'usage | --region is "1,2,3": expected row,col,rows,cols. | For example 0,0,5,80.'],
    [['--region', '1,2,3,4,5'], 'usage | --region is "1,2,3,4,5"'],
    [['--region', '1,2,3,'], 'usage | --region is "1,2,3,"'],
    [['--region', '1,2,3,x4'], 'usage | --region is "1,2,3,x4"'],
    [['--region', '1,2,3,4.5'], 'usage | --region is "1,2,3,4.5"'],
  ])('is refused: %j', async (flags, message) => {
    expect(await refusal(['screenshot', 't1', ...flags])).toContain(message);
  });

  test.each(['avif', 'bmp', 'gif', 'heic', 'ico', 'pdf', 'ps', 'tif', 'tiff'])(
    'is refused for a file with the extension %s',
    async (ending) => {
      expect(await refusal(['press', 't1', 'Tab', '--screenshot', `x.${ending}`])).toContain('usage | --screenshot is');
    },
  );

  test('that gets its file name from @ is requested by the id of that terminal', async () => {
    const invocation = parseCommandLine(['screenshot', LAST_TERMINAL]);
    if (invocation === undefined) throw new Error('no command');
    const asked: unknown[] = [];
    const client = {
      call: (...request: unknown[]) => {
        asked.push(request);
        return Promise.resolve({ id: 'build' });
      },
    } as unknown as Client;
    const prepare = (where: Host): unknown => prepareRequest(invocation, where, () => Promise.resolve(client));
    expect(await prepare(host())).toEqual({ id: '@' });
    expect(asked).toEqual([]);
    expect(await prepare(onTerminal())).toEqual({ id: 'build' });
    expect(asked).toEqual([['status', { id: '@' }]]);
    expect(await prepared(['screenshot', 't1'], onTerminal())).toEqual({ id: 't1' });
  });
});
