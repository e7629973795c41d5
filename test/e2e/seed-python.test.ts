/**
 * The Python client that the protocol's original description prints, unchanged: test/e2e/seed-client.py. It names the
 * default socket, so the harness around it redirects that one address to the test's own daemon.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const HARNESS = `
import socket, sys, zlib, struct

path, client = sys.argv[1], sys.argv[2]
plain = socket.socket
class Redirected(plain):
    def connect(self, address):
        assert address == "/tmp/t4a.sock"
        super().connect(path)
socket.socket = Redirected
exec(open(client).read())

t = t4a_request({"cmd": "create", "cols": 80, "rows": 24, "cmd_args": ["sh", "-c", "seq 1 100; cat"]})
assert t["ok"], t
tid = t["id"]
for i in range(200):
    if i % 2:
        assert t4a_request({"cmd": "send", "id": tid, "input": "line %d\\n" % i}) == {"ok": True}
    png = t4a_screen(tid)
    assert png[:8] == b"\\x89PNG\\r\\n\\x1a\\n", png[:8]
    at, data, types = 8, b"", []
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0]
        types.append(kind)
        if kind == b"IDAT": data += body
        at += 12 + size
    assert at == len(png) and types[-1] == b"IEND"
    zlib.decompress(data)
print("200 pictures")
`;

itNeeds('python3')('the original Python client takes 200 screenshots in a row, each a complete PNG', async () => {
  const client = fileURLToPath(new URL('seed-client.py', import.meta.url));
  const python = requireProgram('python3');
  const { stdout } = await promisify(execFile)(python, ['-c', HARNESS, daemon.socketPath, client], { timeout: 25_000 });
  expect(stdout).toBe('200 pictures\n');
});
