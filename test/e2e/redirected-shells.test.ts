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
