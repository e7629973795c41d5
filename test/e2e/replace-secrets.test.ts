/** Prompts for a secret that are up while another daemon takes over: they stay, the secret goes to the program, and nothing shows it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/client.js';
import { itNeeds } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';
import { replaceable, type Replaceable, seenOf, underWay } from '../support/replaceable.js';
import { SECRET_PROMPTS } from '../support/secret-prompts.js';
import { EventStream } from '../support/wait-for.js';

type Answer = Record<string, unknown>;

const SECRET = 'tarnished-lobster-4402';

/** Some of what a daemon keeps or says of a terminal, as text: a secret is in none of it. */
async function saidOf({ daemon, ask }: Replaceable, id: string): Promise<string> {
  const { header, bytes } = await rawRequest(daemon.socketPath, { cmd: 'output', id, since: 0 });
  expect(header).toMatchObject({ ok: true });
  const said: unknown[] = [bytes.toString('latin1'), daemon.log()];
  for (const fields of [
    { cmd: 'text', region: 'all' },
    { cmd: 'status' },
    { cmd: 'debug' },
    { cmd: 'seek', text: SECRET.slice(0, 9) },
    { cmd: 'asks' },
  ])
    said.push(await ask(fields.cmd === 'asks' ? fields : { ...fields, id }));
  const last = (await ask({ cmd: 'publish', name: 'last' }))['seq'];
  const events = await EventStream.open(daemon.socketPath, { since: 0 });
  do said.push(await events.next());
  while ((said.at(-1) as Answer)['seq'] !== last);
  events.close();
  // Of the words that were searched for none was in the past.
  expect(said[5]).toMatchObject({ outcome: 'none' });
  return JSON.stringify(said);
}

const NEEDED = [...new Set(SECRET_PROMPTS.flatMap(({ needs }) => needs))];

itNeeds(...NEEDED)(
  'each prompt is what it was, takes a secret if it did, and refuses it as before if not',
  async () => {
    const old = await replaceable();
    const { daemon, ask, replace } = old;
    const made: { readonly id: string; readonly prompt: (typeof SECRET_PROMPTS)[number]; readonly before: unknown }[] =
      [];
    const awaited = async (id: string): Promise<unknown> => {
      const { awaiting_input: found } = await ask({ cmd: 'status', id });
      const { kind, secrecy } = (found ?? {}) as Answer;
      return { kind, secrecy };
    };
    for (const [at, prompt] of SECRET_PROMPTS.entries()) {
      const id = `p${at}`;
      const command = prompt.command(daemon.dir);
      expect(await ask({ cmd: 'create', name: id, cmd_args: command, env: { TMUX: '' } })).toMatchObject({ ok: true });
      const until = prompt.kind === undefined ? { text: 'Password:' } : { awaiting_input: prompt.kind };
      expect(await ask({ cmd: 'wait', id, until })).toMatchObject({ outcome: 'matched' });
      made.push({ id, prompt, before: await awaited(id) });
    }
    await replace();
    for (const { id, prompt, before } of made) {
      expect(await awaited(id), prompt.name).toEqual(before);
      const typed = await ask({ cmd: 'type', id, text: SECRET, submit: true, secret: true });
      if (prompt.secrecy !== 'hidden') expect(typed, prompt.name).toMatchObject({ ok: false, code: 'would_echo' });
      else {
        expect(typed, prompt.name).toMatchObject({ ok: true, bytes_sent: SECRET.length + 1 });
        const wait = { cmd: 'wait', id, until: { text: `length ${SECRET.length}` } };
        expect(await ask(wait), prompt.name).toMatchObject({ outcome: 'matched' });
      }
    }
    await replace();
    for (const { id, prompt } of made) {
      const said = await saidOf(old, id);
      expect(said, prompt.name).not.toContain(SECRET);
      if (prompt.secrecy === 'hidden') expect(said, prompt.name).toContain(`length ${SECRET.length}`);
    }
  },
);

