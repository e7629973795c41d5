/** A secret is written only while a program certainly reads a line without echo, and else refused with `would_echo`. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { TestTerminal } from '../support/screen-fence.js';
import { promptShown, SECRET_PROMPTS, type SecretPrompt } from '../support/secret-prompts.js';

const SECRET = 'tarnished-lobster-4402';
const WRITTEN = SECRET_PROMPTS.filter(({ secrecy }) => secrecy === 'hidden');
const REFUSED = SECRET_PROMPTS.filter(({ secrecy }) => secrecy !== 'hidden');

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

async function start(command: readonly string[], fields: object = {}): Promise<TestTerminal> {
  const terminal = await TestTerminal.start(daemon, command, fields);
  onTestFinished(() => terminal.end());
  return terminal;
}

async function asked(prompt: SecretPrompt): Promise<TestTerminal> {
  const terminal = await start(prompt.command(daemon.dir), { env: { TMUX: '' } });
  await promptShown(terminal, prompt);
  return terminal;
}

const submitted = { text: SECRET, submit: true, secret: true };

async function untilShown(terminal: TestTerminal, text: string): Promise<void> {
  expect(await terminal.do('wait', { until: { text } })).toMatchObject({ outcome: 'matched' });
}

/** The program has had nothing: what is typed next is all of its line. */
async function expectNothingArrived(terminal: TestTerminal): Promise<void> {
  const wait = { until: { text: 'next' } };
  expect(await terminal.do('type', { text: 'next', submit: true, wait })).toMatchObject({
    wait: { outcome: 'matched' },
  });
  expect((await terminal.lines({ region: 'all' })).join('\n')).not.toContain(SECRET);
}

describe('typed text is reported as', () => {
  for (const prompt of SECRET_PROMPTS) {
    itNeeds(...prompt.needs)(`${prompt.secrecy} at ${prompt.name}`, async () => {
      const { kind, secrecy } = prompt;
      const { awaiting_input: found } = await (await asked(prompt)).do('status');
      if (kind === undefined) expect(found).toBeNull();
      else expect(found).toMatchObject({ kind, secrecy });
    });
  }

  itNeeds('bash')('shown at the prompt of a shell with marks', async () => {
    const shell = await start(['bash']);
    await shell.do('wait', { until: { done: true } });
    expect(await shell.do('wait', { until: { awaiting_input: true } })).toMatchObject({
      awaiting_input: { kind: 'raw', secrecy: 'shown' },
    });
    expect(await shell.ask('type', submitted)).toMatchObject({ ok: false, code: 'would_echo' });
  });
});

describe('a secret is written', () => {
  for (const prompt of WRITTEN) {
    itNeeds(...prompt.needs)(`at ${prompt.name}, with its Enter, and not shown`, async () => {
      const terminal = await asked(prompt);
      const wait = { until: { exit: true } };
      expect(await terminal.do('type', { ...submitted, wait })).toMatchObject({ bytes_sent: SECRET.length + 1 });
      const lines = (await terminal.lines()).join('\n');
      expect(lines).toContain(`length ${SECRET.length}`);
      expect(lines).not.toContain(SECRET);
    });
  }

  itNeeds('bash')('at the prompt that the previous line causes, but not ahead of a prompt that echoes', async () => {
    const script = 'read -r user; read -r -s word; read -r next; echo "length ${#word} of $user, $next"';
    const terminal = await start(['bash', '--norc', '-c', script]);
    await terminal.untilReads();
    const connection = new RawConnection(daemon.socketPath);
    onTestFinished(() => connection.close());
    // At once: the second is typed ahead of its prompt, the third ahead of a line that is shown.
    for (const fields of [{ text: 'me', submit: true }, submitted, submitted]) {
      connection.write(`${JSON.stringify({ cmd: 'type', id: terminal.id, ...fields })}\n`);
    }
    expect((await connection.reply()).header).toMatchObject({ ok: true });
    expect((await connection.reply()).header).toMatchObject({ ok: true });
    expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'would_echo' });
    await expectNothingArrived(terminal);
    await untilShown(terminal, `length ${SECRET.length} of me, next`);
  });
});

describe('a secret is refused', () => {
  for (const prompt of REFUSED) {
    itNeeds(...prompt.needs)(`at ${prompt.name}, unless a person insists`, async () => {
      const terminal = await asked(prompt);
      for (const [cmd, fields] of [
        ['type', submitted],
        ['paste', submitted],
        ['send', { input: `${SECRET}\r`, secret: true }],
      ] as const) {
        const refusal = await terminal.ask(cmd, fields);
        expect(refusal).toMatchObject({
          ok: false,
          code: 'would_echo',
          error: expect.stringContaining(WHY[prompt.secrecy]),
        });
        expect(JSON.stringify(refusal)).not.toContain(SECRET);
      }
      expect((await terminal.lines({ region: 'all' })).join('\n')).not.toContain(SECRET);
      await terminal.do('type', { ...submitted, even_if_shown: true });
      await untilShown(terminal, prompt.shows ? SECRET : `length ${SECRET.length}`);
    });
  }

  it('at a program that echoes lines, before any of it is written', async () => {
    const terminal = await start(['cat']);
    await terminal.untilReads();
    expect(await terminal.ask('type', submitted)).toMatchObject({ ok: false, code: 'would_echo' });
    await expectNothingArrived(terminal);
  });

  it('at a program that does not read, even if echo is off', async () => {
    const terminal = await start(['sh', '-c', 'stty -echo; printf "ready"; exec sleep 600']);
    await terminal.untilShows('ready');
    expect(await terminal.ask('type', submitted)).toMatchObject({
      ok: false,
      code: 'would_echo',
      error: `No program in terminal "${terminal.id}" reads a line now: the secret was not written.`,
      hint: `t4a wait ${terminal.id} --input-kind password`,
    });
  });

  it('if it has more than one line, or is longer than a line in the kernel', async () => {
    const terminal = await start(['cat']);
    for (const text of [`${SECRET}\nmore`, `${SECRET}\u0004`, `${SECRET}\u0003`, 'x'.repeat(4096)]) {
      const refusal = await terminal.ask('type', { ...submitted, text });
      expect(refusal).toMatchObject({ ok: false, code: 'invalid_field', field: 'text' });
      expect(JSON.stringify(refusal)).not.toContain(SECRET);
    }
  });

  it('if even_if_shown is set for input that is no secret', async () => {
    const terminal = await start(['cat']);
    expect(await terminal.ask('type', { text: 'x', even_if_shown: true })).toMatchObject({
      ok: false,
      code: 'invalid_field',
      field: 'even_if_shown',
    });
  });
});

const WHY = { hidden: '', shown: 'shows what is typed', unknown: 'is unknown' };
