/** Names of keys with tmux 3.3a and with the door beside it: equal in the bytes that a program gets. */
import { expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { tmuxOf } from '../support/tmux.js';

const cli = useCliDaemon();

const NAMES = [
  'Enter Escape Tab Space BSpace BTab Up Down Left Right Home End NPage PageDown PgDn PPage PageUp PgUp IC Insert DC Delete',
  'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 KP/ KP* KP- KP7 KP8 KP9 KP+ KP4 KP5 KP6 KP1 KP2 KP3 KPEnter KP0 KP.',
].flatMap((line) => line.split(' '));
const MODIFIERS = ['', 'C-', 'M-', 'S-', 'C-M-', 'C-S-', 'M-S-', 'C-M-S-'];
const CHARACTERS = Array.from('aZ0123456789@[]^_?/\\~!-=,.`"{}|é日 ');
const OTHERS =
  '^a ^A ^? ^[ ^Enter User0 User1 None F13 C- M- ^ 0x41 0xe9 0x1F600 x41 [NUL] abc c-a s-up C-c-a C-m-Up enter ENTER nope';
/** Keys whose bytes are those that TERM of the door promises. */
const OWN = /^(Home|End|KPEnter|M-KP.+)$/;

const KEYS = [
  ...NAMES.flatMap((name) => MODIFIERS.map((modifier) => modifier + name)),
  ...CHARACTERS.flatMap((name) => ['', 'C-', 'M-', 'S-', 'C-M-'].map((modifier) => modifier + name)),
  ...OTHERS.split(' '),
].filter((key) => !OWN.test(key));

for (const [modes, sets, keys] of [
  ['plain modes', '', KEYS],
  ['application modes', String.raw`\033[?1h\033=`, KEYS.filter((key) => NAMES.includes(key))],
] as const)
  itNeeds('tmux')(`${keys.length} names of keys are the bytes of tmux in ${modes}`, async () => {
    const [real, ours] = await Promise.all(
      [tmuxOf(findProgram('tmux') ?? 'tmux'), tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath })].map(
        async (tmux) => {
          const command = `printf 'ready${sets}'; stty raw -echo; exec cat -A`;
          await tmux('new-session', '-d', '-s', 'k', '-x', '200', '-y', '50', command);
          const screen = async () => (await tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'k')).stdout;
          await eventually(async () => expect(await screen()).toContain('ready'));
          // What comes before the raw mode is echoed, and a line.
          await eventually(async () => {
            await tmux('send-keys', '-t', 'k', '-l', '<');
            expect(await screen()).toMatch(/ready<+$/m);
          });
          for (let from = 0; from < keys.length; from += 100) {
            const some = keys.slice(from, from + 100);
            const line = some.flatMap((key) => ['send-keys', '-t', 'k', '--', key, '<', ';']);
            expect(await tmux(...line)).toMatchObject({ status: 0, stderr: '' });
          }
          await tmux('send-keys', '-t', 'k', '-l', 'THE-END');
          await eventually(async () => expect(await screen()).toContain('THE-END'));
          const bytes = (await screen())
            .replaceAll('\n', '')
            .replace(/^ready<*/, '')
            .split('<');
          return keys.map((key, at) => `${key} -> ${bytes[at]}`);
        },
      ),
    );
    expect(ours).toEqual(real);
  });
