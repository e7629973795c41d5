/** A person is called without any browser: by `notify` of triggers.json. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { EventStream } from '../support/wait-for.js';

interface Received {
  readonly path: string;
  readonly type: string | undefined;
  readonly token: unknown;
  readonly body: string;
}

/** A webhook of this machine, with all that it was sent. */
async function webhook(answer: (response: ServerResponse, request: IncomingMessage) => void = (one) => one.end('ok')) {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    incoming.on('end', () => {
      const { url = '', headers } = incoming;
      received.push({ path: url, type: headers['content-type'], token: headers['authorization'], body });
      answer(response, incoming);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A daemon whose owner is called so. */
async function calling(notify: readonly object[]) {
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  const file = path.join(daemon.dir, 't4a/triggers.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version: 1, notify }), { mode: 0o600 });
  const ask = (fields: object): ReturnType<typeof request> => request(daemon, fields);
  const create = async (name: string, script: string, labels = {}): Promise<void> => {
    await ask({ cmd: 'create', name, cmd_args: ['sh', '-c', script], labels });
  };
  const question = (id: string): Promise<unknown> =>
    ask({ cmd: 'ask', id, question: 'Drop canary-77?', kind: 'confirm', timeout_ms: 0, as: 'claude-1' });
  return { daemon, ask, create, question };
}

const REST = 'printf canary-77; exec sleep 600';

it('a webhook gets a sentence with the name of the terminal, and no word of it', async () => {
  const { received, url } = await webhook();
  const headers = { Authorization: 'Bearer x' };
  const { create, question } = await calling([
    { webhook: `${url}/plain`, headers },
    { webhook: `${url}/slack`, format: 'slack', on: ['ask'] },
    { webhook: `${url}/json`, format: 'json' },
  ]);
  await create('build', REST);
  await question('build');
  await expect.poll(() => received.map((one) => one.path).toSorted()).toEqual(['/json', '/plain', '/slack']);
  const of = (at: string): Received | undefined => received.find((one) => one.path === at);
  expect(of('/plain')).toMatchObject({ type: 'text/plain; charset=utf-8', token: 'Bearer x' });
  expect(of('/plain')?.body).toMatch(/^build asks you \(t4a on .+\)$/);
  expect(JSON.parse(of('/slack')?.body ?? '')).toEqual({ text: of('/plain')?.body });
  expect(JSON.parse(of('/json')?.body ?? '')).toMatchObject({
    on: 'ask',
    terminal: 'build',
    title: of('/plain')?.body,
  });
  expect(JSON.stringify(received)).not.toContain('canary');
});

it('the first question calls, also where no terminal was ever made', async () => {
  const { received, url } = await webhook();
  const { ask } = await calling([{ webhook: url }]);
  await ask({ cmd: 'ask', question: 'Go on?', kind: 'confirm', timeout_ms: 0, as: 'claude-1' });
  await expect.poll(() => received.map(({ body }) => body.split(' (')[0])).toEqual(['An agent asks you']);
});

it('a command gets it as arguments, without a shell', async () => {
  const { daemon, create } = await calling([
    {
      on: ['failed'],
      command: ['sh', '-c', 'printf "%s|" "$@" > "$0"', 'WHERE', '--', '{terminal}', '{title}; touch harm'],
    },
  ]);
  const file = path.join(daemon.dir, 'called');
  const triggers = path.join(daemon.dir, 't4a/triggers.json');
  writeFileSync(triggers, readFileSync(triggers, 'utf8').replace('WHERE', file), { mode: 0o600 });
  await create('good', 'exit 0');
  await create('build', 'exit 3');
  await expect
    .poll(() => existsSync(file) && readFileSync(file, 'utf8'))
    .toMatch(/^--\|build\|build has failed \(t4a on .+\); touch harm\|$/);
});

it('a program that says it waits calls, for the terminals that are meant alone', async () => {
  const { received, url } = await webhook();
  const { create, ask } = await calling([{ webhook: url, on: ['waiting'], where: { labels: { role: 'agent' } } }]);
  const script = String.raw`stty -echo; while read -r x; do printf '\033]7501;state=blocked:kind=permission:app=x\007'; done`;
  await create('other', script);
  await create('agent', script, { role: 'agent' });
  for (const id of ['other', 'agent']) {
    await ask({ cmd: 'type', id, text: 'go', submit: true });
    await ask({ cmd: 'wait', id, until: { doing: ['waiting:permission'] } });
  }
  await expect.poll(() => received.map(({ body }) => body.split(' (')[0])).toEqual(['agent waits for you']);
});

it.each([
  ['hangs', () => {}, /no answer within 5 s/],
  ['redirects', (one: ServerResponse) => one.writeHead(302, { Location: '/again' }).end(), /leads elsewhere/],
  ['refuses', (one: ServerResponse) => one.writeHead(500).end(), /answered 500/],
] as const)('a webhook that %s is a warning, and no other request', { timeout: 30_000 }, async (_, answer, says) => {
  const { received, url } = await webhook(answer);
  const { daemon, create, question } = await calling([{ webhook: `${url}/secret-path` }]);
  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  onTestFinished(() => events.close());
  await create('build', REST);
  await question('build');
  const warning = await events.next();
  expect(warning).toMatchObject({ code: 'trigger', message: expect.stringMatching(says) as string });
  expect(JSON.stringify(warning)).not.toContain('secret-path');
  expect(received).toHaveLength(1);
});

it('the reason of a call that cannot be made quotes neither its address nor its headers', async () => {
  const { daemon, create, question } = await calling([
    { webhook: 'http://127.0.0.1:1/canary' },
    { webhook: 'http://127.0.0.1:9/canary', headers: { 'Content-Length': 'canary' } },
  ]);
  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  onTestFinished(() => events.close());
  await create('build', REST);
  await question('build');
  for (let n = 0; n < 2; n++) {
    const { message } = (await events.next()) as unknown as { readonly message: string };
    expect(message).toContain('The webhook at 127.0.0.1:');
    expect(message).not.toContain('canary');
  }
});

it('a rule with a mistake is a warning, and the triggers of before stay', async () => {
  const { received, url } = await webhook();
  const { daemon, create, question } = await calling([{ webhook: url }]);
  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  onTestFinished(() => events.close());
  await create('first', REST);
  const secret = `${url}/canary`;
  for (const [rule, says] of [
    [{ webhook: secret, command: ['true'] }, 'either'],
    [{ webhook: secret.replace('//', '//ada:canary@') }, 'without a user'],
    [{ webhook: secret.replace('//', '//canary@') }, 'an address without'],
    [{ webhook: [secret] }, 'webhook" of'],
    [{ webhok: secret }, 'webhok'],
    [secret, 'notify.0'],
    [{ webhook: url, headers: { Authorization: 'Bearer \u0000canary' } }, 'not valid'],
    [{ webhook: 'ftp://127.0.0.1/' }, 'webhook'],
    [{ webhook: url, quiet: '9-5' }, 'from and to'],
    [{ webhook: url, where: { command_regex: '(' } }, 'command_regex'],
  ] as const) {
    writeFileSync(path.join(daemon.dir, 't4a/triggers.json'), JSON.stringify({ version: 1, notify: [rule] }), {
      mode: 0o600,
    });
    await create(`after-${says.replaceAll(/\W/g, '')}`, 'exit 0');
    const warning = await events.next();
    expect(warning).toMatchObject({ code: 'trigger', message: expect.stringContaining(says) as string });
    expect(JSON.stringify(warning)).not.toContain('canary');
  }
  await question('first');
  await expect.poll(() => received.length).toBe(1);
});
