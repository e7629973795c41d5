/** `t4a doctor`: looks at everything that has to be right, and says what to do where it is not. */
import { resolveSocketPath } from '../../client/paths.js';
import type { Invocation } from '../parse.js';
import { printable } from '../printable.js';
import type { Surroundings } from '../surroundings.js';
import { formatTable } from '../table.js';
import type { Finding } from './finding.js';
import { examineMachine } from './machine.js';
import { examineDaemon } from './running-daemon.js';
import { tryOut } from './trial.js';

const FAILED = 1;

/** @returns the exit status: 1 when anything failed; warnings are no failures */
export async function doctor({ options }: Invocation, surroundings: Surroundings): Promise<number> {
  const { socket, json } = options;
  const socketPath = resolveSocketPath(typeof socket === 'string' ? socket : undefined);
  const findings = [
    ...examineMachine(socketPath, surroundings.env),
    ...(await examineDaemon(socketPath)),
    ...(await tryOut()),
  ];
  const isWell = findings.every(({ state }) => state !== 'failure');
  surroundings.out(json === true ? `${JSON.stringify({ ok: isWell, findings })}\n` : formatFindings(findings));
  return isWell ? 0 : FAILED;
}

function formatFindings(findings: readonly Finding[]): string {
  return formatTable(
    findings.map(({ check, state, says, advice }) => [
      state === 'ok' ? 'ok' : state.toUpperCase(),
      check,
      printable(advice === undefined ? says : `${says}. ${advice}`),
    ]),
    Number.POSITIVE_INFINITY,
  );
}
