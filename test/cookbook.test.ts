/** The code in README.md runs, with the results shown; in a trial also that in the pages of docs/ with recipes. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOwnersConfig } from '../src/daemon/config-sources.js';
import { CLI, runCli } from './support/cli.js';
import { consumer, readRoot, ROOT, type Consumer } from './support/consumer.js';
import { endDaemonAt } from './support/end-daemon.js';
import { itNeeds, requireProgram } from './support/programs.js';
import { casesOf, inTrial } from './support/trial.js';

/** Stands for the one that would need another machine. */
const SSH = `#!/bin/sh
printf "admin@example.com's password: "
stty -echo; read -r password; stty echo
echo
[ "$password" = hunter2 ] || { echo 'Permission denied'; exit 1; }
echo 'Welcome to example.com'; cat
`;

const BUGGY = `def average(values):
    return sum(values) / len(values)

print(average([]))
`;

/** In another window: it is looked at there until it shows the terminal, and left. */
const inWindow = (shown: string, leave: string): string => `#!/bin/sh
REAL create --name window -- t4a-real "$@" > /dev/null
REAL wait window --text '${shown}' --timeout 20000 > /dev/null
REAL press window ${leave}
REAL wait window --exit --timeout 20000 > /dev/null
REAL kill window
`;

/** Stands for what was done before: the package is installed and built, and the tests are these. */
const NPM = `#!/bin/sh
case "$*" in ci | test) ;; *) exit 64 ;; esac
`;

/** Stands for the program, which needs a model: what version 2.1 asks of tmux for a team of two, with teammates that wait. */
const CLAUDE = `#!/bin/sh
[ "$*" = '--teammate-mode tmux' ] || exit 64
tmux() { command tmux -S "\${TMUX%%,*}" "$@"; }
echo '? for shortcuts'; read -r prompt
window=$(tmux display-message -t "$TMUX_PANE" -p '#{window_id}')
first=$(tmux split-window -d -t "$TMUX_PANE" -h -l 70% -P -F '#{pane_id}' -- cat)
tmux select-pane -t "$first" -T reader1
tmux set-option -w -t "$window" pane-border-status top
second=$(tmux split-window -d -t "$first" -v -P -F '#{pane_id}' -- cat)
tmux select-layout -t "$window" main-vertical
for pane in $first $second; do
  tmux set-option -p -t "$pane" remain-on-exit failed
  tmux respawn-pane -k -t "$pane" -- 'cd / && exec cat'
done
exec cat
`;

/** What the recipes take for granted. */
function workplace(): Consumer {
  const place = consumer();
  onTestFinished(() => endDaemonAt(place.socketPath));
  const program = (name: string, text: string): void => {
    writeFileSync(place.join(name), text);
    chmodSync(place.join(name), 0o755);
  };
  program('t4a-real', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  const real = place.join('t4a-real');
  program('t4a-view', inWindow('q: leave', 'q').replaceAll('REAL', real));
  program('t4a-attach', inWindow('^B ?', 'Ctrl+B d').replaceAll('REAL', real));
  program('t4a', `#!/bin/sh\ncase "$1" in view | attach) exec "t4a-$1" "$@" ;; esac\nexec t4a-real "$@"\n`);
  program('npm', NPM);
  program('npx', '#!/bin/sh\nexec "$@"\n');
  program('ssh', SSH);
  program('claude', CLAUDE);
  writeFileSync(place.join('buggy.py'), BUGGY);
  writeFileSync(place.join('Makefile'), 'all:\n\t@echo compiling; echo done\ntest:\n\t@echo passed\n');
  const words = ['alpha', ...Array.from({ length: 50 }, (_, i) => `word ${i}`), 'omega', ''];
  writeFileSync(place.join('words.txt'), words.join('\n'));
  const lines = [
    { version: 3, term: { cols: 60, rows: 10 } },
    [1, 'o', 'ready\r\n'],
    [1, 'o', 'Error: no such file\r\n'],
  ];
  writeFileSync(place.join('bug.cast'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const git = (...args: string[]): void => {
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: place.path });
  };
  git('init', '-q');
  git('add', 'Makefile');
  git('commit', '-qm', 'first');
  writeFileSync(place.join('Makefile'), 'all test:\n\t@echo compiling; echo finished\n');
  return place;
}

function blocks(page: string, language: string): { title: string; code: string }[] {
  return readRoot(page)
    .split(/^## /m)
    .flatMap((section) =>
      [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code], i) => ({
        title: `${section.split('\n')[0]}${i === 0 ? '' : ` (${i + 1})`}`,
        code: code ?? '',
      })),
    );
}

