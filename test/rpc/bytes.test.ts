import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { requireProgram } from '../support/programs.js';
import { gate, serve } from '../support/serve.js';

/** Bytes that are nowhere a newline, so that only the header's can end the client's loop. */
function picture(length: number, fill = 0x89): Uint8Array[] {
  return [new Uint8Array(8).fill(fill), new Uint8Array(length - 8).fill(fill)];
}

/** The seed's client, as it stands there. */
const SEED_CLIENT = `
import socket, json, sys
def t4a_screen(tid):
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    s.sendall(json.dumps({"cmd": "screenshot", "id": tid}).encode() + b"\\n")
    line = b""
    while not line.endswith(b"\\n"):
        line += s.recv(4096)
    header = json.loads(line)
    png = b""
    while len(png) < header["len"]:
        png += s.recv(header["len"] - len(png))
    return png
total = 0
for _ in range(200):
    png = t4a_screen("t1")
    assert set(png) == {0x89}
    total += len(png)
print(total)
`;

describe('a reply with raw bytes', () => {
  test('is read 200 times in a row by a client that receives 4,096 bytes until they end in a newline', async () => {
    const { socketPath } = await serve({ screenshot: () => ({ reply: { rev: 1 }, bytes: picture(7777) }) });
    const python = spawn(requireProgram('python3'), ['-c', SEED_CLIENT, socketPath], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    python.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [status] = (await once(python, 'close')) as [number];
    expect({ status, total: Buffer.concat(chunks).toString().trim() }).toEqual({
      status: 0,
      total: String(200 * 7777),
    });
  });

  test('has a header of a multiple of 4,096 bytes without req, and no padding with req', async () => {
    const { connect } = await serve({ screenshot: () => ({ reply: { rev: 1 }, bytes: picture(100) }) });
    const connection = connect();
    const plain = await connection.request({ cmd: 'screenshot', id: 't1' });
    expect(plain.line.length).toBe(4096);
    expect(plain.header).toEqual({ ok: true, len: 100, rev: 1 });
    expect(plain.bytes.length).toBe(100);
    const numbered = await connection.request({ cmd: 'screenshot', id: 't1', req: 1 });
    expect(numbered.line.toString()).toBe('{"ok":true,"req":1,"len":100,"rev":1}\n');
    expect(numbered.bytes.length).toBe(100);
  });

  test('is a plain line if it is empty, with a len of 0 if the command always has one', async () => {
    const { connect } = await serve({
      screenshot: () => ({ reply: { unchanged: true, rev: 3 } }),
      run: () => ({
        reply: {
          id: 't1',
          outcome: 'exited',
          exit_code: 0,
          signal: null,
          duration_ms: 1,
          output_bytes: 0,
          kept: false,
          lines: [],
          omitted_lines: 0,
          lost_lines: 0,
          rev: 1,
          seq: 1,
        },
      }),
    });
    const connection = connect();
    connection.write('{"cmd":"screenshot","id":"t1"}\n');
    expect((await connection.line()).toString()).toBe('{"ok":true,"unchanged":true,"rev":3,"len":0}\n');
    const { header } = await connection.request({ cmd: 'run', command: 'true' });
    expect(header).not.toHaveProperty('len');
  });

  test('is never interleaved with another reply', async () => {
    const gates = [gate(), gate(), gate()];
    const { connect } = await serve({
      async screenshot({ pad }) {
        await gates[pad ?? 0]?.promise;
        return { reply: { rev: pad ?? 0 }, bytes: picture(300_000, (pad ?? 0) + 1) };
      },
    });
    const connection = connect();
    for (const pad of [0, 1, 2]) connection.write(`{"cmd":"screenshot","id":"t1","pad":${pad},"req":${pad}}\n`);
    for (let req = 10; req < 60; req++) connection.write(`{"cmd":"ping","req":${req}}\n`);
    for (const pad of [2, 0, 1]) gates[pad]?.open();
    const seen = new Set<unknown>();
    while (seen.size < 53) {
      const { header, bytes } = await connection.reply();
      seen.add(header['req']);
      if (bytes.length > 0) expect(new Set(bytes)).toEqual(new Set([(header['rev'] as number) + 1]));
    }
  });
});
