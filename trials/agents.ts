/**
 * `npm run trials -- agents [claude]`: prompts, states, slowness and settings by chance for a real agent program, which talks to a model
 * that answers from a script. What the model was sent and what has run is the truth; `deliver`, `doing` and entries are judged by it.
 * The programs are installed from npm into `--folder`, outside of the checkout. The same number (`--from`) is the same draw; `--only`
 * takes draws whose description holds it.
 */
import { loadavg } from 'node:os';
import { connect } from '../src/client/index.js';
import { describe, drawOf, type Draw } from './agents/draw.js';
import { Examination, type Verdict } from './agents/examination.js';
import { installed } from './agents/installed.js';
import { AgentModel } from './agents/model.js';
import { AgentSession, type SessionOptions } from './agents/session.js';
import { AgentTally } from './agents/tally.js';
import type { Report } from './support/report.js';
import { TrialDaemon } from './support/trial-daemon.js';

export const FLAGS = { program: 'claude', from: 0, draws: 12, only: '', nice: 1, folder: '/tmp/t4a-agents' };
export const ARGUMENTS = ['program'];

/** Draws that one start of a program serves, at most. */
const MAX_DRAWS = 6;

export async function trial({
  root,
  program: name,
  from,
  draws,
  only,
  nice: niceness,
  folder,
}: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const { program, version } = installed(folder, name);
  const queue = Array.from({ length: draws }, (_, at) => drawOf(from + at)).filter((draw) =>
    describe(draw).includes(only),
  );
  const daemon = await TrialDaemon.start(root);
  const client = await connect({ socketPath: daemon.socketPath });
  const model = await AgentModel.start();
  const tally = new AgentTally();
  const runner = new Runner({ name, program, client, model, niceness });
  try {
    for (const draw of queue) {
      const verdict = await runner.run(draw).catch((error: unknown) => (error as Error).message);
      console.log(`${describe(draw)}: ${typeof verdict === 'string' ? `NOT TRIED: ${verdict}` : said(verdict)}`);
      tally.add(draw, verdict);
    }
  } finally {
    await runner.stop();
    model.stop();
    await client.close();
    await daemon.stop();
    daemon.remove();
  }
  const load = loadavg()[1]?.toFixed(1) ?? '';
  return {
    figures: [['program', `${name} ${version}`], ['load of the machine in five minutes', load], ...tally.figures()],
    failures: tally.failures,
  };
}

function said({ outcome, proof, elapsedMs, arrived, wrong, states }: Verdict): string {
  const proven = proof === null ? '' : ` (${proof})`;
  const { right, spans, called, asked } = states;
  const doing = `doing ${right} of ${spans}, needs_you ${called} of ${asked}`;
  const end = wrong.length === 0 ? 'right' : `WRONG: ${wrong.join('; ')}`;
  return `${outcome}${proven} in ${elapsedMs} ms, arrived ${arrived}, ${doing}: ${end}${states.wrong.map((one) => `\n    ${one}`).join('')}`;
}

/** Keeps a program for further draws while nothing is left of the last one. */
class Runner {
  readonly #options: SessionOptions;
  #session: AgentSession | undefined;
  #served = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async run(draw: Draw): Promise<Verdict> {
    const isFresh = draw.state === 'starting';
    const isSame = JSON.stringify(this.#session?.settings) === JSON.stringify(draw.settings);
    if (isFresh || !isSame || this.#served >= MAX_DRAWS) await this.stop();
    const session = (this.#session ??= new AgentSession(this.#options, draw.settings));
    let isClean = false;
    try {
      if (this.#served++ === 0) {
        await session.create();
        if (!isFresh) await session.ready();
      }
      const verdict = await new Examination(draw, session, this.#options.model).verdict();
      ({ isClean } = verdict);
      return verdict;
    } finally {
      if (!isClean) await this.stop();
    }
  }

  async stop(): Promise<void> {
    await this.#session?.stop();
    this.#session = undefined;
    this.#served = 0;
  }
}
