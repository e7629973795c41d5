/** Input that the command line sends, as the program in the terminal receives it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { CLI } from '../support/cli.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { EventStream } from '../support/wait-for.js';

const cli = useCommandLine();

/** A program that shows the bytes it was given, in hexadecimal, once it rings. */
async function byteReader(bytes: number): Promise<{ id: string; shown: () => Promise<string> }> {
  const id = `bytes-${bytes}-${performance.now().toFixed(3)}`;
  const events = await EventStream.open(cli.daemon.socketPath);
  const script = `stty raw -echo; printf '\\a'; head -c ${bytes} | od -An -tx1 | tr -d '\\n'`;
  await cli.create('--name', id, 'sh', '-c', script);
  await events.until('bell', (event) => event['terminal'] === id);
  return {
    id,
    async shown() {
      await events.until('exit', (event) => event['terminal'] === id);
      events.close();
      return (await cli.output(['text', id])).trim();
    },
  };
}

describe('send', () => {
  test('reads escapes in its argument', async () => {
    const { id, shown } = await byteReader(5);
    expect(await cli.output(['send', id, '\\x1b[A\\n\\xff'])).toBe('');
    expect(await shown()).toBe('1b 5b 41 0a ff');
  });

  test('takes bytes in hexadecimal with --hex, and refuses what is none', async () => {
    const { id, shown } = await byteReader(4);
    await cli.output(['send', id, '--hex', '1b 5b41 0D']);
    expect(await shown()).toBe('1b 5b 41 0d');
    const wrong = await cli.t4a(['send', id, '--hex', '1b5']);
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
    expect(wrong.stderr).toContain('--hex');
  });

  test('reads no escapes with --raw', async () => {
    const { id, shown } = await byteReader(2);
    await cli.output(['send', id, '--raw', '\\n']);
    expect(await shown()).toBe('5c 6e');
  });

  test('accepts input that begins with a dash after "--"', async () => {
    const { id, shown } = await byteReader(2);
    await cli.output(['send', id, '--', '-n']);
    expect(await shown()).toBe('2d 6e');
  });

  test('sends any bytes of standard input unchanged', async () => {
    const { id, shown } = await byteReader(4);
    await cli.output(['send', id], { input: Uint8Array.of(0x5c, 0x6e, 0xff, 0x00) });
    expect(await shown()).toBe('5c 6e ff 00');
  });

  test.each(['send', 'type', 'paste'])(
    '%s refuses what is no terminal before it reads standard input',
    async (name) => {
      // Its standard input never ends.
      const child = spawn(process.execPath, [CLI, '--socket', cli.daemon.socketPath, name, 'nowhere']);
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      expect(await once(child, 'close')).toEqual([4, null]);
      expect(stderr).toContain('No terminal "nowhere".');
    },
  );

  test('refuses more standard input than one request may carry', async () => {
    const id = await cli.create('cat');
    const { status, stderr } = await cli.t4a(['send', id], { input: Buffer.alloc(1024 * 1024 + 1, 'a') });
    expect(status).toBe(2);
    expect(stderr).toContain('1048576');
  });
});
