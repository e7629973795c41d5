/** Real programs, driven by keys, pastes and clicks, and checked by a file, a repository or an exit status. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { LC_ALL: 'C.UTF-8' } });
});
afterAll(() => daemon.stop());

function write(name: string, content: string): string {
  const file = path.join(daemon.dir, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('editors and pagers', () => {
  itNeeds('vim')('vim edits with arrows, Home and Delete, and saves', async () => {
    const file = write('edit.txt', 'one\ntwo\nthree\n');
    const terminal = await TestTerminal.start(daemon, ['vim', '-u', 'NONE', '-N', file]);
    await terminal.untilShows('three');
    await terminal.press('Down', 'i', 'Right', 'Right', 'X', 'Home', 'Delete', 'End', '!', 'Escape');
    await terminal.untilShows('wXo!');
    await terminal.press(':', 'w', 'q', 'Enter');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('one\nwXo!\nthree\n');
    await terminal.end();
  });

  itNeeds('vim')('vim puts its cursor at the click', async () => {
    const file = write('click.txt', 'alpha beta\ngamma delta\n');
    const terminal = await TestTerminal.start(daemon, ['vim', '-u', 'NONE', '-N', '-c', 'set mouse=a', file]);
    await terminal.untilShows('delta');
    await terminal.do('mouse', { action: 'click', on_text: 'delta' });
    await terminal.press('x', ':', 'x', 'Enter');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('alpha beta\ngamma deta\n');
    await terminal.end();
  });

  itNeeds('less')('less searches, goes to the end and quits', async () => {
    const file = write('long.txt', Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join(''));
    const terminal = await TestTerminal.start(daemon, ['less', file]);
    await terminal.untilShows('line 22');
    await terminal.press('/');
    await terminal.do('type', { text: 'line 123\n' });
    await terminal.untilShows(/^line 123\n/);
    await terminal.press('G');
    await terminal.untilShows('line 499');
    await terminal.press('PgUp', 'Up');
    await terminal.untilShows(/^line 4(?!7[89])\d\d\n/);
    await terminal.press('q');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    await terminal.end();
  });
});

describe('dialogs', () => {
  itNeeds('whiptail')('whiptail accepts arrows, Tab and Enter', async () => {
    const chosen = path.join(daemon.dir, 'chosen.txt');
    const menu = 'whiptail --menu Which 15 40 4 a Apple b Banana c Cherry';
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', `${menu} 2> ${chosen}`]);
    await terminal.untilShows('Cherry');
    await terminal.press('Down', 'Down', 'Tab', 'Enter');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(chosen, 'utf8')).toBe('c');
    await terminal.end();
  });

  itNeeds('whiptail')('whiptail cancels at Escape', async () => {
    const terminal = await TestTerminal.start(daemon, ['whiptail', '--yesno', 'Sure?', '8', '40']);
    await terminal.untilShows('Sure?');
    await terminal.press('Escape');
    expect(await terminal.exited()).toMatchObject({ code: 255 });
    await terminal.end();
  });

  itNeeds('dialog')('dialog accepts a click on a button', async () => {
    const terminal = await TestTerminal.start(daemon, ['dialog', '--yesno', 'Sure?', '8', '40']);
    await terminal.untilShows('Sure?');
    await terminal.do('mouse', { action: 'click', on_regex: '< *No *>' });
    expect(await terminal.exited()).toMatchObject({ code: 1 });
    await terminal.end();
  });

  itNeeds('mc')('mc copies with F5 and quits with F10', async () => {
    const source = write('mc/from/note.txt', 'a note\n');
    const target = path.join(daemon.dir, 'mc', 'to');
    mkdirSync(target, { recursive: true });
    const env = { HOME: path.join(daemon.dir, 'mc', 'home'), MC_PROFILE_ROOT: path.join(daemon.dir, 'mc', 'home') };
    mkdirSync(env.HOME, { recursive: true });
    const command = ['mc', '--nosubshell', '--nocolor', path.dirname(source), target];
    const terminal = await TestTerminal.start(daemon, command, { env, cols: 100, rows: 30 });
    await terminal.untilShows('note.txt');
    await terminal.untilReads();
    await terminal.press('Down', 'F5');
    await terminal.untilShows('Copy file');
    await terminal.untilReads();
    await terminal.press('Enter');
    // The dialog and the progress of the copy take keys of their own.
    await terminal.untilReads('Copy file');
    await terminal.untilShows(/note\.txt[^]*note\.txt/);
    await terminal.press('F10');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(target, 'note.txt'), 'utf8')).toBe('a note\n');
    await terminal.end();
  });

  itNeeds('fzf')('fzf accepts a typed filter and Enter', async () => {
    const chosen = path.join(daemon.dir, 'fzf.txt');
    const terminal = await TestTerminal.start(daemon, [
      'sh',
      '-c',
      `printf 'apple\\nbanana\\navocado\\n' | fzf > ${chosen}`,
    ]);
    await terminal.untilShows('avocado');
    await terminal.do('type', { text: 'a' });
    await terminal.untilShows('> a');
    await terminal.do('type', { text: 'v' });
    await terminal.untilShows('1/3');
    await terminal.press('Enter');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(chosen, 'utf8')).toBe('avocado\n');
    await terminal.end();
  });
});

describe('line editors and prompts', () => {
  itNeeds('python3')('python runs a pasted function of several lines', async () => {
    const file = path.join(daemon.dir, 'repl.txt');
    const terminal = await TestTerminal.start(daemon, ['python3', '-q', '-i'], { env: { PYTHONSTARTUP: '' } });
    await terminal.untilShows('>>>');
    const body = [
      'def write(text):',
      '    with open(path, "w") as file:',
      '        file.write(text)',
      '',
      `path = ${JSON.stringify(file)}`,
    ];
    await terminal.do('paste', { text: body.join('\n'), submit: true });
    // The line editor of Python 3.13 takes an empty line for the end of a block that was pasted.
    const shown = await terminal.untilShows(/path = [^\n]*\n(>>>|\.\.\.)$/);
    if (shown.endsWith('...')) await terminal.press('Enter');
    await terminal.untilShows(/path = [^]*>>>$/);
    await terminal.do('type', { text: 'write("pasted")', submit: true });
    await terminal.untilShows(/write\("pasted"\)[^]*>>>$/);
    await terminal.press('Ctrl+D');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('pasted');
    await terminal.end();
  });

  itNeeds('bash')('readline edits the line with Home, Alt+F, Alt+B and Delete, and recalls it with Up', async () => {
    const file = path.join(daemon.dir, 'readline.txt');
    const env = { PS1: 'ready>', HISTFILE: '' };
    const terminal = await TestTerminal.start(daemon, ['bash', '--norc', '--noprofile'], { env });
    await terminal.untilShows('ready>');
    await terminal.do('type', { text: `echo one two >> ${file}` });
    await terminal.press(
      'Home',
      'Alt+F',
      'Alt+F',
      'Alt+F',
      'Alt+B',
      'Delete',
      'Delete',
      'Delete',
      'T',
      'W',
      'O',
      'Enter',
    );
    await terminal.untilShows(/TWO[^]*ready>$/);
    await terminal.press('Up', 'Enter');
    await terminal.untilShows(/TWO[^]*TWO[^]*ready>$/);
    await terminal.press('C-d');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('one TWO\none TWO\n');
    await terminal.end();
  });

  itNeeds('git')('git add -p stages one hunk of two', async () => {
    const repo = path.join(daemon.dir, 'repo');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: repo,
        encoding: 'utf8',
      });
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    write('repo/file.txt', `${lines.join('\n')}\n`);
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    write('repo/file.txt', `${lines.map((line, i) => (i === 2 || i === 35 ? line.toUpperCase() : line)).join('\n')}\n`);
    const terminal = await TestTerminal.start(daemon, ['git', 'add', '-p'], { cwd: repo, env: { GIT_PAGER: 'cat' } });
    await terminal.untilShows('(1/2)');
    await terminal.do('type', { text: 'n', submit: true });
    await terminal.untilShows('(2/2)');
    await terminal.do('type', { text: 'y', submit: true });
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    const staged = git('diff', '--cached');
    expect(staged).toContain('+LINE 35');
    expect(staged).not.toContain('+LINE 2');
    await terminal.end();
  });
});

describe('a program that asked for focus reports', () => {
  itNeeds('vim')('vim reloads a changed file when it regains the focus', async () => {
    const file = write('focus.txt', 'before\n');
    const commands = ['-c', 'set autoread', '-c', 'au FocusGained * checktime'];
    const terminal = await TestTerminal.start(daemon, ['vim', '-u', 'NONE', '-N', ...commands, file]);
    await terminal.untilShows('before');
    const status = await terminal.do('status');
    expect(status['modes']).toMatchObject({ focus_reporting: true });
    await terminal.do('focus', { focused: false });
    // Another size, since the time stamp may be the same.
    writeFileSync(file, 'changed by others\n');
    await terminal.do('focus');
    await terminal.untilShows('changed by others');
    await terminal.press(':', 'q', 'Enter');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(true);
    await terminal.end();
  });
});
