/**
 * A daemon of the doctor's own, in a directory of its own, for one terminal and one picture: what is installed works from
 * end to end, or says where it does not. The daemon that may be running is left alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '../../client/client.js';
import { T4aError } from '../../protocol/errors.js';
import { failure, ok, warning, type Finding } from './finding.js';

const START_MS = 20_000;
/** Of the user's shell with the user's start-up files. */
const PROMPT_MS = 10_000;
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
      findings.push(ok('fonts', `a picture is drawn: ${width}x${height} ${format}`), await tryShell(client));
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

/** The shell that `create` starts by itself. */
async function tryShell(client: Client): Promise<Finding> {
  const { id, wait } = await client.call('create', { wait: { until: { done: true }, timeout_ms: PROMPT_MS } });
  const { shell } = await client.call('debug', { id });
  if (shell?.integration === 'off') {
    const says = `${shell.name} cannot tell its commands: ${shell.reason ?? 'unknown'}`;
    return warning(
      'shell',
      says,
      'So "done" knows no exit code, and "run --id" is refused: look at its start-up files.',
    );
  }
  if (wait?.outcome !== 'matched') {
    const says = `it has not come to its prompt within ${PROMPT_MS / 1000} s`;
    return warning('shell', says, 'Look at what its start-up files do: t4a create --text --timeout-ms 5000');
  }
  return ok(
    'shell',
    shell === null ? 'it comes to its prompt, without shell integration' : `${shell.name} tells its commands`,
  );
}
