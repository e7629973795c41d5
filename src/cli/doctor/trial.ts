/**
 * A daemon of the doctor's own, in a directory of its own, for one terminal and one picture: what is installed works from
 * end to end, or says where it does not. The daemon that may be running is left alone.
 */
import { rmSync } from 'node:fs';
import { type Client, connect } from '../../client/client.js';
import { isT4aError } from '../../protocol/errors.js';
import type { Host } from '../host.js';
import { failed, passed, warning, type Finding } from './finding.js';
import { makeTrialDirectory, socketIn } from './trial-place.js';

const START_MS = 20_000;
/** Longest start of the user's shell with the user's start-up files. */
const PROMPT_MS = 10_000;
/** The kernel is asked some 100 ms after the program has come to rest. */
const WAITING_MS = 3000;
/** Latin, a box, a wide character, an emoji: each from another font. */
const SAMPLE = 'Aé─中😀';
const SAMPLE_COLUMNS = 7;

export async function tryOut(host: Host): Promise<Finding[]> {
  const findings: Finding[] = [];
  const found = await inDirectory(host, async (directory) => {
    const client = await connect({ socketPath: socketIn(directory), timeoutMs: START_MS, idleTimeoutMs: START_MS });
    findings.push(passed('start', 'a daemon starts and answers'));
    try {
      const terminal = await attempt('terminal', () => tryTerminal(client));
      findings.push(terminal);
      // Each of the others needs one.
      if (terminal.state === 'failure') return;
      findings.push(
        await attempt('fonts', () => tryPicture(client)),
        await attempt('waiting', () => tryWaiting(client)),
        await attempt('shell', () => tryShell(client)),
      );
    } finally {
      await client.call('shutdown', {});
      await client.close();
    }
  });
  return found === undefined ? findings : [...findings, found];
}

/** @returns what went wrong, if anything did */
async function inDirectory(host: Host, act: (directory: string) => Promise<void>): Promise<Finding | undefined> {
  let directory: string | undefined;
  try {
    directory = makeTrialDirectory(host);
    await act(directory);
    return undefined;
  } catch (error) {
    return failureOf('start', error);
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function attempt(check: string, act: () => Promise<Finding>): Promise<Finding> {
  try {
    return await act();
  } catch (error) {
    return failureOf(check, error);
  }
}

function failureOf(check: string, error: unknown): Finding {
  if (!isT4aError(error)) throw error;
  return failed(check, error.message, error.details.hint ?? 'Install t4a anew: docs/installing.md');
}

async function tryTerminal(client: Client): Promise<Finding> {
  const { lines, exit_code: code, id } = await client.call('run', { command: `printf '${SAMPLE}'`, keep: true });
  const { col } = await client.call('cursor', { id });
  if (code !== 0 || lines[0] !== SAMPLE)
    return failed('terminal', `printf showed ${JSON.stringify(lines)}`, 'Look at the locale.');
  if (col !== SAMPLE_COLUMNS) return failed('terminal', `${col} columns instead of 7`, 'Reinstall t4a.');
  return passed('terminal', 'a program runs, and its output is right');
}

async function tryPicture(client: Client): Promise<Finding> {
  const { id } = await client.call('run', { command: `printf '${SAMPLE}'`, keep: true });
  const { width, height, format } = await client.call('screenshot', { id });
  return passed('fonts', `a picture is drawn: ${width}x${height} ${format}`);
}

/** Tries what "wait --awaiting-input" and the event stand on: the kernel's own word. */
async function tryWaiting(client: Client): Promise<Finding> {
  const advice =
    'So "done", "text" and "settled_ms" are what to wait for: mount /proc, or do not hide it from its user.';
  try {
    const until = { awaiting_input: true } as const;
    const { wait } = await client.call('create', { cmd_args: ['cat'], wait: { until, timeout_ms: WAITING_MS } });
    if (wait?.outcome === 'matched') return passed('waiting', 'the system reports when a program waits for input');
    return warning('waiting', 'the system does not report when a program waits for input', advice);
  } catch (error) {
    if (!isT4aError(error) || error.code !== 'unsupported') throw error;
    return warning('waiting', error.message, advice);
  }
}

/** The shell that `create` starts by itself. */
async function tryShell(client: Client): Promise<Finding> {
  const created = await client.call('create', { wait: { until: { done: true }, timeout_ms: PROMPT_MS } });
  const { id, wait, warning: lacking } = created;
  const { shell } = await client.call('debug', { id });
  if (shell === null && lacking !== undefined) return failed('shell', lacking, 'See docs/installing.md.');
  if (shell?.integration === 'off') {
    const says = `${shell.name} cannot report its commands: ${shell.reason ?? 'unknown'}`;
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
  return passed(
    'shell',
    shell === null ? 'it comes to its prompt, without shell integration' : `${shell.name} reports its commands`,
  );
}
