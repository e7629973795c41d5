/** What the real agents say by OSC 7501 in a session with two tasks, the second of which is refused (scripts/record-agents.mjs). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseStatusReport, type StatusReport } from '../../../src/events/status/report.js';
import { openScreen, show } from '../../vt/screens.js';

const PERMISSION = 'blocked permission';
const APPROVE = 'approve Bash: rm -f build.log && ls';

const AGENTS = [
  {
    file: 'claude-2.1.332.out',
    app: 'claude-code',
    said: ['idle', 'working', PERMISSION, 'working', 'done', 'working', PERMISSION, 'idle'],
    asks: [APPROVE, APPROVE],
  },
  {
    file: 'codex-0.171.0.out',
    app: 'codex',
    said: ['idle', 'working', PERMISSION, 'working', 'done', 'idle', 'working', PERMISSION, 'working', 'idle'],
    asks: [undefined, undefined],
  },
];

/** Written in pieces of this length; the bytes of other characters than ASCII are in no report. */
async function reportsOf(file: string, length: number): Promise<StatusReport[]> {
  const output = readFileSync(fileURLToPath(new URL(`../../activity/fixtures/${file}`, import.meta.url)), 'latin1');
  const screen = openScreen({ cols: 80, rows: 40 });
  const found: StatusReport[] = [];
  screen.onEffect.on((effect) => {
    if (effect.kind !== 'osc' || effect.message.code !== 7501) return;
    const report = parseStatusReport(effect.message.data, effect.message.terminatorBytes ?? 1);
    if (report !== undefined) found.push(report);
  });
  for (let from = 0; from < output.length; from += length) await show(screen, output.slice(from, from + length));
  return found;
}

describe.each(AGENTS)('$file', ({ file, app, said, asks }) => {
  it.each([611, 4096, 1_000_000])('has each state, in pieces of %i bytes', async (length) => {
    const reports = await reportsOf(file, length);
    expect(reports.map(({ state, kind }) => (kind === undefined ? state : `${state} ${kind}`))).toEqual(said);
    expect(new Set(reports.map((report) => report.app))).toEqual(new Set([app]));
    expect(reports.filter(({ state }) => state === 'blocked').map(({ msg }) => msg)).toEqual(asks);
  });
});
