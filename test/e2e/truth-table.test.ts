/** The truth table: the daemon reports ends and questions of programs only when they happen, and misses none. */
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
)(
  'the daemon reports when each program ends and when it asks, with the kind of question',
  { timeout: 180_000 },
  async () => {
    expect(TRUTH_PROGRAMS.length).toBeGreaterThanOrEqual(40);
    const daemon = await startDaemon();
    try {
      const rows = await runTruthTable(daemon, TRUTH_PROGRAMS, 8);
      const wrong = rows.filter(({ verdict }) => verdict !== 'right');
      expect(wrong, formatTruthTable(rows)).toEqual([]);
    } finally {
      await daemon.stop();
    }
  },
);
