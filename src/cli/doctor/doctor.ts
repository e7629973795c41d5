/** `t4a doctor`: looks at everything that has to be right, and says what to do where it is not. */
import type { Color, Paint } from '../output/color.js';
import type { Invocation } from '../argv/invocation.js';
import { printable } from '../output/printable.js';
import type { Host } from '../host.js';
import { formatTable } from '../output/table.js';
import { examineConfiguration } from './configuration.js';
import type { Finding } from './finding.js';
import { examineLocale } from './locale.js';
import { examineMachine } from './machine.js';
import { examinePlace } from './place.js';
import { examineDaemon } from './running-daemon.js';
import { tryOut } from './trial.js';
import { examineTmuxDoor } from './tmux-door.js';
import { examineWarmHost } from './warm-host.js';

const FAILED = 1;

/** @returns the exit status: 1 when anything failed; warnings are no failures */
export async function doctor({ options }: Invocation, host: Host): Promise<number> {
  const { socket, color, json } = options;
  const configuration = examineConfiguration(socket, color, host);
  const { socketPath: named } = configuration;
  const { socketPath, findings: ofPlace } =
    named === undefined ? await examinePlace() : { socketPath: named, findings: [] };
  const findings = [
    ...examineMachine(socketPath, host.env),
    examineLocale(host),
    examineTmuxDoor(host.env),
    ...ofPlace,
    configuration.finding,
    ...(socketPath === undefined ? [] : [...(await examineDaemon(socketPath)), ...examineWarmHost(socketPath)]),
    ...(await tryOut(host)),
  ];
  const isWell = findings.every(({ state }) => state !== 'failure');
  const paint = json === true ? undefined : configuration.paint;
  host.out(paint === undefined ? `${JSON.stringify({ ok: isWell, findings })}\n` : formatFindings(findings, paint));
  return isWell ? 0 : FAILED;
}

const COLORS: Readonly<Record<Finding['state'], Color>> = { ok: 'green', warning: 'yellow', failure: 'bold red' };

function formatFindings(findings: readonly Finding[], paint: Paint): string {
  return formatTable(
    findings.map(({ check, state, says, advice }) => [
      state === 'ok' ? 'ok' : state.toUpperCase(),
      check,
      printable(advice === undefined ? says : `${says.replace(/\.$/, '')}. ${advice}`),
    ]),
    Number.POSITIVE_INFINITY,
    (text, row, column) => (column === 0 ? paint(COLORS[findings[row]?.state ?? 'ok'], text) : text),
  );
}
