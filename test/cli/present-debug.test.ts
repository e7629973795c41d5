/** The output of `t4a debug` for people, in sections. */
import { expect, test } from 'vitest';
import type { Fields } from '../../src/cli/argv/invocation.js';
import { presented } from '../support/presented.js';

const NOTHING = {
  unhandled: { sequences: [], dropped: 0 },
  queries: { seen: [], dropped: 0 },
  termios: null,
  shell: null,
  foreground: null,
  output: { bytes: 0, text: '' },
  pending_output_bytes: 0,
  pending_input_bytes: 0,
};

/** The lines of each section, by its title. */
async function sections(fields: Fields): Promise<Record<string, string[]>> {
  const { printed } = await presented(['debug', 't1'], { ...NOTHING, ...fields });
  const found: Record<string, string[]> = {};
  let lines: string[] = [];
  for (const line of printed.trimEnd().split('\n')) {
    if (line.startsWith('  ')) lines.push(line.slice(2));
    else found[line] = lines = [];
  }
  return found;
}

test('an empty section prints "none", and an unavailable one "unknown"', async () => {
  expect(await sections({})).toEqual({
    'unhandled sequences': ['none'],
    queries: ['none'],
    termios: ['unknown'],
    'shell integration': ['unknown'],
    foreground: ['unknown'],
    'output, last of 0 bytes': ['none'],
    pending: ['output 0 bytes, input 0 bytes'],
  });
});

test('inputs have their sender and length, and older daemons none of them', async () => {
  const seen = [
    { as: 'ada', cmd: 'type', ts: 0, bytes: 3 },
    { as: null, cmd: 'send', ts: 1000, bytes: null },
  ];
  expect((await sections({ inputs: { seen, dropped: 5 } }))['inputs']).toEqual([
    '1970-01-01T00:00:00.000Z  type  3 bytes  ada',
    '1970-01-01T00:00:01.000Z  send  a secret',
    '… and 5 before',
  ]);
});

test('a section prints one line per item', async () => {
  const found = await sections({
    unhandled: {
      sequences: [
        { text: 'CSI 1 x', hex: '1b', count: 1 },
        { text: 'CSI 2 x', hex: '1c', count: 3 },
      ],
      dropped: 4,
    },
    queries: {
      seen: [
        { text: 'DA1', hex: '1d', count: 2, answer: '?62c' },
        { text: 'DA3', hex: '1e', count: 1, answer: null },
      ],
      dropped: 1,
    },
    termios: {
      mode: 'canonical',
      flags: { icanon: true, echo: false },
      characters: { intr: { text: '^C' }, eol: null },
      hex: { iflag: '0x500', oflag: '0x5' },
    },
    shell: { name: 'bash', integration: 'off', reason: 'rc failed' },
    foreground: {
      threads: [
        { pid: 1, process: 'cat', blocked_in: 'read', terminal: true, wait_channel: 'n_tty_read' },
        { pid: 2, process: 'nc', blocked_in: 'poll', terminal: false },
        { pid: 3, process: 'x', blocked_in: 'futex' },
      ],
    },
    output: { bytes: 9, text: 'hello' },
    pending_output_bytes: 1,
    pending_input_bytes: 2,
  });
  expect(found).toEqual({
    'unhandled sequences': ['CSI 1 x  1b', 'CSI 2 x x3  1c', '… and 4 before'],
    queries: ['DA1 x2  1d  ?62c', 'DA3  1e  NOT ANSWERED', '… and 1 before'],
    termios: ['mode canonical', 'icanon -echo', 'intr = ^C; eol = <undef>', 'iflag 0x500 oflag 0x5'],
    'shell integration': ['bash: off, since rc failed'],
    foreground: ['1 cat: read of this terminal (n_tty_read)', '2 nc: poll of something else', '3 x: futex'],
    'output, last of 9 bytes': ['hello'],
    pending: ['output 1 bytes, input 2 bytes'],
  });
});

test('a section omits values that the system does not report', async () => {
  const found = await sections({
    termios: { mode: 'raw', flags: { echo: true }, characters: { eof: { text: '^D' } } },
    shell: { name: 'zsh', integration: 'on' },
  });
  expect(found).toMatchObject({ termios: ['mode raw', 'echo', 'eof = ^D'], 'shell integration': ['zsh: on'] });
});
