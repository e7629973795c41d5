/** What must be right of every shell, one verdict each: it returns nothing, or what was wrong. All wait for events; none sleeps. */
import { T4aError, type Client } from '../../src/client/index.js';
import type { Shell } from './setups.js';
import type { SshHost } from './ssh-host.js';

export interface Session {
  readonly client: Client;
  readonly id: string;
  readonly shell: Shell;
  /** The command that starts it within itself. */
  readonly command: string;
  readonly host: SshHost | undefined;
}

type Verdict = (session: Session) => Promise<string | undefined>;

const LIMIT_MS = 20_000;
const DONE = { until: { done: true }, timeout_ms: LIMIT_MS } as const;

export const VERDICTS: Readonly<Record<string, Verdict>> = {
  codes,
  run: runs,
  'line left, Ctrl+C': dropsLine,
  'lines at once': linesAtOnce,
  'comments, blanks': runsNothing,
  'syntax error': syntaxError,
  unfinished,
  nested,
  commands,
  'order of events': order,
  ssh: remote,
};

async function codes(session: Session): Promise<string | undefined> {
  for (const code of [0, 1, 4]) {
    const found = await submit(session, `sh -c "exit ${code}"`);
    if (found !== code) return `sh -c "exit ${code}" was done with ${found}`;
  }
  return undefined;
}

async function runs(session: Session): Promise<string | undefined> {
  const run = await runLine(session, 'printf "one\\ntwo\\n"; sh -c "exit 3"');
  return differs('run', run, { outcome: 'done', code: 3, lines: ['one', 'two'] }) ?? isClean(session);
}

async function dropsLine(session: Session): Promise<string | undefined> {
  const { client, id } = session;
  await client.call('send', { id, input: 'echo never' });
  const seen = await client.call('wait', { id, until: { text: 'echo never' }, timeout_ms: LIMIT_MS });
  if (seen.outcome !== 'matched') return 'what was typed never appeared';
  return (await interrupt(session)) ?? isClean(session);
}

async function linesAtOnce(session: Session): Promise<string | undefined> {
  const found = await submit(session, 'true\rsh -c "exit 5"\rsh -c "exit 6"');
  return found === 6 ? isClean(session) : `three lines were done with ${found}, the last one's is 6`;
}

async function runsNothing(session: Session): Promise<string | undefined> {
  const before = await lastNumber(session);
  for (const line of ['', '   ', ...(session.shell.hasComments ? ['# nothing'] : [])]) await submit(session, line);
  const after = await lastNumber(session);
  return after === before ? isClean(session) : `${after - before} commands of blank lines and comments`;
}

async function syntaxError(session: Session): Promise<string | undefined> {
  const found = await submit(session, 'echo )');
  if (found === 0) return 'a syntax error was done with 0';
  // fish leaves such a line on the command line.
  return (await interrupt(session)) ?? isClean(session);
}

async function unfinished(session: Session): Promise<string | undefined> {
  const { client, id } = session;
  await client.call('send', { id, input: 'if true\r' });
  const waits = await client.call('wait', { id, until: { awaiting_input: true }, timeout_ms: LIMIT_MS });
  if (waits.outcome !== 'matched') return 'the rest of a command is not waited for';
  const done = await client.call('wait', { id, until: { done: true }, timeout_ms: 1 });
  if (done.outcome === 'matched') return 'a command without its end was done';
  const dropped = (await interrupt(session)) ?? (await isClean(session));
  if (dropped !== undefined) return dropped;
  const run = await client.call('run', { id, command: 'if true', timeout_ms: LIMIT_MS });
  return run.outcome === 'not_run' ? isClean(session) : `run of a command without its end: ${run.outcome}`;
}

async function nested(session: Session): Promise<string | undefined> {
  const { client, id } = session;
  const before = await lastNumber(session);
  await submit(session, session.command);
  await submit(session, 'sh -c "exit 4"');
  const left = await submit(session, 'exit 9');
  if (left !== 9) return `a shell in a shell left with 9 was done with ${left}`;
  const { commands: records } = await client.call('commands', { id });
  const outer = records.filter(({ n, code }) => n > before && code === 9);
  return outer.some(({ command }) => command === session.command) ? isClean(session) : 'no command of the shell in it';
}

