/** Of agents that want one name of a fleet at the same time one serves under it, and no request is done by another, or twice. */
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { serveAgent } from '../../src/nats/agent.js';
import { parseFleetUrl } from '../../src/nats/fleet-url.js';
import { isT4aError } from '../../src/protocol/errors.js';
import { testFleet } from '../support/fleet.js';
import { natsServer } from '../support/nats.js';
import { needs } from '../support/programs.js';
import { RawLink } from '../support/raw-link.js';
import { runsOf } from '../support/trial.js';
import { tempDir } from '../support/temp-dir.js';

needs('nats-server');

const ROUNDS = runsOf({ suite: 3, trial: 100 });

interface Joining {
  readonly joined: Promise<true>;
  /** Its reason to leave. */
  readonly ended: Promise<unknown>;
}

test('of hosts that join under one name at once one serves, and the others leave before they have served', async () => {
  const [server, fleet, { path: dir }] = [await natsServer(), testFleet(), tempDir()];
  const sockets = [await fleet.daemon('one'), await fleet.daemon('two'), await fleet.daemon('three')];
  const nats = await server.client();
  for (let round = 0; round < ROUNDS; round++) {
    const all = new AbortController();
    onTestFinished(() => all.abort());
    const joinings = sockets.map((socketPath): Joining => {
      let onJoined: () => void = () => {};
      const joined = new Promise<true>((resolve) => {
        onJoined = () => resolve(true);
      });
      const ended = serveAgent({
        url: parseFleetUrl(`${server.url}/raw`),
        host: 'web1',
        allow: 'create',
        labels: {},
        socketPath,
        onJoined,
        log: () => {},
        signal: all.signal,
      }).catch((error: unknown) => error);
      return { joined, ended };
    });
    const outcomes = await Promise.all(
      joinings.map(({ joined, ended }) =>
        Promise.race([joined, ended.then((error) => (isT4aError(error) ? error.code : error))]),
      ),
    );
    expect(outcomes).toHaveLength(3);
    expect(outcomes.filter((each) => each === 'name_taken')).toHaveLength(2);
    expect(outcomes).toContain(true);
    // Each that is there answers.
    const answers = await nats.requestMany('t4a.raw.who.web1', undefined, { strategy: 'stall', maxWait: 3000 });
    const present: { address: string }[] = [];
    for await (const answer of answers) present.push(answer.json());
    expect(present).toHaveLength(1);
    const link = new RawLink({ nats, address: present[0]?.address ?? '' }, 'create', '_INBOX.own');
    link.send(`{"cmd":"create","cmd_args":["mktemp","${dir}/${round}-XXXXXX"],"req":1}\n`);
    await expect.poll(() => link.text).toContain('"req":1');
    await expect.poll(() => readdirSync(dir)).toHaveLength(round + 1);
    all.abort();
    await Promise.all(joinings.map(({ ended }) => ended));
  }
});
