/** A reply may say what goes on behind a replacement: of the same command, or the wait behind an act, and nothing else. */
import { expect, test } from 'vitest';
import { overReplacements } from '../../src/client/resume.js';
import { type ResumeRequest, T4aError } from '../../src/protocol/errors.js';

const OTHER = { cmd: 'create', cmd_args: ['touch', 'x'] };

async function asked(first: ResumeRequest, outcome: Promise<object>) {
  const sent: ResumeRequest[] = [];
  const again = async (request: ResumeRequest): Promise<object> => {
    sent.push(request);
    return { ok: true, outcome: 'matched' };
  };
  const reply: unknown = await overReplacements(outcome, first, again).catch((error: unknown) => error);
  return { sent, reply };
}

const replaced = (details: object) => Promise.reject(new T4aError('replaced', 'It was.', details));

test('a request goes on as the same command, and as no other', async () => {
  const first = { cmd: 'wait', id: 'a', timeout_ms: 9 };
  const rest = { ...first, timeout_ms: 3 };
  expect((await asked(first, replaced({ acted: false, resume: rest }))).sent).toEqual([rest]);
  const refused = await asked(first, replaced({ acted: true, resume: OTHER }));
  expect(refused).toMatchObject({ sent: [], reply: { code: 'replaced' } });
  expect((await asked(first, replaced({ acted: false, resume: OTHER }))).sent).toEqual([first]);
});

test('behind an act that was done a wait goes on, and nothing else', async () => {
  const first = { cmd: 'type', id: 'a', text: 'x' };
  const done = (resume: object) => Promise.resolve({ ok: true, observed: { code: 'replaced', resume } });
  const wait = { cmd: 'wait', id: 'a' };
  expect(await asked(first, done(wait))).toMatchObject({ sent: [wait], reply: { wait: { outcome: 'matched' } } });
  expect(await asked(first, done(OTHER))).toMatchObject({ sent: [], reply: { observed: { code: 'replaced' } } });
});
