/** Full-screen programs in an attached terminal, by keys of a person; vim is in attach.test.ts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itNeeds, requireProgram } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { attached } from './attached.js';

const person = { env: { T4A_AS: 'ada' } };
const env = { LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };

describe('by the keys of a person who has attached', () => {
  itNeeds('less')('less searches, scrolls and quits', async () => {
    const file = tempDir().join('numbers');
    writeFileSync(file, Array.from({ length: 500 }, (_, i) => `row ${i}\n`).join(''));
    const { person: ada, inner } = await attached({ inner: { cmd_args: [requireProgram('less'), file], env }, person });
    await ada.waitForText('row 0');
    await ada.type('/row 321\r');
    await ada.waitFor({ regex: '^row 321' });
    await ada.press('Down');
    await ada.waitFor({ regex: '^row 322' });
    await ada.press('G');
    await ada.waitForText('row 499');
    await ada.press('q');
    await inner.waitForExit();
  });

  itNeeds('htop')('htop sorts by a function key, filters, and quits', async () => {
    const { person: ada, inner } = await attached({ inner: { cmd_args: [requireProgram('htop')], env }, person });
    await ada.waitForText('F10');
    await ada.press('F6');
    await ada.waitForText('Sort by');
    await ada.press('Escape');
    await ada.waitFor({ gone: 'Sort by' });
    await ada.press('F4');
    await ada.type('nothing-of-this-name');
    await ada.waitForText('nothing-of-this-name');
    await ada.press(['Escape', 'F10']);
    await inner.waitForExit();
  });

  itNeeds('mc')('mc makes a directory and quits', async () => {
    const dir = tempDir();
    const place = dir.join('place');
    mkdirSync(place);
    const { person: ada, inner } = await attached({
      inner: { cmd_args: [requireProgram('mc'), '-u', '-x', place, place], env: { ...env, HOME: dir.path } },
      person,
    });
    await ada.waitForText('10Quit');
    await ada.press('F7');
    await ada.waitForText('Enter directory name:');
    await ada.type('made\r');
    await ada.waitForText('/made');
    await ada.press('F10');
    await inner.waitForExit();
  });

  itNeeds('tmux')('tmux splits its window by a literal leader, and ends', async () => {
    const socket = tempDir().join('tmux');
    const { person: ada, inner } = await attached({
      inner: {
        cmd_args: [requireProgram('tmux'), '-S', socket, '-f', '/dev/null', 'new', 'echo first; exec cat'],
        env: { ...env, TMUX: '' },
      },
      person,
    });
    await ada.waitForText('first');
    // The prefix of tmux is the leader of attach: twice is once.
    await ada.press(['Ctrl+B', 'Ctrl+B']);
    await ada.type(':');
    // tmux takes keys that come at once for a paste.
    await ada.waitFor({ regex: '^:' });
    await ada.type('split-window "echo second; exec cat"');
    await ada.waitForText('exec cat"');
    await ada.press('Enter');
    await ada.waitForText('second');
    await ada.type('typed below\r');
    await ada.waitForText('typed below');
    await ada.press(['Ctrl+B', 'Ctrl+B']);
    await ada.type(':');
    await ada.waitFor({ regex: '^:' });
    await ada.type('kill-server');
    await ada.waitForText(':kill-server');
    await ada.press('Enter');
    await inner.waitForExit();
  });

  itNeeds('fzf')('fzf narrows a list and prints the choice', async () => {
    const file = tempDir().join('choice');
    const { person: ada, inner } = await attached({
      command: `printf 'apple\\nbanana\\ncherry\\n' | fzf > '${file}'`,
      inner: { env: { ...env, PATH: process.env['PATH'] ?? '' } },
      person,
    });
    await ada.waitForText('3/3');
    await ada.type('ban');
    await ada.waitForText('1/3');
    await ada.press('Enter');
    await inner.waitForExit();
    expect(readFileSync(file, 'utf8')).toBe('banana\n');
  });
});
