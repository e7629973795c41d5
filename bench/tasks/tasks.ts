/** Twenty things that agents do in terminals. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { seen } from './agent.js';
import { answers, isWrong, writer } from './checks.js';
import { MORE_TASKS } from './more-tasks.js';
import type { Task } from './task.js';

const vim: Task = {
  name: 'fix a test in vim',
  programs: ['vim', 'python3'],
  prepare(directory) {
    const write = writer(directory);
    write('sums.py', 'def add(a, b):\n    return a - b\n\n\ndef double(a):\n    return add(a, a)\n');
    write('test_sums.py', 'from sums import double\n\nassert double(4) == 8, double(4)\nprint("all passed")\n');
    return {
      fault: (answer) =>
        isWrong('the answer', 'all passed', answer) ??
        isWrong(
          'line 2',
          '    return a + b',
          readFileSync(path.join(directory, 'sums.py'), 'utf8').split('\n')[1] ?? '',
        ),
    };
  },
  async mcp(agent) {
    seen(await agent.call('run', { command: 'python3 test_sums.py' }), /(AssertionError: 0)/);
    seen(
      await agent.call('create', { name: 'v', cmd_args: ['vim', '-u', 'NONE', 'sums.py'], wait: { for: 'return' } }),
      /return (a - b)/,
    );
    const fixed = { id: 'v', text: ':%s/a - b/a + b/ | wq', submit: true, wait: { for: 'exit' }, observe: 'none' };
    await agent.call('type', fixed);
    return seen(await agent.call('run', { command: 'python3 test_sums.py' }), /(all passed)/);
  },
  async tmux(agent) {
    seen(await agent.bash('python3 test_sums.py'), /(AssertionError: 0)/);
    seen(await agent.bash(`tmux send-keys -t w 'vim -u NONE sums.py' Enter; screen w 'return'`), /return (a - b)/);
    const fixed = "tmux send-keys -t w ':%s/a - b/a + b/ | wq' Enter; screen w '^[$]$' > /dev/null";
    return seen(await agent.bash(`${fixed}; python3 test_sums.py`), /(all passed)/);
  },
};

const addPatch: Task = {
  name: 'stage one of two changes with git add -p',
  programs: ['git'],
  prepare(directory) {
    const write = writer(directory);
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: directory,
        encoding: 'utf8',
      });
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const text = (): string => `${lines.join('\n')}\n`;
    write('notes.txt', text());
    git('init', '-q');
    git('add', 'notes.txt');
    git('commit', '-qm', 'first');
    lines[2] = 'print("debugging")';
    lines[35] = 'the fix';
    write('notes.txt', text());
    return {
      fault: () => {
        const staged = git('diff', '--cached', '-U0')
          .split('\n')
          .filter((line) => /^\+(?!\+)/.test(line));
        return isWrong('what is staged', '+the fix', staged.join());
      },
    };
  },
  async mcp(agent) {
    const first = { name: 'p', cmd_args: ['git', 'add', '-p'], wait: { for: '(1/2)' } };
    seen(await agent.call('create', first), /(\+print\("debugging"\))/);
    const second = { id: 'p', text: 'n', submit: true, wait: { for: '(2/2)' } };
    seen(await agent.call('type', second), /(\+the fix)/);
    await agent.call('type', { id: 'p', text: 'y', submit: true, wait: { for: 'exit' }, observe: 'none' });
    return '';
  },
  async tmux(agent) {
    seen(await agent.bash(`tmux send-keys -t w 'git add -p' Enter; screen w '1/2'`), /(\+print\("debugging"\))/);
    seen(await agent.bash("tmux send-keys -t w n Enter; screen w '2/2'"), /(\+the fix)/);
    await agent.bash("tmux send-keys -t w y Enter; screen w '^[$]$' > /dev/null");
    return '';
  },
};

const gdb: Task = {
  name: 'a value in gdb',
  programs: ['gdb', 'gcc'],
  prepare(directory) {
    writer(directory)(
      'count.c',
      '#include <stdio.h>\nint main(void) {\n  int total = 0;\n  for (int i = 1; i <= 20; i++)\n    total += i * i;\n  printf("done\\n");\n  return 0;\n}\n',
    );
    execFileSync('gcc', ['-g', '-O0', '-o', 'count', 'count.c'], { cwd: directory });
    return answers('2870');
  },
  async mcp(agent) {
    const begun = { name: 'g', cmd_args: ['gdb', '-q', 'count'], wait: { for: '(gdb)' }, observe: 'none' };
    await agent.call('create', begun);
    await agent.call('type', {
      id: 'g',
      text: 'break 6',
      submit: true,
      wait: { for: 'Breakpoint 1' },
      observe: 'none',
    });
    await agent.call('type', { id: 'g', text: 'run', submit: true, wait: { for: 'Breakpoint 1, ' }, observe: 'none' });
    const value = await agent.call('type', { id: 'g', text: 'print total', submit: true, wait: { for: '$1 =' } });
    await agent.call('kill', { id: 'g' });
    return seen(value, /\$1 = (\d+)/);
  },
  async tmux(agent) {
    await agent.bash(`tmux send-keys -t w 'gdb -q count' Enter; screen w '^.gdb. *$' > /dev/null`);
    await agent.bash("tmux send-keys -t w 'break 6' Enter; screen w 'Breakpoint 1' > /dev/null");
    await agent.bash("tmux send-keys -t w run Enter; screen w 'Breakpoint 1, ' > /dev/null");
    const value = await agent.bash("tmux send-keys -t w 'print total' Enter; screen w '^[$]1 ='");
    await agent.bash('tmux kill-session -t w');
    return seen(value, /\$1 = (\d+)/);
  },
};

const pdb: Task = {
  name: 'a value in pdb',
  programs: ['python3'],
  prepare(directory) {
    writer(directory)(
      'prices.py',
      'prices = {"a": 17, "b": 25}\ntotal = 0\nfor name in prices:\n    total += prices[name] * 3\nprint("done")\n',
    );
    return answers('126');
  },
  async mcp(agent) {
    const begun = {
      name: 'd',
      cmd_args: ['python3', '-m', 'pdb', 'prices.py'],
      wait: { for: '(Pdb)' },
      observe: 'none',
    };
    await agent.call('create', begun);
    await agent.call('type', { id: 'd', text: 'until 5', submit: true, wait: { for: '(5)' }, observe: 'none' });
    const value = await agent.call('type', {
      id: 'd',
      text: 'p "total", total',
      submit: true,
      wait: { for: "('total'" },
    });
    await agent.call('kill', { id: 'd' });
    return seen(value, /\('total', (\d+)\)/);
  },
  async tmux(agent) {
    await agent.bash(`tmux send-keys -t w 'python3 -m pdb prices.py' Enter; screen w '^.Pdb. *$' > /dev/null`);
    await agent.bash("tmux send-keys -t w 'until 5' Enter; screen w '[(]5[)]' > /dev/null");
    const value = await agent.bash(`tmux send-keys -t w 'p "total", total' Enter; screen w "^.'total'"`);
    await agent.bash('tmux kill-session -t w');
    return seen(value, /\('total', (\d+)\)/);
  },
};

const htop: Task = {
  name: 'find a process in htop',
  programs: ['htop', 'bash'],
  prepare() {
    const needle = spawn('bash', ['-c', 'exec -a needle-in-stack sleep 600'], { stdio: 'ignore' });
    return {
      fault: (answer) => isWrong('the answer', String(needle.pid), answer),
      dispose: () => void needle.kill('SIGKILL'),
    };
  },
  async mcp(agent) {
    await agent.call('create', { name: 'h', cmd_args: ['htop'], wait: { for: 'F4' }, observe: 'none' });
    await agent.call('press', { id: 'h', keys: ['F4'], wait: { for: 'Filter:' }, observe: 'none' });
    const filtered = await agent.call('type', { id: 'h', text: 'needle-in', wait: { for: 'needle-in-stack' } });
    await agent.call('kill', { id: 'h' });
    return seen(filtered, /^ *(\d+) .*needle-in-stack/m);
  },
  async tmux(agent) {
    await agent.bash(`tmux send-keys -t w htop Enter; screen w F4 > /dev/null`);
    await agent.bash("tmux send-keys -t w F4; screen w 'Filter:' > /dev/null");
    const filtered = await agent.bash('tmux send-keys -t w needle-in; screen w needle-in-stack');
    await agent.bash('tmux kill-session -t w');
    return seen(filtered, /^ *(\d+) .*needle-in-stack/m);
  },
};

const make: Task = {
  name: 'why make fails',
  programs: ['make'],
  prepare(directory) {
    const steps = Array.from({ length: 30 }, (_, i) => `\t@echo "  CC  module_${i}.o"\n`).join('');
    writer(directory)(
      'Makefile',
      `all:\n${steps}\t@echo "module_30.c:12:5: error: unknown type name 'sice_t'" >&2; exit 1\n`,
    );
    return answers('sice_t, 2');
  },
  async mcp(agent) {
    const output = await agent.call('run', { command: 'make' });
    return `${seen(output, /unknown type name '(\w+)'/)}, ${seen(output, /^Exit code (\d+)/)}`;
  },
  async tmux(agent) {
    const output = await agent.bash(`tmux send-keys -t w 'make; echo exit:$?' Enter; screen w 'exit:[0-9]'`);
    return `${seen(output, /unknown type name '(\w+)'/)}, ${seen(output, /^exit:(\d+)/m)}`;
  },
};

const question: Task = {
  name: 'a question by surprise',
  programs: ['sh'],
  prepare(directory) {
    const text = `#!/bin/sh\necho "copying 12 files"\nprintf "production.conf differs. Overwrite? [y/N] "\nread -r answer\necho "$answer" > answer\n[ "$answer" = n ] && echo "kept; deployed as release 77"\n`;
    writer(directory)('deploy', text, 0o755);
    return answers('77');
  },
  async mcp(agent) {
    const begun = await agent.call('run', { command: './deploy' });
    seen(begun, /(Overwrite\?)/);
    const id = seen(begun, /"id":"(\w+)"/);
    const ended = await agent.call('type', { id, text: 'n', submit: true, wait: { for: 'exit' } });
    return seen(ended, /release (\d+)/);
  },
  async tmux(agent) {
    // The helper returns when the pane is still for 2 s.
    seen(
      await agent.bash(`tmux send-keys -t w './deploy; echo exit:$?' Enter; screen w 'exit:[0-9]'`),
      /(Overwrite\?)/,
    );
    const ended = await agent.bash("tmux send-keys -t w n Enter; screen w 'exit:[0-9]'");
    return seen(ended, /release (\d+)/);
  },
};

const PASSWORD = 'hunter2-but-longer';

const password: Task = {
  name: 'a password',
  programs: ['python3'],
  prepare(directory) {
    const text = `import getpass\nif getpass.getpass("Password for admin: ") == "${PASSWORD}":\n    open("in", "w").close()\n    print("Welcome, admin")\n`;
    writer(directory)('login.py', text);
    return {
      fault: (answer) =>
        isWrong('the answer', 'Welcome, admin', answer) ??
        (existsSync(path.join(directory, 'in')) ? undefined : 'the password was not accepted'),
    };
  },
  async mcp(agent) {
    const begun = { name: 'l', cmd_args: ['python3', 'login.py'], wait: { for: 'input' } };
    seen(await agent.call('create', begun), /(Password)/);
    const typed = { id: 'l', text: PASSWORD, secret: true, submit: true, wait: { for: 'exit' } };
    return seen(await agent.call('type', typed), /(Welcome, admin)/);
  },
  async tmux(agent) {
    seen(
      await agent.bash(`tmux send-keys -t w 'python3 login.py; echo exit:$?' Enter; screen w '^Password'`),
      /(Password)/,
    );
    const typed = `tmux send-keys -t w -l '${PASSWORD}'; tmux send-keys -t w Enter; screen w 'exit:[0-9]'`;
    return seen(await agent.bash(typed), /(Welcome, admin)/);
  },
};

const lines: Task = {
  name: '100,000 lines of output',
  programs: ['seq'],
  prepare(directory) {
    writer(directory)(
      'check',
      '#!/bin/sh\nseq -f "checked block %.0f: ok" 1 100000\necho "bad blocks: 0"\nexit 3\n',
      0o755,
    );
    return answers('0, 3');
  },
  async mcp(agent) {
    const output = await agent.call('run', { command: './check' });
    return `${seen(output, /bad blocks: (\d+)/)}, ${seen(output, /^Exit code (\d+)/)}`;
  },
  async tmux(agent) {
    const output = await agent.bash(`tmux send-keys -t w './check; echo exit:$?' Enter; screen w 'exit:[0-9]'`);
    return `${seen(output, /bad blocks: (\d+)/)}, ${seen(output, /^exit:(\d+)/m)}`;
  },
};

const server: Task = {
  name: 'a dev server',
  programs: ['node', 'curl'],
  prepare(directory) {
    const text = `const { readFileSync } = require('node:fs');
const server = require('node:http').createServer((_request, response) => response.end(readFileSync('page.html')));
server.listen(0, '127.0.0.1', () => console.log('ready on http://127.0.0.1:' + server.address().port + '/'));
process.on('SIGINT', () => { console.log('bye'); process.exit(0); });
`;
    const write = writer(directory);
    write('serve.cjs', text);
    write('page.html', '<h1>release 12</h1>\n');
    return answers('12');
  },
  async mcp(agent) {
    const begun = { name: 's', cmd_args: ['node', 'serve.cjs'], wait: { for: 'ready on' } };
    const url = seen(await agent.call('create', begun), /ready on (\S+)/);
    const page = await agent.call('run', { command: `curl -s ${url}` });
    seen(await agent.call('press', { id: 's', keys: ['Ctrl+C'], wait: { for: 'exit' } }), /(bye)/);
    return seen(page, /release (\d+)/);
  },
  async tmux(agent) {
    const begun = await agent.bash(`tmux send-keys -t w 'node serve.cjs' Enter; screen w 'ready on'`);
    const page = await agent.bash(`curl -s ${seen(begun, /ready on (\S+)/)}`);
    seen(await agent.bash('tmux send-keys -t w C-c; screen w bye'), /(bye)/);
    return seen(page, /release (\d+)/);
  },
};

const FIRST: readonly Task[] = [vim, addPatch, gdb, pdb, htop, make, question, password, lines, server];

export const TASKS: readonly Task[] = [...FIRST, ...MORE_TASKS];
