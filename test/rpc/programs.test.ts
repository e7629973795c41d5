import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { itNeeds, requireProgram } from '../support/programs.js';
import { gate, serve } from '../support/serve.js';

/** Feeds a program its input, closes that, and gives what it printed. */
async function run(program: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(requireProgram(program), args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number];
  expect(status).toBe(0);
  return Buffer.concat(said).toString();
}

describe('programs that close their writing side first', () => {
  test.each([
    ['socat', (path: string) => ['-', `UNIX-CONNECT:${path}`]],
    ['nc', (path: string) => ['-N', '-U', path]],
  ])('%s gets its reply', async (program, args) => {
    const { socketPath } = await serve();
    expect(await run(program, args(socketPath), '{"cmd":"list"}\n')).toBe('{"ok":true,"terminals":[]}\n');
  });

  itNeeds('nc')('nc gets a reply that takes its time', async () => {
    const asked = gate();
    const { socketPath } = await serve({
      async send() {
        asked.open();
        await new Promise(setImmediate);
        return { reply: {} };
      },
    });
    const printed = run('nc', ['-N', '-U', socketPath], '{"cmd":"send","id":"t1","input":"x"}\n{"cmd":"list"}');
    await asked.promise;
    expect(await printed).toBe('{"ok":true}\n{"ok":true,"terminals":[]}\n');
  });
});
