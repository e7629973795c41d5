/** Findings of the doctor about a daemon, from its statistics. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/base/version.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { examineDaemon } from '../../src/cli/doctor/running-daemon.js';
import { T4aError } from '../../src/protocol/errors.js';
import type { Reply } from '../../src/protocol/registry.js';
import { serve } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';

function finding(findings: readonly Finding[], check: string): Finding {
  const found = findings.find((each) => each.check === check);
  if (found === undefined) throw new Error(`nothing was found of ${check}`);
  return found;
}

describe('the findings about a daemon', () => {
  const WELL = {
    version: VERSION,
    pid: 7,
    uptime_ms: 5_400_000,
    terminals: { total: 3, running: 2 },
    predecessor: null,
    event_loop: { lag_p50_ms: 0, lag_p99_ms: 99, lag_max_ms: 200, busy: 0.256 },
    output: { parsed_bytes: 0, pending_bytes: 12 },
    memory: { rss: 50e6, limit: 2000e6, pressure: 'none' },
    events: { last_seq: 0, subscriptions: 0, dropped: 0 },
    connections: { refused: 0 },
    faults: 0,
    widths: null,
  };

  async function examined(change: object): Promise<Finding[]> {
    const stats = { ...WELL, ...change } as unknown as Reply<'stats'>;
    const { socketPath } = await serve({ stats: () => stats });
    return examineDaemon(socketPath);
  }

  test('are all ok for a healthy one', async () => {
    const findings = await examined({});
    expect(findings.map(({ check, state, advice }) => [check, state, advice])).toEqual(
      ['daemon', 'load', 'memory', 'losses', 'widths'].map((check) => [check, 'ok', undefined]),
    );
    expect(findings.map(({ says }) => says).slice(0, 4)).toEqual([
      `t4a ${VERSION}, pid 7, up for 1.5 h, 2 of 3 terminals run`,
      'busy 26 %, lag p99 99 ms, 12 bytes to parse',
      '50 of 2000 MB',
      '0 events, 0 connections refused, 0 faults',
    ]);
  });

  const loop = { ...WELL.event_loop, lag_p99_ms: 100 };
  test.each<[string, object, string, string]>([
    ['of another version', { version: '0.0.1' }, 'daemon', 't4a 0.0.1, pid 7'],
    ['whose predecessor was killed', { predecessor: { pid: 5, survivors: [] } }, 'daemon', '(pid 5) was killed'],
    [
      'whose predecessor left processes',
      { predecessor: { pid: 5, survivors: [8, 9] } },
      'daemon',
      'killed; it left 8, 9 running',
    ],
    ['that lags', { event_loop: loop }, 'load', 'lag p99 100 ms'],
    ['that has little memory', { memory: { ...WELL.memory, pressure: 'high' } }, 'memory', 'MB: pressure is high'],
    ['with faults', { faults: 1 }, 'losses', '1 faults'],
    ['whose events are not read', { events: { ...WELL.events, dropped: 1 } }, 'losses', '1 events'],
  ])('are a warning for one %s', async (_name, change, check, says) => {
    const findings = await examined(change);
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
      { check, state: 'warning', says: expect.stringContaining(says), advice: expect.stringMatching(/\w/) },
    ]);
  });

  test('mention no processes of a predecessor that left none', async () => {
    const [first] = await examined({ predecessor: { pid: 5, survivors: [] } });
    expect(first?.says).toMatch(/\(pid 5\) was killed$/);
  });

  test('advise on faults before lost events', async () => {
    const { advice } = finding(await examined({ faults: 1, events: { ...WELL.events, dropped: 1 } }), 'losses');
    expect(advice).toContain('log');
  });

  test('are a failure for one that reports wrong widths', async () => {
    expect(finding(await examined({ widths: 'An emoji is narrow.' }), 'widths')).toMatchObject({
      state: 'failure',
      says: 'An emoji is narrow.',
    });
  });

  test('are ok if none runs', async () => {
    expect(await examineDaemon(tempDir().socketPath)).toEqual([{ check: 'daemon', state: 'ok', says: 'none runs' }]);
  });

  test('are a failure with advice for one that cannot be reached or refuses', async () => {
    const { join } = tempDir();
    writeFileSync(join('file'), '');
    const [notASocket] = await examineDaemon(join('file'));
    expect(notASocket).toMatchObject({ check: 'daemon', state: 'failure', advice: expect.stringMatching(/\w/) });
    const refusing = await serve({
      stats: () => {
        throw new T4aError('internal', 'Not now.');
      },
    });
    expect(await examineDaemon(refusing.socketPath)).toEqual([
      { check: 'daemon', state: 'failure', says: 'Not now.', advice: `Look into ${refusing.socketPath}.log.` },
    ]);
  });
});
