/** Ten more tasks: long sessions, pagers, wizards, editors that other programs start, and menus. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startSshd } from '../../test/support/sshd.js';
import { seen } from './agent.js';
import { answers, isWrong, writer } from './checks.js';
import type { Task } from './task.js';

const sqlite: Task = {
  name: 'a session of sqlite3',
  programs: ['sqlite3'],
  prepare: () => answers('2 70'),
  async mcp(agent) {
    await agent.call('create', { name: 'q', cmd_args: ['sqlite3', 'shop.db'], wait: { for: 'sqlite>' } });
    const say = (text: string): Promise<string> =>
      agent.call('type', { id: 'q', text, submit: true, wait: { for: 'input' } });
    await say('create table items (name text, price int);');
    await say("insert into items values ('pen', 3), ('book', 20), ('lamp', 50);");
    seen(await say('selekt 1;'), /(near "selekt")/);
    seen(await say('.schema'), /(CREATE TABLE items)/);
    const sum = seen(await say('select count(*), sum(price) from items where price > 9;'), /(\d+)\|70/);
    await agent.call('type', { id: 'q', text: '.quit', submit: true, wait: { for: 'exit' }, observe: 'none' });
    return `${sum} 70`;
  },
  async tmux(agent) {
    await agent.bash("tmux send-keys -t w 'sqlite3 shop.db' Enter; screen w '^sqlite> *$'");
    const say = (text: string, pattern: string): Promise<string> =>
      agent.bash(
        `tmux send-keys -t w -l "${text.replace(/;$/, '\\;')}"; tmux send-keys -t w Enter; screen w '${pattern}'`,
      );
    await say('create table items (name text, price int);', 'int.;$');
    await say("insert into items values ('pen', 3), ('book', 20), ('lamp', 50);", '50.;$');
    seen(await say('selekt 1;', 'near'), /(near "selekt")/);
    seen(await say('.schema', '^CREATE'), /(CREATE TABLE items)/);
    const sum = seen(await say('select count(*), sum(price) from items where price > 9;', '[|]70'), /(\d+)\|70/);
    await agent.bash("tmux send-keys -t w .quit Enter; screen w '^[$]$' > /dev/null");
    return `${sum} 70`;
  },
};

function repository(directory: string, commits: readonly string[]): void {
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: directory, stdio: 'ignore' });
  git('init', '-q');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@example.com');
  git('config', 'core.pager', 'less');
  for (const subject of commits) {
    writeFileSync(path.join(directory, 'notes.txt'), `${subject}\n`);
    git('add', 'notes.txt');
    git('commit', '-qm', subject);
  }
}

const subjects = (directory: string): string =>
  execFileSync('git', ['log', '--format=%s'], { cwd: directory, encoding: 'utf8' }).trim().split('\n').join();

const pager: Task = {
  name: 'search in the pager of git log',
  programs: ['git', 'less'],
  prepare(directory) {
    repository(
      directory,
      Array.from({ length: 40 }, (_, i) => (i === 4 ? 'Bound the cache at 512 KiB' : `Change number ${i}`)),
    );
    return answers('512');
  },
  async mcp(agent) {
    const begun = { name: 'l', cmd_args: ['git', 'log'], wait: { for: 'settled' }, observe: 'none' };
    await agent.call('create', begun);
    const found = await agent.call('type', { id: 'l', text: '/Bound', submit: true, wait: { for: 'Bound the' } });
    await agent.call('press', { id: 'l', keys: ['q'], wait: { for: 'exit' }, observe: 'none' });
    return seen(found, /Bound the cache at (\d+)/);
  },
  async tmux(agent) {
    await agent.bash("tmux send-keys -t w 'git log' Enter; screen w '^:$' > /dev/null");
    const found = await agent.bash("tmux send-keys -t w /Bound Enter; screen w 'Bound the'");
    await agent.bash("tmux send-keys -t w q; screen w '^[$]$' > /dev/null");
    return seen(found, /Bound the cache at (\d+)/);
  },
};

const NEXT = ['test command:', 'git repository:', 'keywords:', 'author:', 'license:'];

const npmInit: Task = {
  name: 'the questions of npm init',
  programs: ['npm'],
  prepare: (directory) => ({
    fault: () => {
      const { name, license } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as Record<
        string,
        unknown
      >;
      return isWrong('the package', 'parcel MIT', `${String(name)} ${String(license)}`);
    },
  }),
  async mcp(agent) {
    await agent.call('create', { name: 'n', cmd_args: ['npm', 'init'], wait: { for: 'package name:' } });
    const say = (text: string, next: string): Promise<string> =>
      agent.call('type', { id: 'n', text, submit: true, wait: { for: next } });
    await say('parcel', 'version:');
    await agent.call('press', { id: 'n', keys: ['Enter'], wait: { for: 'description:' } });
    await say('A parcel', 'entry point:');
    // What comes before its question is lost.
    for (const next of NEXT.slice(0, -1))
      await agent.call('press', { id: 'n', keys: ['Enter'], wait: { for: next }, observe: 'none' });
    await agent.call('press', { id: 'n', keys: ['Enter'], wait: { for: 'license:' } });
    await say('MIT', 'type:');
    await say('module', 'Is this OK?');
    await say('yes', 'exit');
    return '';
  },
  async tmux(agent) {
    await agent.bash("tmux send-keys -t w 'npm init' Enter; screen w 'package name:'");
    const say = (text: string, next: string): Promise<string> =>
      agent.bash(`tmux send-keys -t w '${text}' Enter; screen w '${next}'`);
    await say('parcel', 'version:');
    await agent.bash("tmux send-keys -t w Enter; screen w 'description:'");
    await say('A parcel', 'entry point:');
    const loop = `for q in ${NEXT.map((next) => `'${next}'`).join(' ')}; do tmux send-keys -t w Enter; screen w "$q" > /dev/null; done`;
    await agent.bash(`${loop}; screen w license:`);
    await say('MIT', 'type:');
    await say('module', 'Is this OK');
    await say('yes', '^[$]$');
    return '';
  },
};

const rebaseNano: Task = {
  name: 'drop a commit by rebase in nano',
  programs: ['git', 'nano'],
  prepare(directory) {
    repository(directory, []);
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: directory, stdio: 'ignore' });
    git('config', 'core.editor', 'nano -I');
    for (const name of ['one', 'two', 'three']) {
      writeFileSync(path.join(directory, name), name);
      git('add', name);
      git('commit', '-qm', `Add ${name}`);
    }
    return { fault: () => isWrong('the history', 'Add three,Add one', subjects(directory)) };
  },
  async mcp(agent) {
    const begun = { name: 'r', cmd_args: ['git', 'rebase', '-i', '--root'], wait: { for: 'pick' } };
    seen(await agent.call('create', begun), /(Add two)/);
    seen(await agent.call('press', { id: 'r', keys: ['Down', 'Ctrl+K'] }), /(Add three)/);
    const end = { id: 'r', keys: ['Ctrl+O', 'Enter', 'Ctrl+X'], wait: { for: 'exit' } };
    seen(await agent.call('press', end), /(Successfully)/);
    return '';
  },
  async tmux(agent) {
    seen(await agent.bash("tmux send-keys -t w 'git rebase -i --root' Enter; screen w pick"), /(Add two)/);
    seen(await agent.bash('tmux send-keys -t w Down C-k; sleep 0.3; screen w pick'), /(Add three)/);
    seen(await agent.bash("tmux send-keys -t w C-o Enter C-x; screen w 'Successfully'"), /(Successfully)/);
    return '';
  },
};

const rebaseVim: Task = {
  name: 'reword a commit by rebase in vim',
  programs: ['git', 'vim'],
  prepare(directory) {
    repository(directory, ['Frist', 'Second']);
    execFileSync('git', ['config', 'core.editor', 'vim -u NONE'], { cwd: directory });
    return { fault: () => isWrong('the history', 'Second,First', subjects(directory)) };
  },
  async mcp(agent) {
    const begun = { name: 'r', cmd_args: ['git', 'rebase', '-i', '--root'], wait: { for: 'Frist' } };
    seen(await agent.call('create', begun), /(pick \w+ Frist)/);
    const next = { id: 'r', text: ':1s/pick/reword/ | wq', submit: true, wait: { for: 'Please enter' } };
    seen(await agent.call('type', next), /(Frist)/);
    const end = { id: 'r', text: ':%s/Frist/First/ | wq', submit: true, wait: { for: 'exit' } };
    seen(await agent.call('type', end), /(Successfully)/);
    return '';
  },
  async tmux(agent) {
    seen(await agent.bash("tmux send-keys -t w 'git rebase -i --root' Enter; screen w Frist"), /(pick \w+ Frist)/);
    seen(await agent.bash("tmux send-keys -t w ':1s/pick/reword/ | wq' Enter; screen w 'Please enter'"), /(Frist)/);
    seen(
      await agent.bash("tmux send-keys -t w ':%s/Frist/First/ | wq' Enter; screen w Successfully"),
      /(Successfully)/,
    );
    return '';
  },
};

const ssh: Task = {
  name: 'an unknown host by ssh',
  programs: ['ssh', 'sshd', 'ssh-keygen'],
  async prepare(directory) {
    const folder = path.join(path.dirname(directory), 'sshd');
    mkdirSync(folder);
    const program = execFileSync('which', ['sshd'], { encoding: 'utf8' }).trim();
    const server = await startSshd(folder, program, undefined);
    const options = `-o IdentityFile=${folder}/user-key -o IdentitiesOnly=yes -o UserKnownHostsFile=${folder}/known`;
    const login = `${server.username}@127.0.0.1`;
    writer(directory)('box', `#!/bin/sh\nexec ssh -F /dev/null ${options} -p ${server.port} -t ${login} bash --norc\n`);
    chmodSync(path.join(directory, 'box'), 0o755);
    return { ...answers('42, 7'), dispose: () => void server.stop() };
  },
  async mcp(agent) {
    const asked = await agent.call('create', { name: 'b', cmd_args: ['./box'], wait: { for: 'input' } });
    seen(asked, /(fingerprint)/);
    await agent.call('type', { id: 'b', text: 'yes', submit: true, wait: { for: 'bash-' } });
    const told = await agent.call('type', { id: 'b', text: 'echo $((6 * 7))', submit: true, wait: { for: '42' } });
    const end = await agent.call('type', { id: 'b', text: 'exit 7', submit: true, wait: { for: 'exit' } });
    return `${seen(told, /^(?:\d+: )?(42)$/m)}, ${seen(end, /exit code (\d)/)}`;
  },
  async tmux(agent) {
    seen(
      await agent.bash("tmux send-keys -t w './box; echo exit:$?' Enter; screen w 'fingerprint.[)]'"),
      /(fingerprint)/,
    );
    await agent.bash("tmux send-keys -t w yes Enter; screen w '^bash-.*[$#] *$'");
    const told = await agent.bash("tmux send-keys -t w 'echo $((6 * 7))' Enter; screen w '^42$'");
    const end = await agent.bash("tmux send-keys -t w 'exit 7' Enter; screen w 'exit:[0-9]'");
    return `${seen(told, /^(42)$/m)}, ${seen(end, /exit:(\d)/)}`;
  },
};

const whiptail: Task = {
  name: 'a menu of whiptail',
  programs: ['whiptail'],
  prepare(directory) {
    const menu = 'whiptail --menu "Boot which kernel?" 15 50 5 a stable b longterm c mainline d rescue';
    writer(directory)('pick', `#!/bin/sh\n${menu} 2> picked\n`, 0o755);
    return { fault: () => isWrong('what was picked', 'c', readFileSync(path.join(directory, 'picked'), 'utf8')) };
  },
  async mcp(agent) {
    const begun = await agent.call('create', { name: 'w', cmd_args: ['./pick'], wait: { for: 'rescue' } });
    seen(begun, /⟦(a stable)/);
    seen(await agent.call('press', { id: 'w', keys: ['Down', 'Down'] }), /⟦(c mainline)/);
    await agent.call('press', { id: 'w', keys: ['Enter'], wait: { for: 'exit' }, observe: 'none' });
    return '';
  },
  async tmux(agent) {
    seen(await agent.bash('tmux send-keys -t w ./pick Enter; screen w rescue'), /(a +stable)/);
    // The pane as text does not show what is selected.
    await agent.bash('tmux send-keys -t w Down Down; screen w mainline');
    await agent.bash("tmux send-keys -t w Enter; screen w '^[$]$' > /dev/null");
    return '';
  },
};

const mc: Task = {
  name: 'look at a file in mc',
  programs: ['mc'],
  prepare(directory) {
    const write = writer(directory);
    write('a.txt', 'nothing\n');
    write('b.txt', 'the answer is 4711\n');
    return answers('4711');
  },
  async mcp(agent) {
    const begun = { name: 'm', cmd_args: ['mc', '-u'], wait: { for: 'b.txt' } };
    seen(await agent.call('create', begun), /(b\.txt)/);
    const shown = await agent.call('press', { id: 'm', keys: ['Down', 'Down', 'F3'], wait: { for: 'answer is' } });
    await agent.call('kill', { id: 'm' });
    return seen(shown, /answer is (\d+)/);
  },
  async tmux(agent) {
    seen(await agent.bash("tmux send-keys -t w 'mc -u' Enter; screen w 'b.txt'"), /(b\.txt)/);
    const shown = await agent.bash("tmux send-keys -t w Down Down F3; screen w 'answer is'");
    await agent.bash('tmux kill-session -t w');
    return seen(shown, /answer is (\d+)/);
  },
};

const fzf: Task = {
  name: 'pick a line with fzf',
  programs: ['fzf'],
  prepare(directory) {
    const text = Array.from({ length: 300 }, (_, i) => `host-${i * 37}.example.com\n`).join('');
    writer(directory)('hosts', text);
    return {
      fault: () => isWrong('the pick', 'host-4662.example.com\n', readFileSync(path.join(directory, 'p'), 'utf8')),
    };
  },
  async mcp(agent) {
    await agent.call('create', { name: 'f', command: 'fzf < hosts > p', wait: { for: '300/300' }, observe: 'none' });
    const found = await agent.call('type', { id: 'f', text: '4662', wait: { for: '1/300' } });
    seen(found, /(host-4662)/);
    await agent.call('press', { id: 'f', keys: ['Enter'], wait: { for: 'exit' }, observe: 'none' });
    return '';
  },
  async tmux(agent) {
    await agent.bash("tmux send-keys -t w 'fzf < hosts > p' Enter; screen w 300/300 > /dev/null");
    seen(await agent.bash("tmux send-keys -t w 4662; screen w ' 1/300'"), /(host-4662)/);
    await agent.bash("tmux send-keys -t w Enter; screen w '^[$]$' > /dev/null");
    return '';
  },
};

const pytest: Task = {
  name: 'a failing test in pytest --pdb',
  programs: ['python3'],
  prepare(directory) {
    writer(directory)(
      'test_cart.py',
      'def total(prices, percent):\n    return sum(prices) * percent // 100\n\n\ndef test_total():\n    prices = [20, 30, 50]\n    percent = 91\n    assert total(prices, percent) == 90\n',
    );
    return answers('91, 1');
  },
  async mcp(agent) {
    const begun = { name: 't', command: 'python3 -m pytest -q --pdb', wait: { for: '(Pdb)' } };
    seen(await agent.call('create', begun), /(assert 91 == 90)/);
    const value = await agent.call('type', { id: 't', text: 'p percent', submit: true, wait: { for: 'input' } });
    const end = await agent.call('type', { id: 't', text: 'q', submit: true, wait: { for: 'exit' } });
    return `${seen(value, /^(?:\d+: )?(\d+)$/m)}, ${seen(end, /(\d) failed/)}`;
  },
  async tmux(agent) {
    const begun = await agent.bash("tmux send-keys -t w 'python3 -m pytest -q --pdb' Enter; screen w '^.Pdb. *$'");
    seen(begun, /(assert 91 == 90)/);
    const value = await agent.bash("tmux send-keys -t w 'p percent' Enter; screen w '^[0-9]+$'");
    const end = await agent.bash("tmux send-keys -t w q Enter; screen w '1 failed'");
    return `${seen(value, /^(\d+)$/m)}, ${seen(end, /(\d) failed/)}`;
  },
};

export const MORE_TASKS: readonly Task[] = [
  sqlite,
  pager,
  npmInit,
  rebaseNano,
  rebaseVim,
  ssh,
  whiptail,
  mc,
  fzf,
  pytest,
];
