/** One run that prints a gigabyte, of a daemon whose memory is bounded from outside. */
import { execFileSync } from 'node:child_process';
import { connect } from '../../src/client/index.js';
import type { Report } from '../support/report.js';
import { TrialDaemon } from '../support/trial-daemon.js';

const GIGABYTE = 2 ** 30;
/** Of its address space beyond what it has reserved at its start. */
const ROOM_BYTES = 4 * GIGABYTE;
const LIMIT_MS = 15 * 60_000;
const LINE = 'a line of a gigabyte, of sixty-four columns with its line feed';
const COUNT = Math.ceil(GIGABYTE / (LINE.length + 1));

export async function big(root: string): Promise<Report> {
  const daemon = await TrialDaemon.start(root);
  const { pid } = daemon.process;
  const reserved = Number(
    /^VmSize:\s+(\d+)/m.exec(execFileSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8' }))?.[1],
  );
  execFileSync('prlimit', ['--pid', String(pid), `--as=${reserved * 1024 + ROOM_BYTES}`]);
  const client = await connect({ socketPath: daemon.socketPath });
  const failures: string[] = [];
  const startedMs = performance.now();
  try {
    const run = await client.call('run', {
      cmd_args: ['sh', '-c', `yes '${LINE}' | head -n ${COUNT}; echo the end; exit 7`],
      timeout_ms: LIMIT_MS,
      max_lines: 20,
    });
    if (run.outcome !== 'exited' || run.exit_code !== 7)
      failures.push(`it ${run.outcome} with ${run.exit_code}, not 7`);
    if (run.lines.at(-1) !== 'the end') failures.push(`its last line is ${JSON.stringify(run.lines.at(-1))}`);
    if (run.lines.slice(0, -1).some((line) => line !== LINE)) failures.push('a line is not one that was printed');
    const all = run.lines.length + run.omitted_lines + (run.lost_lines ?? 0);
    if (all !== COUNT + 1) failures.push(`${all} lines are shown, omitted or lost, and ${COUNT + 1} were printed`);
  } finally {
    await client.close();
    await daemon.stop();
    daemon.remove();
  }
  return { figures: [['seconds for 1 GB', Math.round((performance.now() - startedMs) / 1000)]], failures };
}
