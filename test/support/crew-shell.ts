/** `t4a crew` in a terminal of a person, which is that of another daemon. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { launch, type LaunchOptions, type Terminal } from '../../src/client/index.js';
import { crewPlaces, projectFolder } from '../../src/crew/places.js';
import type { MirrorRow } from '../../src/mirror/mirror.js';
import { runCells } from '../../src/mirror/run-cells.js';
import { CLI } from './cli.js';
import { FAKE_AGENT, type FakeAgents, type LoggedByAgent } from './fake-agent.js';
import { clientOfFilesDaemon } from './launch.js';

export const CTRL_K = '\x0b';
const PALETTE = 'Esc: cancel';
/** In the status line. */
export const AT_REST = 'Ctrl+K palette';

/** The person's shell prints the exit status of the shell of the crew, if its terminal has the modes that it had before. */
export async function shellOf(
  fake: Pick<FakeAgents, 'env' | 'project' | 'socketPath'>,
  options: Partial<LaunchOptions> = {},
  {
    flags = [],
    as = 'ada',
    atRest = AT_REST,
  }: { readonly flags?: readonly string[]; readonly as?: string; readonly atRest?: string } = {},
): Promise<Terminal> {
  const words = [process.execPath, CLI, '--socket', fake.socketPath, 'crew', ...flags]
    .map((word) => `'${word}'`)
    .join(' ');
  const { T4A_SOCKET: _ownDaemon, ...env } = fake.env;
  const person = await launch({
    client: await clientOfFilesDaemon(),
    cmd_args: [
      'sh',
      '-c',
      `before=$(stty -g); ${words}; status=$?; [ "$before" = "$(stty -g)" ] && echo "status $status, same modes"; exec cat`,
    ],
    cwd: fake.project,
    env: { ...env, T4A_AS: as, TERM: 'xterm-256color' },
    cols: 80,
    rows: 24,
    ...options,
  });
  await person.waitForText(atRest);
  return person;
}

/** Types into the palette, and does what it offers first. */
export async function choose(person: Terminal, words: string): Promise<void> {
  await person.send(CTRL_K);
  await person.waitForText(PALETTE);
  await person.send(`${words}\r`);
}

export async function rowsOf(person: Terminal): Promise<readonly string[]> {
  const { lines } = await person.call('text', {});
  return lines.map((line) => line.trimEnd());
}

/** A process that the project trusts. */
export async function trusted(fake: FakeAgents, name: string, argv: readonly string[]): Promise<void> {
  fake.preset('processes', `${name}.json`, { name, argv });
  expect(await fake.run('crew', 'trust', name)).toMatchObject({ status: 0, stderr: '' });
}

/** Of the screen, at 80 columns. */
export const SCREEN_COLS = 60;

/** Cells of a row right of a column, with their styles. */
export function cellsFrom({ runs }: MirrorRow, first: number): readonly unknown[] {
  let at = 0;
  return runs.flatMap((run) =>
    runCells(run).flatMap(({ text, width }) => {
      at += width;
      return at - width < first ? [] : [[text, run[1]]];
    }),
  );
}

/** What it has logged. */
export function logOf(fake: FakeAgents, id: string): LoggedByAgent[] {
  const lines = readFileSync(fake.dir.join(`log-${id}`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as LoggedByAgent);
}

export function note(fake: FakeAgents, name: string, text: string): void {
  const folder = join(projectFolder(crewPlaces(fake.env), realpathSync(fake.project)), 'scratchpads');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, name), text, { mode: 0o600 });
}

/** An agent of the project without a model, as another client starts it. */
export async function agent(
  fake: FakeAgents,
  id: string,
  args: readonly string[] = [],
  parent?: string,
): Promise<void> {
  await fake.client.call('create', {
    cmd_args: [process.execPath, FAKE_AGENT, ...args],
    name: id,
    rules: 'claude',
    env: { FAKE_AGENT_LOG: fake.dir.join(`log-${id}`) },
    ...(parent === undefined ? {} : { parent }),
    labels: {
      'crew.session': parent ?? id,
      'crew.kind': 'agent',
      'crew.name': id,
      'crew.project': realpathSync(fake.project),
    },
  });
}

/** It reads keys: one that reads lines would need the person. */
export const WAITS = ['sh', '-c', 'stty -icanon; printf "here %s\\n" "$((6 * 7))"; exec cat'];