it('a question for a secret stays, over two replacements, and its answer reaches the program alone', async () => {
  const old = await replaceable();
  const { daemon, ask, replace } = old;
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false, as: 'bob' });
  onTestFinished(() => client.close());
  const script = 'stty -echo; printf Password:; read -r x; stty echo; printf "[%s]" "${#x}"; exec cat';
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script] });
  await ask({ cmd: 'wait', id: 'a', until: { awaiting_input: 'password' } });
  const file = path.join(daemon.dir, 'a.cast');
  expect(await ask({ cmd: 'record', id: 'a', action: 'start', path: file, input: true })).toMatchObject({ ok: true });
  const asked = client.call('ask', { id: 'a', question: 'Which password?', kind: 'secret', timeout_ms: 60_000 });
  await underWay({ ask }, 1);
  const screen = await seenOf(daemon, 'a');
  const open = async (): Promise<unknown> =>
    ((await ask({ cmd: 'asks' }))['asks'] as Answer[]).map(({ ask: number, kind, as, id }) => ({
      number,
      kind,
      as,
      id,
    }));
  const questions = await open();
  expect(questions).toEqual([{ number: 1, kind: 'secret', as: 'bob', id: 'a' }]);
  for (let count = 0; count < 2; count++) {
    await replace();
    expect(await open()).toEqual(questions);
    expect(await seenOf(daemon, 'a')).toEqual(screen);
    await underWay({ ask }, 1);
  }
  expect(await ask({ cmd: 'answer', ask: 1, text: SECRET, as: 'eve' })).toMatchObject({
    ok: true,
    outcome: 'answered',
  });
  const reply = await asked;
  expect(reply).toMatchObject({ ask: 1, outcome: 'answered', by: 'eve' });
  expect(JSON.stringify(reply)).not.toContain(SECRET);
  expect(await ask({ cmd: 'wait', id: 'a', until: { text: `[${SECRET.length}]` } })).toMatchObject({
    outcome: 'matched',
  });
  await replace();
  expect(await saidOf(old, 'a')).not.toContain(SECRET);
  await ask({ cmd: 'record', id: 'a', action: 'stop' });
  const recorded = readFileSync(file, 'utf8');
  expect(recorded).toContain(`[${SECRET.length}]`);
  expect(recorded).not.toContain(SECRET);
});

itNeeds('bash')(
  'a question for a secret is behind a replacement answered to no other program, and nowhere with echo',
  async () => {
    const { ask, replace } = await replaceable();
    const script = 'printf ready; read -rs x; bash -c "stty -echo; echo next; read -r y"; :';
    await ask({ cmd: 'create', name: 'other', cmd_args: ['bash', '--norc', '--noprofile', '-ic', script] });
    await ask({ cmd: 'wait', id: 'other', until: { awaiting_input: 'password' } });
    await ask({ cmd: 'create', name: 'shown', cmd_args: ['cat'] });
    await ask({ cmd: 'wait', id: 'shown', until: { awaiting_input: 'line' } });
    for (const id of ['other', 'shown'])
      expect(await ask({ cmd: 'ask', id, as: 'bob', question: 'Which?', kind: 'secret', timeout_ms: 0 })).toMatchObject(
        {
          outcome: 'open',
        },
      );
    await replace();
    await ask({ cmd: 'send', id: 'other', input: '\r', wait: { until: { text: 'next' } } });
    await ask({ cmd: 'wait', id: 'other', until: { awaiting_input: 'password' } });
    const answer = { cmd: 'answer', text: SECRET, as: 'eve' };
    const error = expect.stringContaining('Another program') as unknown;
    expect(await ask({ ...answer, ask: 1 })).toMatchObject({ code: 'would_echo', error });
    expect(await ask({ ...answer, ask: 2 })).toMatchObject({ code: 'would_echo' });
    for (const id of ['other', 'shown'])
      expect(JSON.stringify(await ask({ cmd: 'text', id, region: 'all' }))).not.toContain(SECRET);
    expect((await ask({ cmd: 'asks' }))['asks']).toHaveLength(2);
  },
);
