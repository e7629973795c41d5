/** Shells whose standard error goes elsewhere: their prompts with it, and in bash what it prints before a command. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

async function shell(program: string): Promise<string> {
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const { id } = await request(daemon, { cmd: 'create', cmd_args: [program], wait });
  return String(id);
}

describe('after exec 2>/dev/null', () => {
  for (const program of ['bash', 'zsh']) {
    itNeeds(program)(`${program} has the lines and the status of each command`, async () => {
      const id = await shell(program);
      await run(id, 'exec 2>/dev/null');
      expect(await run(id, 'echo one; (exit 3)')).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['one'] });
      expect(await run(id, 'echo two')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['two'] });
      expect(await run(id, 'printf three')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['three'] });
      expect(await run(id, 'echo four')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['four'] });
    });
  }

  for (const program of ['dash', 'mksh', 'ksh93']) {
    itNeeds(program)(`${program} shows no prompt, the refusal says why, and its way out leads to one`, async () => {
      const id = await shell(program);
      expect(await run(id, 'exec 2>/dev/null')).toMatchObject({ outcome: 'done', exit_code: null });
      const refused = await run(id, 'echo one');
      expect(refused).toMatchObject({ code: 'no_shell_prompt' });
      expect(refused['error']).toContain('standard error');
      expect(refused['hint']).toContain(`t4a type ${id} 'exec 2>/dev/tty' --submit`);
      const wait = { until: { done: true }, timeout_ms: 20_000 };
      await request(daemon, { cmd: 'type', id, text: 'exec 2>/dev/tty', submit: true, wait });
      expect(await run(id, 'echo two')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['two'] });
    });
  }

  itNeeds('dash')('read of dash whose own errors go elsewhere is a question', async () => {
    const id = await shell('dash');
    expect(await run(id, 'read line 2>/dev/null')).toMatchObject({ outcome: 'awaiting_input' });
  });
});

describe('after its errors go through a program that is slow', () => {
  itNeeds('bash', 'python3')(
    'where the output of bash begins is unknown, and its typed line is none of it',
    async () => {
      const id = await shell('bash');
      const slow = 'import os, time\nwhile (read := os.read(0, 4096)): time.sleep(0.3); os.write(1, read)';
      await run(id, `PS1='rea''dy> '; exec 2> >(exec python3 -c '${slow}' >/dev/tty)`);
      await request(daemon, { cmd: 'wait', id, until: { text: 'ready>' }, timeout_ms: 20_000 });
      expect(await run(id, 'echo one')).toMatchObject({ outcome: 'done', exit_code: 0, lost_lines: null });
      expect(await request(daemon, { cmd: 'text', id, command: -1 })).toMatchObject({
        ok: false,
        error: expect.stringContaining('is unknown'),
      });
      expect(await request(daemon, { cmd: 'commands', id, last: 1 })).toMatchObject({
        commands: [{ command: 'echo one', code: 0 }],
      });
    },
  );
});
