/** Commands that run until their reader or the daemon is gone, with a daemon in the process of the test. */
import { describe, expect, test } from 'vitest';
import { ClosedOutput } from '../../src/cli/host.js';
import { T4aError } from '../../src/protocol/errors.js';
import type { Reply } from '../../src/protocol/registry.js';
import { run, served, type Ran } from '../support/command-line.js';
import { serve } from '../support/serve.js';

describe('the stream of events', () => {
  async function streamed(...flags: string[]): Promise<{ asked: unknown; lines: string[]; status: number }> {
    let asked: unknown;
    const t4a = await served({
      events: (params) => {
        asked = params;
        const left = [{ event: 'bell' }, { event: 'title' }];
        const stream = { next: () => left.shift(), onReadable: () => ({ dispose() {} }), dispose() {} };
        return { reply: { seq: 9 }, stream };
      },
    });
    const lines: string[] = [];
    const { status } = await t4a(['events', ...flags], {
      out(data) {
        lines.push(String(data));
        if (String(data).includes('title')) throw new ClosedOutput();
      },
    });
    return { asked, lines, status };
  }

  test('prints one line per event until its reader is gone', async () => {
    expect(await streamed('t1', '--types', 'bell,title')).toMatchObject({
      status: 0,
      asked: { terminal: 't1', types: ['bell', 'title', 'removed'] },
      lines: ['{"event":"bell"}\n', '{"event":"title"}\n'],
    });
  });

  test('begins with the reply to the subscription if --ack is given', async () => {
    const { lines } = await streamed('--ack');
    expect(lines).toEqual(['{"ok":true,"seq":9}\n', '{"event":"bell"}\n', '{"event":"title"}\n']);
  });
});

describe('shutdown', () => {
  test('waits for the end of the daemon, and reports surviving processes', async () => {
    const shutDown = async (reply: Reply<'shutdown'>): Promise<Ran> => {
      const { server, socketPath } = await serve({
        shutdown: () => {
          setImmediate(() => void server.close());
          return reply;
        },
      });
      return run(['--socket', socketPath, 'shutdown']);
    };
    expect(await shutDown({})).toEqual({ status: 0, printed: '', noted: '' });
    expect((await shutDown({ survivors: [7] })).noted).toContain('pids 7.');
  });

  test('reports an error of the daemon', async () => {
    const t4a = await served({
      shutdown: () => {
        throw new T4aError('internal', 'Not now.');
      },
    });
    expect(await t4a(['shutdown'])).toEqual({ status: 1, printed: '', noted: 't4a: Not now.\n' });
  });
});
