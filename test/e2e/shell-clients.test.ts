/** Clients made of ordinary programs: they close their writing side first, and read until the end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { DIST, request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
  await request(daemon, { cmd: 'create', name: 'shell', cmd_args: ['cat'] });
});
afterAll(() => daemon.stop());

async function pipe(program: string, args: string[], input: string): Promise<Buffer> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
  return Buffer.concat(chunks);
}

describe.each([
  ['socat', () => [requireProgram('socat'), ['-t', '5', '-', `UNIX-CONNECT:${daemon.socketPath}`]] as const],
  ['nc -N', () => [requireProgram('nc'), ['-N', '-U', daemon.socketPath]] as const],
])('%s', (name, command) => {
  const test = itNeeds(name.split(' ')[0] ?? name);
  test('gets the reply to a request after it has closed its writing side', async () => {
    const [program, args] = command();
    const output = await pipe(program, [...args], '{"cmd":"list"}\n');
    expect(JSON.parse(output.toString())).toMatchObject({ ok: true });
  });

  test('gets a complete picture', async () => {
    const [program, args] = command();
    const output = await pipe(program, [...args], '{"cmd":"screenshot","id":"shell"}\n');
    const header = JSON.parse(output.subarray(0, output.indexOf('\n')).toString()) as { len: number };
    expect(output.length - output.indexOf('\n') - 1).toBe(header.len);
  });

  test('gets the reply to a last line without a newline', async () => {
    const [program, args] = command();
    const output = await pipe(program, [...args], '{"cmd":"ping"}');
    expect(JSON.parse(output.toString())).toMatchObject({ ok: true });
  });
});

itNeeds('jq')('t4a events | jq --unbuffered .event shows each event as it happens', async () => {
  const script = `exec "$0" "$1" --socket "$2" events shell --types bell,title | "$3" --unbuffered -r .event`;
  const args = ['-c', script, process.execPath, path.join(DIST, 'cli.cjs'), daemon.socketPath, requireProgram('jq')];
  const pipeline = spawn('/bin/sh', args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    const lines = (async function* () {
      let text = '';
      for await (const chunk of pipeline.stdout) {
        text += String(chunk);
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
          yield text.slice(0, end);
          text = text.slice(end + 1);
        }
      }
    })();
    const first = lines.next();
    // The subscription has no fence of its own here: ring until the first one is heard.
    let heard = false;
    void first.then(() => (heard = true));
    while (!heard) await request(daemon, { cmd: 'send', id: 'shell', input: '\x07\n' });
    expect((await first).value).toBe('bell');
    await request(daemon, { cmd: 'send', id: 'shell', input: '\x1b]2;hello\x07\n' });
    for (let line = await lines.next(); line.value !== 'title'; line = await lines.next())
      expect(line.value).toBe('bell');
  } finally {
    process.kill(-(pipeline.pid ?? 0), 'SIGTERM');
  }
});
