/** `ports`: what listens in a terminal, and the addresses that it printed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { listeningRows } from '../../src/terminal/system/proc/listeners.js';
import { runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Listens in a session of its own, as servers that put themselves into the background do. */
const SERVER = `
const server = require('node:http').createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  console.log('Local: http://localhost:' + port + '/ui, docs at https://example.org/a.');
  console.log('port=' + port + '.');
});`;

it.runIf(existsSync('/proc/net/tcp'))('lists the ports of a terminal alone, and its URLs each once', async () => {
  const quiet = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const made = await request(daemon, {
    cmd: 'create',
    cmd_args: ['sh', '-c', 'setsid "$0" -e "$1"; wait', process.execPath, SERVER],
    wait: { until: { regex: 'port=\\d+\\.' }, timeout_ms: 20_000 },
  });
  const text = JSON.stringify(made['wait']);
  const port = Number(/port=(\d+)/.exec(text)?.[1]);
  const found = await request(daemon, { cmd: 'ports', id: made['id'] });
  expect(found).toMatchObject({
    listeners: [{ port, address: '127.0.0.1', process: 'node' }],
    urls: [`http://localhost:${port}/ui`, 'https://example.org/a'],
  });
  const printed = await runCli(['ports', String(made['id'])], daemon);
  expect(printed.stdout).toMatch(
    new RegExp(`^127\\.0\\.0\\.1:${port} node \\(pid \\d+\\)\nhttp://localhost:${port}/ui\n`),
  );
  expect(await request(daemon, { cmd: 'ports', id: quiet['id'] })).toMatchObject({ listeners: [], urls: [] });
  expect(await request(daemon, { cmd: 'ports', id: 'none' })).toMatchObject({ code: 'terminal_not_found' });
});

it('reads addresses of both families, and listening sockets alone', () => {
  const rows = listeningRows(
    [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0',
      '   1: 0100007F:1F91 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 100 0 0 10 0',
      '   2: 00000000000000000000000001000000:1433 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 13 1 0',
      '   3: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 14 1 0',
      '',
    ].join('\n'),
  );
  expect(rows).toEqual([
    { port: 8080, address: '127.0.0.1', inode: '11' },
    { port: 5171, address: '::1', inode: '13' },
    { port: 80, address: '::', inode: '14' },
  ]);
});
