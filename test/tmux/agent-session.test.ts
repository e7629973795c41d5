/** A session as agents have it with tmux: keys in blocks and by names, a handshake after each step, long output, the whole history. */
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { DOOR, type Tmux, tmuxOf } from '../support/tmux.js';

const cli = useCliDaemon();

const WORDS = Array.from({ length: 2000 }, (_, at) => `word-${String(at).padStart(4, '0')}`);
/** Bytes of one call: tmux takes 16 KB. */
const BLOCK = 4000;

itNeeds('tmux')(
  '20 KB of keys and 5,000 lines of output are those of tmux, with handshakes and a new size',
  async () => {
    const text = `${WORDS.join('\n')}\n`;
    const more = { T4A_SOCKET: cli.daemon.socketPath, PATH: `${dirname(DOOR)}:${process.env['PATH']}` };
    const both = [tmuxOf(findProgram('tmux') ?? 'tmux'), tmuxOf(undefined, more)];
    const session = async (tmux: Tmux): Promise<void> => {
      const ok = async (...words: string[]) =>
        expect(await tmux(...words), words.join(' ').slice(0, 100)).toMatchObject({
          status: 0,
          stdout: '',
          stderr: '',
        });
      /** Types a command, and goes on when it has ended. */
      const run = async (command: string): Promise<void> => {
        await ok('send-keys', '-t', 'a', `${command}; tmux wait -S done`, 'Enter');
        await ok('wait-for', 'done');
      };
      const shell = 'exec bash --norc --noprofile';
      await ok(
        'start-server',
        ';',
        'set',
        '-g',
        'history-limit',
        '20000',
        ';',
        'new',
        '-d',
        '-s',
        'a',
        '-x',
        '160',
        '-y',
        '40',
        shell,
      );
      await run('stty -echo; PS1="> "; clear');
      await ok('send-keys', '-t', 'a', 'tmux wait -S ready; cat > keys', 'Enter');
      await ok('wait-for', 'ready');
      for (let from = 0; from < text.length; from += BLOCK)
        await ok('send-keys', '-t', 'a', '-l', text.slice(from, from + BLOCK));
      await ok('send-keys', '-t', 'a', 'by', 'Space', 'names', 'Enter', 'C-d');
      await run('cksum < keys');
      await run('seq 1 5000');
      await run('printf "%0250d\\n" 7');
    };
    await Promise.all(both.map(session));
    const same = async (...words: string[]): Promise<string> => {
      let said = '';
      await eventually(async () => {
        const [real, door] = await Promise.all(both.map((tmux) => tmux(...words)));
        expect(door).toEqual(real);
        said = real?.stdout ?? '';
        expect(real?.status).toBe(0);
        expect(said).toMatch(/(^|\n)> ?\n*$|^\d/);
      });
      return said;
    };
    const history = (await same('capture-pane', '-p', '-t', 'a', '-S', '-')).split('\n');
    const [sum = ''] = execFileSync('cksum', { input: `${text}by names\n`, encoding: 'utf8' }).split('\n');
    const from = history.findIndex((line) => line.endsWith(sum));
    expect(from).toBeGreaterThanOrEqual(0);
    expect(history.slice(from + 2, from + 5002)).toEqual(Array.from({ length: 5000 }, (_, at) => String(at + 1)));
    const facts = '#{history_size} #{history_limit} #{pane_width}x#{pane_height} #{cursor_x},#{cursor_y}';
    await same('display-message', '-p', '-t', 'a', facts);
    for (const size of ['100', '200']) {
      for (const tmux of both) await tmux('resize-window', '-t', 'a', '-x', size, '-y', '30');
      await same('capture-pane', '-p', '-t', 'a', '-S', '-');
      await same('capture-pane', '-p', '-t', 'a', '-S', '-', '-J');
      await same('display-message', '-p', '-t', 'a', facts);
    }
  },
);
