/** A host whose far side is a program of the test's: it answers `ping`, and everything else as a table says. */
import { chmodSync, writeFileSync } from 'node:fs';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import type { TestFleet } from './fleet.js';

/** A reply without its `req`, or with lines that follow it as they are. */
export interface Answer {
  readonly ok: boolean;
  readonly lines?: readonly string[];
  readonly [field: string]: unknown;
}

const PONG = { ok: true, version: '0.1.0', protocol: PROTOCOL_VERSION, pid: 1, instance: 'y', terminals: 0 };
const RESTRICTED = { ok: true, reach: 'create', person: true };

/** Adds it to the list as `box`. @param answers by command; `others` for those that are not named @returns its command */
export async function addHostileHost(fleet: TestFleet, answers: Readonly<Record<string, object>>): Promise<string[]> {
  const file = fleet.dir.join('bin', 'far');
  writeFileSync(
    file,
    `#!${process.execPath}
const table = ${JSON.stringify({ ping: PONG, restrict: RESTRICTED, ...answers })};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { cmd, req } = JSON.parse(line);
  const { ok, lines = [], ...rest } = table[cmd] ?? table.others ?? { ok: true };
  process.stdout.write([JSON.stringify({ ok, req, ...rest }), ...lines, ''].join('\\n'));
});
`,
  );
  chmodSync(file, 0o755);
  await fleet.output('hosts', 'add', 'box', file, 'serve');
  return [file, 'serve'];
}
