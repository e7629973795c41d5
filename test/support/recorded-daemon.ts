/** A program in the daemon's place that keeps each request as it came, and answers it as the test says. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { tempDir } from './temp-dir.js';

export type Request = { readonly cmd: string } & Readonly<Record<string, unknown>>;

/** The fields of the reply; of one that failed, with `ok: false`. */
export type Answers = Readonly<Record<string, (request: Request) => Answer>>;

interface Answer {
  /** What follows the line of the reply. */
  readonly bytes?: string;
  readonly [field: string]: unknown;
}

export interface RecordedDaemon {
  readonly socketPath: string;
  /** Without `ping`, and without the numbers of the requests. */
  readonly requests: Request[];
  readonly client: Client;
}

/**
 * @param answers by command; any other is answered with nothing but that it went well
 * @param features that it announces
 */
export async function recordedDaemon(answers: Answers = {}, features: readonly string[] = []): Promise<RecordedDaemon> {
  const { socketPath } = tempDir();
  const requests: Request[] = [];
  const who = {
    version: '0.0.0-fake',
    protocol: PROTOCOL_VERSION,
    pid: process.pid,
    uptime_ms: 1,
    terminals: 0,
    features,
  };
  const server = createServer((socket) => {
    socket.on('error', () => {
      // EPIPE, ECONNRESET: the client has gone.
    });
    createInterface({ input: socket }).on('line', (line) => {
      const { req, ...request } = JSON.parse(line) as Request;
      if (request.cmd !== 'ping') requests.push(request);
      const answer: Answer = request.cmd === 'ping' ? who : { ...answers[request.cmd]?.(request) };
      const { bytes = '', ...fields } = answer;
      const header = { ok: true, req, ...(bytes === '' ? {} : { len: bytes.length }), ...fields };
      socket.write(`${JSON.stringify(header)}\n${bytes}`);
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = await connect({ socketPath, autoStart: false });
  onTestFinished(() => client.close());
  return { socketPath, requests, client };
}
