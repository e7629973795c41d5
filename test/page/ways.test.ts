/** Ways between the page and its server: one that falls silent, and a proxy that serves the page below a path. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, rowWith } from './browser.js';
import { slowProxy } from './slow-proxy.js';

needs('chromium');
browserOfFile();

const ready = ({ client }: { readonly client: Client }): Promise<unknown> =>
  client.call('create', {
    cmd_args: ['sh', '-c', 'echo ready; exec cat'],
    name: 'build',
    wait: { until: { text: 'ready' } },
  });

test('a way that falls silent is said to be lost, although neither end has closed it, and the page comes back', async () => {
  const proxy = await slowProxy(0);
  const { page, client } = await opened({ ...DESK, proxy: { server: proxy.server, bypass: '<-loopback>' } }, ready);
  await rowWith(page, 'ready').waitFor();
  proxy.hold('requests');
  proxy.hold('replies');
  await page.locator('.stage.is-stale').waitFor();
  await page.getByText('Connection lost').waitFor();
  await client.call('paste', { id: 'build', text: 'after\n' });
  proxy.cut();
  proxy.mend();
  await rowWith(page, 'after').first().waitFor();
  expect(await page.locator('.stage.is-stale').count()).toBe(0);
});

test('a proxy may serve the page below a path', async () => {
  const { page, origin } = await opened(DESK, ready);
  const below = await proxyBelow('/proxy/7373/', new URL(origin));
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(response.url());
  });
  await page.goto(below);
  await rowWith(page, 'ready').waitFor();
  expect(failed).toEqual([]);
});

/** As the proxies of code-server and Jupyter: it takes the path away, and names the server as host and origin. @returns its address */
async function proxyBelow(path: string, target: URL): Promise<string> {
  const { hostname, port, host, origin } = target;
  const passed = ({ url = '', headers }: IncomingMessage): { readonly path: string; readonly headers: object } => ({
    path: url.slice(path.length - 1),
    headers: { ...headers, host, origin },
  });
  const server = createServer((asked, reply) => {
    if (!asked.url?.startsWith(path)) {
      reply.writeHead(404).end();
      return;
    }
    const onwards = request({ hostname, port, ...passed(asked) } as object, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    });
    asked.pipe(onwards);
  });
  const sockets = new Set<Duplex>();
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onwards = connect(Number(port), hostname, () => {
      const { path: below, headers } = passed(asked);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
      onwards.write([`GET ${below} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      onwards.write(head);
      onwards.pipe(socket);
      socket.pipe(onwards);
    });
    for (const one of [socket, onwards]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}
