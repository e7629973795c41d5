/** Programs that are called what a runtime calls its main thread, in terminals. */
import { readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { foregroundThreads } from '../../../src/terminal/system/proc/blocked-threads.js';
import { canProbeInput } from '../../../src/terminal/system/proc/input-probe.js';
import { processName } from '../../../src/terminal/system/process-name.js';
import { foregroundName } from '../../../src/terminal/system/processes.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import { ownTerminal, untilShown } from '../../support/own-terminal.js';
import { tempDir } from '../../support/temp-dir.js';
import { itAsRoot, STRANGER } from '../../support/users.js';

/** A shell that has given itself that name, and reads a line. */
async function calling(itself: string, program = 'sh'): Promise<Terminal> {
  const script = `stty -echo; printf '%s' '${itself}' >/proc/$$/comm; printf on; read line`;
  const quoted = script.replaceAll("'", String.raw`'\''`);
  const terminal = ownTerminal({ script: `exec ${program} -c '${quoted}'` });
  await untilShown(terminal, 'on');
  return terminal;
}

function tempLink(name: string): string {
  const link = tempDir().join(name);
  symlinkSync('/bin/sh', link);
  return link;
}

const namesOf = ({ pid, device }: Terminal): unknown[] => [
  foregroundName(pid),
  ...foregroundThreads(pid, device).map((thread) => thread.process),
];

describe.runIf(canProbeInput)('the name of a process', () => {
  test.each(['node-MainThread', 'MainThread', 'deno-MainThread'])('by its program where it says %s', async (name) => {
    const terminal = await calling(name);
    const program = path.basename(readlinkSync(`/proc/${terminal.pid}/exe`));
    expect(namesOf(terminal)).toEqual([program, program]);
    expect(readFileSync(`/proc/${terminal.pid}/comm`, 'utf8')).toBe(`${name}\n`);
  });

  test.each(['my-server', 'MainThreads', 'NotMainThread'])('what it calls itself: %s', async (name) => {
    expect(namesOf(await calling(name))).toEqual([name, name]);
  });

  itAsRoot()("is that of its start for another user's process, whose program is hidden", async () => {
    const terminal = await calling('node-MainThread', tempLink('some-shell'));
    process.seteuid?.(STRANGER);
    try {
      expect(() => readlinkSync(`/proc/${terminal.pid}/exe`)).toThrow('EACCES');
      expect(foregroundName(terminal.pid)).toBe('some-shell');
    } finally {
      process.seteuid?.(0);
    }
  });

  test("is the system's name otherwise", () => {
    expect(processName(2 ** 22 + 1, 'node-MainThread')).toBe('node-MainThread');
  });
});
