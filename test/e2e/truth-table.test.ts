/** The truth table: no program is said to be over, or to ask, when it is not; none is left waiting for. */
import { expect } from 'vitest';
import { startDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { formatTruthTable, runTruthTable } from '../support/truth.js';
import { TRUTH_PROGRAMS } from '../support/truth-programs.js';

itNeeds(
  'bash',
  'less',
  'python3',
  'vim',
)('the daemon says of each program when it ends and when it asks, and of what kind', { timeout: 180_000 }, async () => {
  expect(TRUTH_PROGRAMS.length).toBeGreaterThanOrEqual(40);
  const daemon = await startDaemon();
  try {
    const rows = await runTruthTable(daemon, TRUTH_PROGRAMS, 4);
    const wrong = rows.filter(({ verdict }) => verdict !== 'right');
    expect(wrong, formatTruthTable(rows)).toEqual([]);
  } finally {
    await daemon.stop();
  }
});
