/** Programs that end before, during and after replacements: each end is reported once, with its code. */
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/client.js';
import { replaceable } from '../support/replaceable.js';
import { EventStream } from '../support/wait-for.js';

type Answer = Record<string, unknown>;

const PROGRAMS = 40;

/** From the first end to the last one but for that which is awaited: several replacements are within it. */
const SPREAD_S = 2.5;

interface Program {
  readonly name: string;
  readonly script: string;
  readonly end: { readonly code: number | null; readonly signal: string | null };
}

/** Each with a code of its own, but for every eighth, which a signal ends. What it has started outlives every fifth. */
function programs(): readonly Program[] {
  return Array.from({ length: PROGRAMS }, (_, at) => {
    const code = 100 + at;
    const isKilled = at % 8 === 7;
    const after = `sleep ${((SPREAD_S * at) / PROGRAMS).toFixed(3)}`;
    // Of the last one the end is asked for.
    const waits = at === PROGRAMS - 1 ? 'read y' : after;
    const leaves = at % 5 === 4 ? '(trap "" HUP; exec sleep 20) & ' : '';
    return {
      name: `p${at}`,
      script: `read x; ${leaves}${waits}; ${isKilled ? 'kill -KILL $$' : `exit ${code}`}`,
      end: isKilled ? { code: null, signal: 'SIGKILL' } : { code, signal: null },
    };
  });
}

it('forty programs that end around several replacements are each reported once, with their codes, to events and waits', async () => {
  const { daemon, ask, replace } = await replaceable();
  const all = programs();
  for (const { name, script } of all)
    expect(await ask({ cmd: 'create', name, cmd_args: ['sh', '-c', script] })).toMatchObject({ ok: true });
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  onTestFinished(() => client.close());
  const stream = client.events({ since: 0 });
  const live: Answer[] = [];
  const reading = (async () => {
    for await (const line of stream) {
      live.push(line as unknown as Answer);
      if (line.event === 'published') break;
    }
  })();
  const waits = all.map(({ name }) => client.call('wait', { id: name, until: { exit: true }, timeout_ms: 60_000 }));

  for (const { name } of all) await ask({ cmd: 'send', id: name, input: '\r' });
  await waits[0];
  const alive = async (): Promise<number> =>
    ((await ask({ cmd: 'list' }))['terminals'] as Answer[]).filter((each) => each['alive'] === true).length;
  let replacements = 0;
  for (let living = PROGRAMS; living > 1; replacements++) {
    await replace();
    living = await alive();
  }
  await ask({ cmd: 'send', id: all.at(-1)?.name, input: '\r' });

  const ends = all.map(({ name, end }) => ({ terminal: name, ...end }));
  expect(await Promise.all(waits)).toMatchObject(
    ends.map(({ code, signal }) => ({ outcome: 'matched', ...(code === null ? { signal } : { exit_code: code }) })),
  );
  await ask({ cmd: 'publish', name: 'last' });
  await reading;
  const kept = await EventStream.open(daemon.socketPath, { since: 0 });
  const again: Answer[] = [];
  do again.push(await kept.next());
  while (again.at(-1)?.['event'] !== 'published');
  kept.close();
  for (const seen of [live.filter(({ seq }) => seq !== undefined), again]) {
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
    const exits = seen.filter(({ event }) => event === 'exit');
    const byNumber = (name: unknown): number => Number(String(name).slice(1));
    const told = exits.map(({ terminal, code, signal }) => ({ terminal, code, signal }));
    expect(told.toSorted((a, b) => byNumber(a.terminal) - byNumber(b.terminal))).toEqual(ends);
    expect(seen.filter(({ event }) => event === 'replaced')).toHaveLength(replacements);
    // The first has ended before all of them, the last behind them.
    expect([exits[0]?.['terminal'], exits.at(-1)?.['terminal']]).toEqual(['p0', `p${PROGRAMS - 1}`]);
  }
  for (const { name, end } of all)
    expect(await ask({ cmd: 'status', id: name })).toMatchObject({
      alive: false,
      exit_code: end.code,
      signal: end.signal,
    });
});
