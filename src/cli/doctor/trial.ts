/**
 * A daemon of the doctor's own, in a directory of its own, for one terminal and one picture: what is installed works from
 * end to end, or says where it does not. The daemon that may be running is left alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../client/client.js';
import { T4aError } from '../../protocol/errors.js';
import { failure, ok, type Finding } from './finding.js';

const START_MS = 20_000;
/** Latin, a box, a wide character, an emoji: each from another font. */
const SAMPLE = 'Aé─中😀';
const SAMPLE_COLUMNS = 7;

export async function tryOut(): Promise<Finding[]> {
  const directory = mkdtempSync(join(tmpdir(), 't4a-'));
  const findings: Finding[] = [];
  try {
    const client = await connect({ socketPath: join(directory, 's'), timeoutMs: START_MS, idleTimeoutMs: START_MS });
    try {
      findings.push(ok('start', 'a daemon starts and answers'));
      const shown = `printf '${SAMPLE}'`;
      const run = await client.call('run', { command: shown, keep: true });
      const isRight = run.exit_code === 0 && run.lines[0] === SAMPLE;
      const { col } = await client.call('cursor', { id: run.id });
      if (!isRight)
        findings.push(failure('terminal', `printf showed ${JSON.stringify(run.lines)}`, 'Look at the locale.'));
      else if (col !== SAMPLE_COLUMNS)
        findings.push(failure('terminal', `${col} columns instead of 7`, 'Reinstall t4a.'));
      else findings.push(ok('terminal', 'a program runs, and its output is right'));
      const { width, height, format } = await client.call('screenshot', { id: run.id });
      findings.push(ok('fonts', `a picture is drawn: ${width}x${height} ${format}`));
    } finally {
      await client.call('shutdown', {});
      await client.close();
    }
  } catch (error) {
    if (!(error instanceof T4aError)) throw error;
    findings.push(failure('trial', error.message, error.details.hint ?? 'npm install -g t4a'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return findings;
}
