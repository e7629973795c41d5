/** `rules check` works in slices: others are answered meanwhile. Their answers are counted, and nothing is timed. */
import { expect, onTestFinished, test } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';

const PROFILES = 60;
const RULES = 80;

/** Thousands of patterns that take long to compile. */
const rules = JSON.stringify({
  version: 1,
  profiles: Array.from({ length: PROFILES }, (_, profile) => ({
    id: `p${profile}`,
    rules: Array.from({ length: RULES }, (__, rule) => ({
      id: `r${rule}`,
      start: `\\p{L}{1,20}x${profile}y${rule}`,
      emit: { kind: 'found' },
    })),
  })),
});

test('others are answered again and again while thousands of rules are checked', async () => {
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  await request(daemon, { cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const [checking, other] = [new RawConnection(daemon.socketPath), new RawConnection(daemon.socketPath)];
  await Promise.all([checking, other].map((each) => each.request({ cmd: 'ping' })));
  let isChecked = false;
  const checked = checking.request({ cmd: 'rules', action: 'check', terminal: 'a', rules }).then(({ header }) => {
    isChecked = true;
    return header;
  });
  let answers = 0;
  while (!isChecked) {
    expect((await other.request({ cmd: 'list' })).header).toMatchObject({ ok: true });
    answers++;
  }
  expect(await checked).toMatchObject({ ok: true });
  // In one step: the one that was under way, and the one that came with the reply.
  expect(answers).toBeGreaterThan(20);
});
