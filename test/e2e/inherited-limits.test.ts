/** The soft limit of open files of a program is that of the shell that started the daemon: Node raises its own. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CLI } from '../support/cli.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

itNeeds('prlimit')('a program has the soft limit of whoever started the daemon, and the hard one', () => {
  const dir = tempDir();
  const node = JSON.stringify(process.execPath);
  const script = `ulimit -Sn 512; export T4A_SOCKET=${dir.socketPath}
    ${node} ${CLI} run -- sh -c 'ulimit -Sn; ulimit -Hn'; ${node} ${CLI} shutdown`;
  const hard = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' });
  const out = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, HOME: dir.path } });
  expect(out.split('\n').slice(0, 2).join('\n')).toBe(`512\n${hard.trim()}`);
});

test.runIf(findProgram('prlimit') !== undefined)('restart keeps it', () => {
  const dir = tempDir();
  const t4a = `${JSON.stringify(process.execPath)} ${CLI}`;
  const script = `ulimit -Sn 512; export T4A_SOCKET=${dir.socketPath}
    ${t4a} create --name a -- sh -c 'ulimit -Sn; exec cat' > /dev/null; ${t4a} restart a > /dev/null
    ${t4a} wait a --text 512 > /dev/null; ${t4a} text a; ${t4a} shutdown`;
  const out = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, HOME: dir.path } });
  expect(out).toMatch(/^512$/m);
});
