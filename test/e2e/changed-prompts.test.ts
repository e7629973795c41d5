/** Prompts that people change at the prompt, as a virtual environment does, in shells that have no hooks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { NOT_HERE } from '../support/left-out.js';
import { itNeeds, requireProgram } from '../support/programs.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: '/no/such', HISTFILE: '/dev/null' } });
});
afterAll(() => daemon.stop());

const run = (id: unknown, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

/** Programs by the name under which they are such a shell. */
const SHELLS = { dash: 'dash', ash: 'busybox', mksh: 'mksh', ksh93: 'ksh93', sh: 'bash' };

for (const [name, program] of Object.entries(SHELLS)) {
  itNeeds(program)(`text before and behind the prompt of ${name} (${program}) is no output`, async () => {
    const link = path.join(daemon.dir, name);
    symlinkSync(requireProgram(program), link);
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [link], wait });
    for (const change of ['PS1="(venv) $PS1"', 'PS1="${PS1}more "', 'PS1="(a;b) $PS1"']) {
      expect(await run(id, change)).toMatchObject({ exit_code: 0, lines: [] });
      expect(await run(id, 'echo two; (exit 3)')).toMatchObject({ exit_code: 3, lines: ['two'] });
      expect(await run(id, 'printf abc')).toMatchObject({ exit_code: 0, lines: ['abc'] });
      const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
      expect(commands).toMatchObject([{ command: 'printf abc', code: 0 }]);
    }
  });
}

itNeeds('ksh93', 'strace')('a line waits for a shell that is slow to read after its prompt', async ({ skip }) => {
  const folder = path.join(daemon.dir, 'slow');
  mkdirSync(folder);
  const link = path.join(folder, 'ksh93');
  symlinkSync(requireProgram('ksh93'), link);
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const { id, pid } = await request(daemon, { cmd: 'create', cmd_args: [link], wait });
  // ksh93 sets the mode of the terminal between its prompt and its read: what comes before that is shown twice.
  const inject = ['-e', 'trace=ioctl', '-e', 'inject=ioctl:delay_enter=300000'];
  const tracer = spawn(requireProgram('strace'), ['-p', String(pid), '-o', '/dev/null', ...inject], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const [told] = (await once(tracer.stderr, 'data')) as [Buffer];
    if (told.includes('Operation not permitted')) skip(`${NOT_HERE}to trace a process`);
    for (const word of ['one', 'two']) {
      expect(await run(id, `printf ${word}`)).toMatchObject({ exit_code: 0, lines: [word] });
    }
  } finally {
    tracer.kill('SIGINT');
    await once(tracer, 'exit');
  }
});
