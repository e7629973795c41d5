/**
 * `npm run trials -- verdicts`: draws shells, settings, what came before and programs at random, asks t4a for lines, statuses,
 * questions and ends, and compares what it says with what is so: by the draw, by a pipe, by tmux. `--from` is the number of the
 * first draw: the same number is the same draw. `--only` takes draws whose description holds it. `--big true` is one run that prints
 * a gigabyte, and no draw.
 */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { connect } from '../src/client/index.js';
import type { Report } from './support/report.js';
import { TrialDaemon } from './support/trial-daemon.js';
import { aroundOf } from './verdicts/around.js';
import { describe, drawOf } from './verdicts/draw.js';
import { big } from './verdicts/big.js';
import { Examination } from './verdicts/examination.js';
import { DRAWN_SHELLS } from './verdicts/settings.js';
import { SHELLS } from './shells/setups.js';
import { hasSshd, jumpingDaemon, sshToItself, type Surroundings } from './verdicts/surroundings.js';
import { Tmux } from './verdicts/truths.js';

/** `side`: draws side by side. */
export const FLAGS = { from: 0, draws: 100, side: 4, only: '', big: false };

/** A refusal comes at once. */
const REFUSAL_MS = 1000;

export async function trial({
  root,
  from,
  draws,
  side,
  only,
  big: isBig,
}: typeof FLAGS & { readonly root: string }): Promise<Report> {
  if (isBig) return big(root);
  const missing = [
    ...new Set(['tmux', 'ksh93', 'python3', ...DRAWN_SHELLS.map((name) => SHELLS[name].program)]),
  ].filter((program) => !isThere(program));
  if (missing.length > 0) throw new Error(`this trial needs ${missing.join(', ')}`);
  const numbers = Array.from({ length: draws }, (_, at) => from + at);
  const arounds = numbers.flatMap((number) => aroundOf(number) ?? []).filter(({ text }) => text.includes(only));
  const queue = numbers
    .filter((number) => aroundOf(number) === undefined)
    .map((number) => drawOf(number, isThere))
    .filter((draw) => describe(draw).includes(only));
  const count = queue.length + arounds.length;
  const daemon = await TrialDaemon.start(root);
  const [client, other] = [
    await connect({ socketPath: daemon.socketPath }),
    await connect({ socketPath: daemon.socketPath }),
  ];
  const tmux = new Tmux(daemon.dir);
  const jumping = queue.some(({ meanwhile }) => meanwhile === 'a clock that jumps')
    ? await jumpingDaemon(root)
    : undefined;
  const ssh = hasSshd() ? await sshToItself(daemon.dir) : undefined;
  const around: Surroundings = {
    refusalMs: REFUSAL_MS,
    ...(daemon.process.pid === undefined ? {} : { daemonPid: daemon.process.pid }),
    attach: [process.execPath, path.join(root, 'dist/cli.cjs'), 'attach', '--read-only'],
    ...(ssh === undefined ? {} : { sshConfig: ssh.sshConfig }),
    ...(jumping === undefined ? {} : { jump: jumping.jump }),
  };
  const wrong: [string, readonly string[]][] = [];
  const refused = { client: 0, needed: 0, needless: 0 };
  const causes = new Map<string, number>();
  let unknown = 0;
  try {
    const worker = async (): Promise<void> => {
      for (let draw = queue.shift(); draw !== undefined; draw = queue.shift()) {
        const isJumping = draw.meanwhile === 'a clock that jumps';
        const [own, second] = isJumping && jumping !== undefined ? jumping.clients : [client, other];
        const verdict = await new Examination(draw, own, second, tmux, around).verdict();
        if (verdict.refusal !== undefined) {
          refused[verdict.refusal]++;
          const cause = draw.leftovers.map(({ name }) => name).join(', ');
          causes.set(cause, (causes.get(cause) ?? 0) + 1);
        }
        if (verdict.wasUnknown) unknown++;
        if (verdict.wrong.length > 0) wrong.push([describe(draw), verdict.wrong]);
      }
      for (let draw = arounds.shift(); draw !== undefined; draw = arounds.shift()) {
        const list = await draw.wrong(client, root).catch((error: unknown) => [(error as Error).message]);
        if (list.length > 0) wrong.push([draw.text, list]);
      }
    };
    await Promise.all(Array.from({ length: side }, worker));
  } finally {
    await tmux.stop();
    await ssh?.stop();
    await jumping?.stop();
    await client.close();
    await other.close();
    await daemon.stop();
    daemon.remove();
  }
  return {
    figures: [
      ['draws', count],
      ['right', count - wrong.length],
      ["refused, since a client's text or keys stood there", refused.client],
      ['refused, since something else stood in the way', refused.needed],
      ['refused without that', refused.needless],
      ['of a hundred, without that', share(refused.needless, count)],
      ["of a hundred, without a client's text or keys", share(refused.needed + refused.needless, count)],
      ...[...causes]
        .toSorted(([, a], [, b]) => b - a)
        .map(([cause, times]): [string, number] => [`refused after ${cause}`, times]),
      ['said to be unknown: where output begins', unknown],
      ...(ssh === undefined ? [['left out: ssh, since there is no sshd', 0] as [string, number]] : []),
    ],
    failures: wrong.map(([text, list]) => `${text}\n      ${list.join('\n      ')}`),
  };
}

const share = (part: number, of: number): number => Number(((100 * part) / Math.max(1, of)).toFixed(1));

/** A program on the PATH. */
function isThere(program: string): boolean {
  if (program === 'sshd') return hasSshd();
  return (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false; // ENOENT, EACCES: not in this folder.
    }
  });
}
