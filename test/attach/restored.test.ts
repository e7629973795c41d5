/** The person's terminal is as it was after every way in which attach can end or stop. */
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { connect, launch, type Terminal } from '../../src/client/index.js';
import { startDaemon } from '../support/daemon.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { itNeeds } from '../support/programs.js';
import { serve } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';
import { attached, attachPid, attachWords, ATTACHED } from './attached.js';

/** All that attach sets, and the program behind it asks for. */
const MODES = String.raw`printf '\033[?1h\033=\033[?1004h\033[?2004h\033[?67h\033[>1u\033[5 q\033[?25l'; echo here; cat`;

async function expectRestored(person: Terminal): Promise<void> {
  const { modes, alt_screen: altScreen } = await person.call('status', {});
  expect({ modes, altScreen }).toMatchObject({
    altScreen: false,
    modes: {
      application_cursor: false,
      application_keypad: false,
      backarrow: false,
      bracketed_paste: false,
      cursor_visible: true,
      focus_reporting: false,
      kitty_flags: 0,
      mouse_tracking: 'none',
      synchronized_output: false,
      wraparound: true,
    },
  });
}

/** The lines that the person's shell has printed: the modes of the tty, the note, the status, and the modes again. */
async function printed(person: Terminal): Promise<string[]> {
  await person.waitForText('end');
  return (await person.text()).split('\n').filter((line) => line !== '');
}

test('after Ctrl+B d', async () => {
  const { person } = await attached({ command: MODES });
  await person.waitForText('here');
  await person.waitForText(ATTACHED);
  // The outer terminal has said by then that it has the kitty protocol.
  const modes = async () => (await person.call('status', {})).modes;
  await expect.poll(modes).toMatchObject({ application_cursor: true, kitty_flags: 1 });
  await person.press(['Ctrl+B', 'd']);
  const [before, note, status, after] = await printed(person);
  expect([note, status, after]).toEqual(['Detached from inner.', 'status 0', before]);
  await expectRestored(person);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGQUIT', 131],
] as const)('after %s', async (signal, status) => {
  const { person } = await attached({ command: MODES });
  await person.waitForText('here');
  await person.waitForText(ATTACHED);
  process.kill(await attachPid(person), signal);
  const [before, ended, after] = await printed(person);
  expect([ended, after]).toEqual([`status ${status}`, before]);
  await expectRestored(person);
});

test('after a kill -9 of the daemon', async () => {
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  const inner = await connect({ socketPath: daemon.socketPath, autoStart: false });
  onTestFinished(() => inner.close());
  await launch({ client: inner, command: MODES, name: 'inner' });
  const { person } = await attached({ command: 'cat', attach: attachWords(daemon, 'inner') });
  await person.waitForText('here');
  daemon.process.kill('SIGKILL');
  const [before, error, , status, after] = await printed(person);
  expect([error, status, after]).toEqual([expect.stringContaining('The daemon closed'), 'status 1', before]);
  await expectRestored(person);
});

test('after a crash', async () => {
  const { socketPath } = await serve({
    status: () => ({ id: 'inner' }) as never,
    // Not complete: the mirror refuses it.
    watch: () => ({ rev: 1, state: 1, first_line: 0, cursor: [0, 0, 1, 'block', 0], copied: [], drawn: [] }),
  });
  const { person } = await attached({ command: 'cat', attach: attachWords({ socketPath }, 'inner') });
  await person.waitForText('end');
  const lines = await printed(person);
  expect(lines.join('\n')).toContain('Internal error');
  expect(lines.at(-3)).toBe('status 1');
  expect(lines.at(-2)).toBe(lines[0]);
  await expectRestored(person);
});

itNeeds('bash')('while it is stopped, and drawn again once it goes on', async () => {
  const client = await clientOfOwnDaemon();
  const inner = await launch({ client, command: MODES, name: 'inner' });
  const settings = tempDir().join('inputrc');
  // A mode that bash itself sets at its prompt.
  writeFileSync(settings, 'set enable-bracketed-paste off\n');
  const shell = { cmd_args: ['bash', '--norc', '--noprofile'], env: { INPUTRC: settings } };
  const person = await launch({ client, ...shell, name: 'person', cols: 100 });
  await person.waitFor({ awaiting_input: true });
  await person.type('stty -g', { submit: true });
  await person.waitForText(':');
  const before = (await person.text()).split('\n')[1];
  const words = attachWords(client, 'inner').map((word) => `'${word}'`);
  await person.type(words.join(' '), { submit: true });
  await person.waitForText(ATTACHED);
  process.kill(await attachPid(person), 'SIGTSTP');
  await person.waitForText('Stopped');
  await expectRestored(person);
  await person.type('clear; stty -g', { submit: true });
  await person.waitForText(before ?? 'no modes');
  await person.type('fg', { submit: true });
  await person.waitForText(ATTACHED);
  await person.waitForText('here');
  expect((await person.call('status', {})).modes).toMatchObject({ application_cursor: true, kitty_flags: 1 });
  await person.type('typed');
  await inner.waitForText('typed');
  await person.press(['Ctrl+B', 'd']);
  await person.waitForText('Detached');
  await expectRestored(person);
});
