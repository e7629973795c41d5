/** Command lines with tmux 3.3a and with the door beside it: equal in exit status, output and errors. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { type Tmux, tmuxOf } from '../support/tmux.js';
import { compared } from './compared.js';

const cli = useCliDaemon();

/** Words of a shell, without its variables. */
function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g),
    ([, quoted, double, plain]) => quoted ?? double?.replaceAll(/\\(["\\$])/g, '$1') ?? plain ?? '',
  );
}

/** A line of the cases for a server that ends: for a moment it still answers. */
const GONE = '(gone)';

const gone = (tmux: Tmux): Promise<void> =>
  eventually(async () =>
    expect((await tmux('-N', 'has-session')).stderr).toMatch(/^(no server running|error connecting)/),
  );

/** That the cases read. */
const FILES: Readonly<Record<string, string>> = {
  unknown: 'set -g @a 1\nfoo\nset -g @a 2',
  flag: 'set -g @b 1\nnew-session -Q\nkill-session a b c',
  runs: 'set -g @c 1\nhas -t nope\nset -g @d 2\nset -g nosuch 1\nset -g @e 3',
  quote: "set -g @q 'x\n",
  double: 'set -g @r "x',
  brace: 'if -F 1 {\nset -g @x 1\n',
  closes: 'set -g @x }\n',
  inner: 'if -F 1 {\n  foo\n}\n',
  unseen: 'set -g @u "a\\033[31mb\\177c\\td"\nset -g @s "a#[fg=red]b#,c##[x###e#"\nset -g @o "a#[b"',
  bound: 'bind F9 {\n  foo\n}\n',
  assigned: 'is_vim="x y"\nA=1 set -g @a "$A"\n%hidden B=2\nset -g @b "$B"\nset -g base-index 1\n',
  written: [
    'set -g @e "\\U0001F600 \\u00e9"',
    'set -g @home "~/x"',
    'set -g @tilde "a~/x"',
    "set -g @quoted '~/x'",
    'bind -T t1 y set-window-option synchronize-panes\\; display-message "x"',
  ].join('\n'),
  keys: [
    'bind -T t1 F9 { if -F 1 { display x } }',
    "bind -T t1 F8 if -F 1 { display x } { display 'y z' ; display q }",
    'bind -T t1 F7 {\n  display a\n  display b ; display c\n}',
    'bind -T t1 F6 display a \\; display b',
    "bind -T t1 F5 'display a ; display b'",
    "bind -T t1 F4 'display a\ndisplay b'",
    'bind -T t1 F3 { }',
    'bind -T t1 F2 if -F 1 { }',
    'set-hook -g after-new-window { display a ; display b }',
    'set-hook -g after-split-window {\n  if -F 1 { display x\n    display y }\n}',
    'bind -T t2 a confirm-before -p "kill? (y/n)" { kill-window }',
    'bind -T t2 b command-prompt -I "#W" { rename-window "%%" }',
    `bind -T t2 c { display "{" ; display '}' }`,
    'bind R {\n display block\n if -F 1 {\n display yes\n } {\n display no\n }\n}',
  ].join('\n'),
  wa: 'display -p a ;; display -p b',
  wb: '; display -p a',
  wc: 'display -p ${',
  wd: 'display -p ${x',
  we: 'display -p "\\u41"',
  wf: 'display -p ~nouser/x',
  wg: 'display -p "x\\18"',
  wh: 'display -p x ;\nA=1 ; display -p "a${}b${A}"',
  wi: 'display -p "\\U41"',
  wj: 'display -p ~root/x "~root"',
  wk: 'if -F 1 { display -p y ; }\ndisplay -p "\\101\\u00e9"',
  wl: 'display -p "\\477"',
  lines: 'if -F 1 { has -t nope ; set -g @x 1 \n set -g @y 1 }\nset -g @z 1',
};

const GROUPS = readFileSync(new URL('cases.txt', import.meta.url), 'utf8')
  .split('\n---\n')
  .map((group) => group.split('\n').filter((line) => line !== '' && !line.startsWith('#')));

for (const [place, lines] of GROUPS.entries()) {
  itNeeds('tmux')(`group ${place}, from "${lines[0]}", is answered as tmux answers it`, async () => {
    const real = tmuxOf(findProgram('tmux') ?? 'tmux');
    const door = tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });
    for (const [name, text] of Object.entries(FILES))
      for (const { cwd } of [real, door]) writeFileSync(join(cwd, `${name}.conf`), text);
    const left: string[] = [];
    const right: string[] = [];
    for (const line of lines) {
      if (line === GONE) {
        await gone(real);
        await gone(door);
        continue;
      }
      left.push(`${line} -> ${compared(await real(...wordsOf(line)))}`);
      right.push(`${line} -> ${compared(await door(...wordsOf(line)))}`);
    }
    expect(right).toEqual(left);
  });
}