/** A person's line has the prompt before it, and the answer below: that is another test's. */
const isTyped = ({ code }: { code: string }): boolean => code.startsWith('$ ');

const isFirst = (page: string): boolean => page === 'README.md';
const shellBlocks = casesOf(
  ['README.md', 'docs/cookbook.md', 'docs/guide.md', 'docs/agents.md', 'docs/ci.md', 'docs/background.md'],
  isFirst,
)
  .flatMap((page) => blocks(page, 'sh'))
  .filter((block) => !isTyped(block));
const moduleBlocks = casesOf(['README.md', 'docs/guide.md'], isFirst).flatMap((page) => blocks(page, 'ts'));

test('the pages contain only kinds of code blocks that this file tests', () => {
  const kinds = (page: string): string[] => [
    ...new Set([...readRoot(page).matchAll(/^```(\w*)\n[^]*?^```$/gm)].map(([, kind]) => kind ?? '')),
  ];
  expect(kinds('README.md')).toEqual(['sh', 'python', 'ts']);
  expect(kinds('docs/guide.md')).toEqual(['sh', 'ts', 'json']);
  expect(kinds('docs/cookbook.md')).toEqual(['sh', 'ts']);
  expect(kinds('docs/agents.md')).toEqual(['sh']);
  expect(kinds('docs/background.md')).toEqual(['sh']);
  expect(kinds('docs/ci.md')).toEqual(['sh', 'yaml']);
  expect(kinds('docs/first-five-minutes.md')).toEqual(['sh', 'text']);
});

describe('a shell example', () => {
  itNeeds('bash', 'python3', 'git', 'make').each(shellBlocks)('$title runs without an error', async ({ code }) => {
    // The package of tmuxp brings libtmux for Debian's Python.
    if (code.includes('import libtmux')) requireProgram('tmuxp');
    const place = workplace();
    const env = {
      TMUX: '',
      TMUX_TMPDIR: place.path,
      PATH: `${place.path}:${process.env['PATH']}`,
      XDG_CONFIG_HOME: place.path,
      ADMIN_PASSWORD: 'hunter2',
    };
    const { status, output } = await place.run('bash', ['-euo', 'pipefail', '-c', code], env);
    expect(status, output).toBe(0);
  });

  inTrial(() => {
    itNeeds('less')('"Testing a TUI in CI" passes as a vitest test', async () => {
      const place = workplace();
      const [recipe] = blocks('docs/cookbook.md', 'ts');
      writeFileSync(place.join('tui.test.ts'), recipe?.code ?? '');
      const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
      const { status, output } = await place.run(process.execPath, [vitest, 'run', '--root', place.path], { CI: '' });
      expect(status, output).toBe(0);
      expect(output).toContain('1 passed');
    });
  });
});

describe('a TypeScript example', () => {
  itNeeds('bash', 'python3', 'htop').each(moduleBlocks)('$title runs without an error', async ({ code }) => {
    const place = workplace();
    await place.add('example.js', code);
    const { status, output } = await place.run(process.execPath, ['example.js']);
    expect(status, output).toBe(0);
  });
});

