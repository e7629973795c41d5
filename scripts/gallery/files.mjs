/** What the programs of the gallery are shown with: a home of their own whose names and dates are the same everywhere. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const demo = fileURLToPath(new URL('demo/', import.meta.url));
const date = new Date('2026-03-14T09:26:00Z');

export const ENVIRONMENT = {
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  USER: 'dev',
  LOGNAME: 'dev',
  SHELL: '/bin/bash',
  PYTHONDONTWRITEBYTECODE: '1',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_PAGER: 'cat',
  // Shells end after their directory.
  HISTFILE: '',
  LS_COLORS: 'di=1;34:ln=1;36:ex=1;32:*.zst=1;31:*.png=1;35:*.md=33',
};

const BASHRC = String.raw`PS1='\[\e[1;32m\]\W\[\e[0m\] \[\e[1;34m\]❯\[\e[0m\] '
`;
const VIMRC = `set nocompatible nowrap number cursorline laststatus=2 ruler termguicolors background=dark hlsearch
syntax on
colorscheme habamax
`;
const TMUX_CONF = `set -g destroy-unattached on
set -g default-terminal tmux-256color
set -ga terminal-overrides ',*:Tc'
set -g status-right ' 09:26 '
set -g status-style 'bg=#3b4261,fg=#c0caf5'
set -g pane-active-border-style 'fg=#7aa2f7'
set -g default-command 'exec bash'
`;
const HTOPRC = `htop_version=3.2.2
config_reader_min_version=3
highlight_base_name=1
highlight_threads=0
hide_kernel_threads=1
show_program_path=0
column_meters_0=LeftCPUs Memory
column_meter_modes_0=1 1
column_meters_1=RightCPUs LoadAverage
column_meter_modes_1=1 2
screen:Main=PID PRIORITY NICE M_VIRT M_RESIDENT STATE PERCENT_CPU PERCENT_MEM TIME Command
.sort_key=PID
.sort_direction=1
`;
const MC_INI = `[Midnight-Commander]
use_internal_edit=true
confirm_exit=false
[Layout]
message_visible=0
free_space=false
xterm_title=false
command_prompt=0
`;

/** @returns the directory that the programs run in */
export function writeHome(home) {
  const place = path.join(home, 'demo');
  mkdirSync(path.join(place, 'src'), { recursive: true });
  mkdirSync(path.join(place, 'images'));
  mkdirSync(path.join(home, '.config/mc'), { recursive: true });
  writeFileSync(path.join(home, '.bashrc'), BASHRC);
  writeFileSync(path.join(home, '.vimrc'), VIMRC);
  writeFileSync(path.join(home, '.tmux.conf'), TMUX_CONF);
  writeFileSync(path.join(home, '.htoprc'), HTOPRC);
  writeFileSync(path.join(home, '.config/mc/ini'), MC_INI);
  copyFileSync(path.join(demo, 'lexer.rs'), path.join(place, 'src/lexer.rs'));
  copyFileSync(path.join(demo, 'cities.py'), path.join(place, 'cities.py'));
  writeFileSync(path.join(place, 't4a.1'), overstruck(readFileSync(path.join(demo, 't4a.txt'), 'utf8')));
  writeFileSync(path.join(place, 'README.md'), '# demo\n'.repeat(90));
  writeFileSync(path.join(place, '日本語.txt'), 'こんにちは\n');
  writeFileSync(path.join(place, 'notes 📌.txt'), 'remember\n');
  writeFileSync(path.join(place, 'backup.tar.zst'), Buffer.alloc(48_200));
  writeFileSync(path.join(place, 'build.sh'), '#!/bin/sh\n');
  chmodSync(path.join(place, 'build.sh'), 0o755);
  symlinkSync('build.sh', path.join(place, 'latest'));
  for (const name of ['src/lexer.rs', 'cities.py', 't4a.1', 'README.md', '日本語.txt', 'notes 📌.txt']) {
    utimesSync(path.join(place, name), date, date);
  }
  for (const name of ['backup.tar.zst', 'build.sh', 'src', 'images']) utimesSync(path.join(place, name), date, date);
  execFileSync('touch', ['-h', '-d', date.toISOString(), path.join(place, 'latest')]);
  for (const directory of [place, home]) utimesSync(directory, date, date);
  return place;
}

/** A history with two branches, of fixed authors and dates, so that its hashes are the same everywhere. */
export function writeHistory(place, environment) {
  mkdirSync(place);
  let minute = 0;
  const git = (...args) => {
    const when = new Date(date.getTime() + minute++ * 60_000).toISOString();
    const who = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_AUTHOR_DATE: when };
    const also = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org', GIT_COMMITTER_DATE: when };
    execFileSync('git', args, { cwd: place, env: { ...environment, ...who, ...also }, stdio: 'ignore' });
  };
  const commit = (message) => git('commit', '--allow-empty', '-m', message);
  git('init', '-b', 'main');
  for (const message of ['Read words', 'Read quoted words', 'Tell where a quote was left open']) commit(message);
  git('tag', 'v0.1');
  git('checkout', '-b', 'pipes');
  commit('Read pipes');
  commit('Join the words of a pipe');
  git('checkout', 'main');
  commit('Accept 漢字 and 😀 in words');
  git('checkout', '-b', 'redirects');
  commit('Read > and >>');
  git('checkout', 'main');
  git('merge', '--no-ff', '-m', 'Merge branch pipes', 'pipes');
  git('tag', 'v0.2');
  commit('Say which file a line is from');
  git('merge', '--no-ff', '-m', 'Merge branch redirects', 'redirects');
  commit('Release 0.3');
}

/** Bold and underlined by backspaces, as man pages are: *bold*, _underlined_. */
function overstruck(text) {
  const struck = (words, mark) => Array.from(words, (each) => `${mark ?? each}\b${each}`).join('');
  return text
    .replaceAll(/\*([^*\n]+)\*/g, (_, words) => struck(words))
    .replaceAll(/_([^_\n]+)_/g, (_, words) => struck(words, '_'));
}
