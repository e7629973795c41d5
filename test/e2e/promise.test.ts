/**
 * docs/backend.md "What stays": a later version gives what was recorded with a release. `T4A_RECORD_PROMISE=VERSION` records the newest
 * session anew, before that release.
 */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { itNeeds } from '../support/programs.js';
import { keepPromised, lost, promisedSteps, promisedVersions, type PromisedStep } from '../support/promise.js';
import { EventStream } from '../support/wait-for.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCommandLine();
const recording = process.env['T4A_RECORD_PROMISE'];

/** The reply or the error, a line of JSON. */
async function asked({ args }: Pick<PromisedStep, 'args'>): Promise<PromisedStep> {
  const [command = '', ...others] = args;
  const file = path.join(tempDir().path, 'shown.png');
  const { status, stdout, stderr } = await cli.t4a([
    command,
    '--json',
    ...others.map((arg) => (arg === 'FILE' ? file : arg)),
  ]);
  const line = (stdout.trim() === '' ? stderr : stdout).trim().split('\n')[0] ?? '';
  return { args, status: Number(status), reply: JSON.parse(line) as unknown };
}

/** Events that a slow machine does not have in this session. */
const BY_THE_CLOCK = new Set(['idle', 'activity', 'settled', 'awaiting_input']);

/** Of the events of the session, the first of each type. */
async function firstOfEachType(): Promise<PromisedStep> {
  const events = await EventStream.open(cli.daemon.socketPath, { since: 0 });
  await cli.output(['publish', 'end-of-session']);
  const reply: Record<string, unknown> = {};
  for (;;) {
    const event = await events.next();
    if (event['name'] === 'end-of-session') break;
    const type = String(event['event']);
    if (!BY_THE_CLOCK.has(type)) reply[type] ??= event;
  }
  events.close();
  return { args: ['events'], status: 0, reply };
}

describe.each(promisedVersions())('%s', (version) => {
  itNeeds('bash')('each reply has what was recorded', async () => {
    const steps = promisedSteps(version);
    const now: PromisedStep[] = [];
    for (const step of steps) now.push(step.args[0] === 'events' ? await firstOfEachType() : await asked(step));
    if (recording !== undefined) keepPromised(recording, now);
    const broken = now.flatMap(({ args, status, reply }, i) => {
      const was = steps[i];
      if (was === undefined || recording !== undefined) return [];
      const ends = status === was.status ? [] : [`status was ${was.status}, is ${status}`];
      return [...ends, ...lost(was.reply, reply)].map((each) => `t4a ${args.join(' ')}: ${each}`);
    });
    expect(broken).toEqual([]);
    expect(steps.length).toBeGreaterThan(60);
  });
});

test('a lost field, another type, an emptied list and another word are found; new fields are not', () => {
  const was = { a: 1, b: null, list: [{ x: 'y' }], outcome: 'matched', ok: true, note: 'old' };
  const now = { a: 2, b: 3, list: [{ x: 'z', more: 1 }], outcome: 'matched', ok: true, note: 'new', more: 1 };
  expect(lost(was, now)).toEqual([]);
  expect(lost(was, { ...now, a: '2' })).toEqual(['reply.a was number, is string']);
  expect(lost(was, { ...now, b: undefined })).toEqual(['reply.b is gone']);
  expect(lost(was, { ...now, list: [] })).toEqual(['reply.list is empty']);
  expect(lost(was, { ...now, list: [{}] })).toEqual(['reply.list[0].x is gone']);
  expect(lost(was, { ...now, outcome: 'timeout' })).toEqual(['reply.outcome was "matched", is "timeout"']);
  expect(lost(was, { ...now, ok: false })).toEqual(['reply.ok was true, is false']);
});