describe('README.md', () => {
  const [typed] = blocks('README.md', 'sh').filter(isTyped);
  const [bySocket, byClient] = blocks('README.md', 'python');

  itNeeds(
    'bash',
    'nc',
    'htop',
  )('the reply to the request by nc has the fields shown', async () => {
    const place = workplace();
    expect((await runCli(['list'], { socketPath: place.socketPath })).status).toBe(0);
    const [command = '', shown = ''] = (typed?.code ?? '').split('\n');
    const code = command.slice('$ '.length).replace('/tmp/t4a.sock', place.socketPath);
    const { status, output } = await place.run('bash', ['-euo', 'pipefail', '-c', code]);
    expect(status, output).toBe(0);
    const answer = JSON.parse(output) as object;
    expect(answer).toMatchObject({ ok: true, id: 't1', cols: 80, rows: 24 });
    expect(Object.keys(answer)).toEqual(Object.keys(JSON.parse(shown) as object));
  });

  itNeeds('python3')('the Python lines for the socket take a picture', async () => {
    const place = workplace();
    expect((await runCli(['create', 'cat'], { socketPath: place.socketPath })).stdout).toBe('t1\n');
    const code = (bySocket?.code ?? '').replace('/tmp/t4a.sock', place.socketPath);
    const check = 'assert reply["ok"] and png[:4] == b"\\x89PNG" and len(png) == reply["len"], reply';
    expect(await place.run('python3', ['-c', `${code}\n${check}`])).toEqual({ status: 0, output: '' });
  });

  itNeeds('python3', 'htop')('the lines for the Python client write a picture', async () => {
    const place = workplace();
    const env = { PATH: `${place.path}:${process.env['PATH']}`, PYTHONPATH: path.join(ROOT, 'clients/python') };
    const { status, output } = await place.run('python3', ['-B', '-c', byClient?.code ?? ''], env);
    expect(status, output).toBe(0);
    expect(readFileSync(place.join('htop.png')).subarray(1, 4).toString()).toBe('PNG');
  });
});

test('the configuration in the guide is read with all its values', () => {
  const [example] = blocks('docs/guide.md', 'json');
  const place = consumer();
  mkdirSync(place.join('t4a'));
  writeFileSync(place.join('t4a/config.json'), example?.code ?? '');
  const { values, socket } = readOwnersConfig({ XDG_CONFIG_HOME: place.path }, '/nowhere');
  expect({ values, socket }).toEqual({ values: { theme: 'light', scrollback: 5000 }, socket: '/home/me/.t4a.sock' });
});

inTrial(() => {
  itNeeds('bash', 'python3')(
    'the output in docs/first-five-minutes.md is current ("node scripts/transcript.mjs" writes it)',
    async () => {
      const place = workplace();
      const page = readRoot('docs/first-five-minutes.md');
      // The other one of Python 3.13 begins with a blank line.
      const own = { HOME: place.path, XDG_CONFIG_HOME: place.path, LC_ALL: 'C.UTF-8', PYTHON_BASIC_REPL: '1' };
      const env = { ...own, PATH: `${place.path}:${process.env['PATH']}` };
      // A person's terminal, in a daemon beside the one that is spoken to.
      const window = place.join('window');
      onTestFinished(() => endDaemonAt(window));
      const steps = [...page.matchAll(/```sh\n([^]*?)```\n(?:\n```text\n([^]*?)```\n)?/g)];
      expect(steps.length).toBeGreaterThan(8);
      for (const [, commands = '', shown = ''] of steps) {
        const shell = ['env', `T4A_SOCKET=${place.socketPath}`, 'bash', '--norc', '-euc', commands];
        const { output } = await place.run(
          place.join('t4a-real'),
          ['--socket', window, 'run', '--cols', '110', '--', ...shell],
          env,
        );
        expect(timeless(output), commands).toBe(timeless(shown));
      }
      // That of the other depends on the version of Python.
      const listing = readFileSync(path.join(ROOT, 'docs/first-five-minutes/listing.png'));
      expect(readFileSync(place.join('listing.png')).equals(listing)).toBe(true);
    },
  );
});

/** Without what differs: times, revisions, and the width of their columns. */
function timeless(text: string): string {
  return text
    .replaceAll(/^(elapsed_ms|rev) +\d+$/gm, '$1 #')
    .replaceAll(/ \d+m?s /g, ' # ')
    .replaceAll(/ running +\w+ /g, ' running # ')
    .replaceAll(/ +/g, ' ')
    .trimEnd();
}
