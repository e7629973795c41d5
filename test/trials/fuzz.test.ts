/** Short runs of the trials of `npm run fuzz`. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ANSWER, fuzzOutput } from '../../trials/fuzz/output.js';
import { fuzzCrowds } from '../../trials/fuzz/crowds.js';
import { fuzzFloods } from '../../trials/fuzz/floods.js';
import { fuzzHosts } from '../../trials/fuzz/hosts.js';
import { fuzzRequests } from '../../trials/fuzz/requests.js';
import { fuzzStatusReports } from '../../trials/fuzz/status-reports.js';
import { startBusyLoops } from '../../trials/support/busy-loops.js';
import { inTrial, seedOfRun } from '../support/trial.js';
import { Random } from '../../trials/support/random.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('each fuzzed request line is answered once and without a defect, and many are carried out', async () => {
  const { failures, tally } = await fuzzRequests(ROOT, 100, seedOfRun());
  expect(failures).toEqual([]);
  expect(tally.answered).toBeGreaterThanOrEqual(100);
  // What is refused at its first field tries nothing of what comes after it. The share of these lines is 0.57.
  expect(tally.shareCarriedOut).toBeGreaterThan(0.3);
});

test('fuzzed output causes no fault, no hang and no unexpected reply', async () => {
  const { figures, failures } = await fuzzOutput(200_000, new Random(seedOfRun()));
  expect(failures).toEqual([]);
  expect(figures[1]?.[1]).toBeGreaterThan(10);
});

test('fuzzed reports of status are the same however they are torn, and their records equal a model', async () => {
  const { figures, failures } = await fuzzStatusReports(2000, new Random(seedOfRun()));
  expect(failures).toEqual([]);
  expect(figures[1]?.[1]).toBeGreaterThan(400);
});

test('hosts that mean harm end no gateway and no terminal, and nothing of them is said in the name of t4a', async () => {
  const { figures, failures } = await fuzzHosts(ROOT, 4, new Random(seedOfRun()));
  expect(failures).toEqual([]);
  expect(figures.slice(0, 4).map(([, rounds]) => rounds)).toEqual([1, 1, 1, 1]);
  expect(figures[4]?.[1]).toBeGreaterThan(10);
});

inTrial(() => {
  test('bursts, huge screens and hostile files keep no other client waiting', async () => {
    const { figures, failures } = await fuzzCrowds(ROOT, 6, new Random(seedOfRun()));
    expect(failures).toEqual([]);
    expect(figures.slice(0, 3).map(([, rounds]) => rounds)).toEqual([2, 2, 2]);
  });

  test('of thousands of fuzzed request lines some carry out each command', async () => {
    const { failures, tally } = await fuzzRequests(ROOT, 2000, seedOfRun());
    expect(failures).toEqual([]);
    expect(tally.neverCarriedOut()).toEqual([]);
    expect(tally.shareCarriedOut).toBeGreaterThan(0.5);
  });

  test('fuzzed floods in raw mode on busy cores arrive complete and end no program', async () => {
    const busyLoops = startBusyLoops(2);
    try {
      const { figures, failures } = await fuzzFloods(ROOT, 8_000_000, new Random(seedOfRun()));
      expect(failures).toEqual([]);
      // Slow readers have asked, and have been answered.
      expect(figures[2]?.[1]).toBeGreaterThan(0);
    } finally {
      busyLoops.stop();
    }
  });
});

test.each(['\x1b]l;evil\x1b\\', '\x1b]52;c;ZXZpbA==\x07', 'evil', '\x1b[0n\r', '\x1bP1$revil\x1b\\'])(
  'an unexpected reply such as %j is noticed',
  (answer) => {
    expect(ANSWER.test(answer)).toBe(false);
  },
);
