import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectAndCall } from '../../src/client/client.js';
import { servedProtocol } from '../../src/client/daemon-lock.js';
import { T4aError } from '../../src/protocol/errors.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { serve } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';

interface Request {
  readonly cmd: string;
  readonly req: number;
}

type Reaction = (request: Request, answer: (fields: object) => void, socket: Socket) => void;

const PONG = { ok: true, version: '0.0.1', protocol: PROTOCOL_VERSION, pid: 1, uptime_ms: 1, terminals: 0 };

/** What answers line by line, beside a lock with given content. */
async function peer(lock: string | undefined, react: Reaction): Promise<{ socketPath: string; asked: string[] }> {
  const { socketPath } = tempDir();
  if (lock !== undefined) writeFileSync(`${socketPath}.lock`, lock);
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().trimEnd().split('\n')) {
        const request = JSON.parse(line) as Request;
        asked.push(request.cmd);
        react(request, (fields) => void socket.write(`${JSON.stringify({ ...fields, req: request.req })}\n`), socket);
      }
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { socketPath, asked };
}

const lockOf = (protocol: unknown): string => JSON.stringify({ pid: 1, started: null, nonce: 'a', protocol });

const NEVER_STARTS = { autoStart: false };

describe('a request that is made with the connection', () => {
  it('is sent before the handshake if the lock names this protocol', async () => {
    const waiting: (() => void)[] = [];
    const { socketPath, asked } = await peer(lockOf(PROTOCOL_VERSION), ({ cmd }, answer) => {
      waiting.push(() => answer(cmd === 'ping' ? PONG : { ok: true, terminals: [] }));
      // Nothing is answered before both are there.
      if (waiting.length === 2) for (const next of waiting) next();
    });
    const { client, result } = await connectAndCall({ socketPath, ...NEVER_STARTS }, 'list');
    onTestFinished(() => client.close());
    expect(await result).toMatchObject({ terminals: [] });
    expect(asked).toEqual(['ping', 'list']);
    expect(client.daemon).toMatchObject({ version: '0.0.1' });
  });

  it.each([
    ['names another protocol', lockOf(PROTOCOL_VERSION + 1)],
    ['names none', lockOf(undefined)],
    ['is not JSON', 'my notes'],
    ['is null', 'null'],
    ['is empty', ''],
    ['is not there', undefined],
  ])('is sent after the handshake if the lock %s', async (_what, lock) => {
    let isKnown = false;
    const { socketPath, asked } = await peer(lock, ({ cmd }, answer) => {
      if (cmd === 'list') return answer(isKnown ? { ok: true, terminals: [] } : { ok: false, code: 'internal' });
      setImmediate(() => {
        isKnown = true;
        answer(PONG);
      });
    });
    const { client, result } = await connectAndCall({ socketPath, ...NEVER_STARTS }, 'list');
    onTestFinished(() => client.close());
    expect(await result).toMatchObject({ terminals: [] });
    expect(asked).toEqual(['ping', 'list']);
  });

  it('is never sent to a daemon of another protocol', async () => {
    const { socketPath, asked } = await peer(lockOf(PROTOCOL_VERSION + 1), (_, answer) =>
      answer({ ...PONG, protocol: PROTOCOL_VERSION + 1 }),
    );
    await expect(connectAndCall({ socketPath, ...NEVER_STARTS }, 'list')).rejects.toMatchObject({
      code: 'version_mismatch',
    });
    expect(asked).toEqual(['ping']);
  });

  it("fails with the daemon's code, and with both versions if they differ", async () => {
    const { socketPath } = await peer(lockOf(PROTOCOL_VERSION), ({ cmd }, answer) =>
      answer(cmd === 'ping' ? PONG : { ok: false, code: 'unknown_cmd', error: 'no such command' }),
    );
    const { client, result } = await connectAndCall({ socketPath, ...NEVER_STARTS }, 'list');
    onTestFinished(() => client.close());
    const error = await result.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(T4aError);
    expect(error).toMatchObject({
      code: 'unknown_cmd',
      details: { hint: expect.stringContaining('t4a 0.0.1') as string },
    });
  });

  it('to a daemon that accepts and never answers ends with the timeout', async () => {
    const { socketPath, asked } = await peer(lockOf(PROTOCOL_VERSION), () => {});
    await expect(connectAndCall({ socketPath, timeoutMs: 500, ...NEVER_STARTS }, 'list')).rejects.toMatchObject({
      code: 'daemon_unreachable',
    });
    await expect.poll(() => asked).toEqual(['ping', 'list']);
  });

  it('is repeated if the daemon was shutting down', async () => {
    let connections = 0;
    const { socketPath, asked } = await peer(lockOf(PROTOCOL_VERSION), ({ cmd }, answer, socket) => {
      if (cmd === 'ping') connections++;
      if (connections === 1) socket.destroy();
      else answer(cmd === 'ping' ? PONG : { ok: true, terminals: [] });
    });
    const { client, result } = await connectAndCall({ socketPath, daemonEntry: '/nowhere' }, 'list');
    onTestFinished(() => client.close());
    expect(await result).toMatchObject({ terminals: [] });
    expect(asked.slice(-2)).toEqual(['ping', 'list']);
    expect(connections).toBe(2);
  });
});

describe('the protocol in a lock', () => {
  it('is that of its server', async () => {
    const { socketPath } = await serve();
    expect(servedProtocol(socketPath)).toBe(PROTOCOL_VERSION);
    expect(JSON.parse(readFileSync(`${socketPath}.lock`, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is not read from a FIFO or a symbolic link', () => {
    const { socketPath, join } = tempDir();
    execFileSync('mkfifo', [`${socketPath}.lock`]);
    expect(servedProtocol(socketPath)).toBeUndefined();
    rmSync(`${socketPath}.lock`);
    writeFileSync(join('elsewhere'), lockOf(PROTOCOL_VERSION));
    execFileSync('ln', ['-s', join('elsewhere'), `${socketPath}.lock`]);
    expect(servedProtocol(socketPath)).toBeUndefined();
  });
});
