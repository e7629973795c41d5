/** Shells that mark no starts, on a terminal without echo: Enter is not shown, so output begins behind the prompt. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: '/no/such' } });
});
afterAll(() => daemon.stop());

/** busybox is its shell by that name. */
function programOf(shell: string): string {
  if (shell !== 'busybox') return requireProgram(shell);
  const link = path.join(daemon.dir, 'bin', 'ash');
  mkdirSync(path.dirname(link));
  symlinkSync(requireProgram(shell), link);
  return link;
}

describe.each(['dash', 'mksh', 'busybox'])('in %s', (shell) => {
  itNeeds(shell)('with echo off the lines of a command are what it printed', async () => {
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)], wait });
    const run = (command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
    await run('stty -echo');
    expect(await run('echo one; echo two')).toMatchObject({ lines: ['one', 'two'], lost_lines: 0 });
    expect(await run('sh -c "exit 3"')).toMatchObject({ exit_code: 3, lines: [] });
    expect(await run(String.raw`printf 'working\rdone        \nnext\n'`)).toMatchObject({ lines: ['done', 'next'] });
    await request(daemon, { cmd: 'type', id, text: 'echo typed', submit: true, wait });
    const text = await request(daemon, { cmd: 'text', id, command: -1, trim: true });
    expect((text['lines'] as string[]).filter((line) => line !== '')).toEqual(['typed']);
  });
});