async function commands(session: Session): Promise<string | undefined> {
  const { client, id } = session;
  const before = await lastNumber(session);
  const lines = ['echo a1', 'sh -c "exit 3"', 'echo "a b"; false', ''];
  for (const line of lines) await submit(session, line);
  await client.call('run', { id, command: 'sh -c "exit 8"', timeout_ms: LIMIT_MS });
  const { commands: records } = await client.call('commands', { id });
  const found = records.filter(({ n }) => n > before).map(({ command, code }) => `${command} -> ${code}`);
  return differs('commands', found, [
    'echo a1 -> 0',
    'sh -c "exit 3" -> 3',
    'echo "a b"; false -> 1',
    'sh -c "exit 8" -> 8',
  ]);
}

async function order(session: Session): Promise<string | undefined> {
  const { client, id } = session;
  await submit(session, 'cd /usr');
  const events = client.events({ terminal: id, types: ['command_done', 'cwd'] });
  const found: string[] = [];
  try {
    await events.subscribed;
    for (const line of ['cd /', 'cd /tmp', 'echo fence']) await submit(session, line);
    for await (const event of events) {
      if (event.event === 'cwd') found.push(`cwd ${event.cwd}`);
      if (event.event === 'command_done') found.push(`done ${event.command}`);
      if (event.event === 'command_done' && event.command === 'echo fence') break;
      if (found.length > 20) break;
    }
  } finally {
    events.close();
  }
  return differs('events', found, ['done cd /', 'cwd /', 'done cd /tmp', 'cwd /tmp', 'done echo fence']);
}

async function remote(session: Session): Promise<string | undefined> {
  const { client, id, host } = session;
  if (host === undefined) return undefined;
  const before = await lastNumber(session);
  await client.call('send', { id, input: `${host.command}\r` });
  const seen = await client.call('wait', { id, until: { text: 'remote>' }, timeout_ms: LIMIT_MS });
  if (seen.outcome !== 'matched') return 'no prompt of the other host';
  await client.call('send', { id, input: 'echo the"re"\r' });
  await client.call('wait', { id, until: { text: 'there' }, timeout_ms: LIMIT_MS });
  const left = await submit(session, 'exit 3');
  if (left !== 3) return `a shell on another host left with 3 was done with ${left}`;
  const { commands: records } = await client.call('commands', { id });
  const found = records.filter(({ n }) => n > before).map(({ command }) => command);
  return differs('commands', found, [host.command]) ?? isClean(session);
}

/** @returns the code with which it was done */
async function submit({ client, id }: Session, line: string): Promise<number | null> {
  const { wait } = await client.call('send', { id, input: `${line}\r`, wait: DONE });
  if (wait?.outcome !== 'matched') throw new Error(`${JSON.stringify(line)} was not done in ${LIMIT_MS} ms`);
  return wait.code ?? null;
}

/** Once it reads: a Ctrl+C that comes while it draws its prompt leaves bash itself with half an interrupt, and without the next key. */
async function interrupt({ client, id }: Session): Promise<string | undefined> {
  await client.call('wait', { id, until: { awaiting_input: true }, timeout_ms: LIMIT_MS });
  const { wait } = await client.call('press', { id, keys: ['Ctrl+C'], wait: DONE });
  return wait?.outcome === 'matched' ? undefined : 'not done after Ctrl+C';
}

interface RunFacts {
  readonly outcome: string;
  readonly code: number | null;
  readonly lines: readonly string[];
}

async function runLine({ client, id }: Session, command: string): Promise<RunFacts> {
  const { outcome, exit_code: code, lines } = await client.call('run', { id, command, timeout_ms: LIMIT_MS });
  return { outcome, code: code ?? null, lines };
}

/** What came before has left nothing behind. */
async function isClean(session: Session): Promise<string | undefined> {
  const run = await runLine(session, 'echo clean');
  return differs('the next run', run, { outcome: 'done', code: 0, lines: ['clean'] });
}

async function lastNumber({ client, id }: Session): Promise<number> {
  const { commands: records } = await client.call('commands', { id, last: 1 });
  return records.at(-1)?.n ?? 0;
}

function differs(what: string, found: unknown, expected: unknown): string | undefined {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  return is === should ? undefined : `${what}: ${is} instead of ${should}`;
}

/** The sentence of what went wrong. */
export async function judge(verdict: Verdict, session: Session): Promise<string | undefined> {
  try {
    return await verdict(session);
  } catch (error) {
    return error instanceof T4aError ? `${error.code}: ${error.message}` : (error as Error).message;
  }
}
