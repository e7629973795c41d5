/** Input that is marked as a secret reaches only the program. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { runCli } from '../support/cli.js';
import { TestTerminal } from '../support/screen-fence.js';
import { EventStream } from '../support/wait-for.js';

const SECRET = 'correct-horse-battery-7731';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

function expectNowhere(where: Record<string, unknown>): void {
  for (const [name, text] of Object.entries(where)) {
    const shown = typeof text === 'string' ? text : JSON.stringify(text);
    expect(shown, name).not.toContain(SECRET);
    expect(shown, `${name}, in base64`).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, -4));
  }
}

const WAYS: readonly (readonly [cmd: string, fields: object])[] = [
  ['type', { text: SECRET, submit: true }],
  ['paste', { text: SECRET, submit: true }],
  ['send', { input: `${SECRET}\r` }],
];

describe.each(WAYS)('a secret sent by %s', (cmd, fields) => {
  it('reaches a program that asks without echo, and is in no event, debug dump, text or log', async () => {
    const all = await EventStream.open(daemon.socketPath);
    const script = `import getpass; print("length", len(getpass.getpass("\\a")), "\\a")`;
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
    await terminal.until('bell');
    const reply = await terminal.do(cmd, { ...fields, secret: true });
    await terminal.exited();
    expect(await terminal.lines()).toContainEqual(expect.stringContaining(`length ${SECRET.length}`));
    const events: unknown[] = [];
    for (let event = await all.next(); event['event'] !== 'exit'; event = await all.next()) events.push(event);
    all.close();
    const debug = await terminal.do('debug', { tail_bytes: 16384 });
    const text = await terminal.do('text', { region: 'all' });
    const listed = await terminal.do('status');
    expectNowhere({ reply, events, debug, text, listed, log: daemon.log() });
    await terminal.end();
  });

  it('is in no error about its request', async () => {
    const base = { cmd, ...fields, secret: true };
    const faults: object[] = [
      { ...base, id: 'nowhere' },
      { ...base, id: 7 },
      { ...base, id: 'a', [SECRET.length > 0 ? 'submitt' : '']: true },
      Object.fromEntries(
        Object.entries({ ...base, id: 'a' }).map(([key, value]) => [
          key,
          key === 'text' || key === 'input' ? [value] : value,
        ]),
      ),
      { ...base, id: 'a', secret: SECRET },
    ];
    const connection = new RawConnection(daemon.socketPath);
    for (const fault of faults) {
      const { header } = await connection.request(fault);
      expect(header).toMatchObject({ ok: false });
      expectNowhere({ error: header });
    }
    connection.write(`${JSON.stringify({ ...base, id: 'a' }).slice(0, -1)}\n`);
    const { header } = await connection.reply();
    expect(header).toMatchObject({ ok: false, code: 'bad_json' });
    expectNowhere({ error: header, log: daemon.log() });
    connection.close();
  });

  it('is in no error about a program that has exited', async () => {
    const gone = await TestTerminal.start(daemon, ['true']);
    await gone.exited();
    expectNowhere({ error: await gone.ask(cmd, { ...fields, secret: true }), log: daemon.log() });
    await gone.end();
  });
});

describe('a secret in the wrong place', () => {
  const base = { cmd: 'type', id: 'a', text: 'x' };

  it.each([
    ['an id with invalid characters', { ...base, id: `${SECRET}!` }, 'invalid_field'],
    ['an id with blanks', { ...base, id: `my ${SECRET}` }, 'invalid_field'],
    ['an id with an invalid first character', { ...base, id: `.${SECRET}` }, 'invalid_field'],
    ['an id that is too long', { ...base, id: SECRET.repeat(3) }, 'invalid_field'],
    ['a valid id beside text that is marked as a secret', { ...base, id: SECRET, secret: true }, 'terminal_not_found'],
    ['the terminal of events', { cmd: 'events', terminal: `${SECRET}!` }, 'invalid_field'],
    ['the name of a field', { ...base, [SECRET]: true }, 'unknown_field'],
    ['the name of a field in a field', { cmd: 'wait', id: 'a', until: { [SECRET]: true } }, 'unknown_field'],
    ['the name of a variable', { cmd: 'create', env: { [`${SECRET}=`]: '' } }, 'invalid_field'],
    ['the value of a variable', { cmd: 'create', env: { PASSWORD: [SECRET] } }, 'invalid_field'],
    ['a text in a list', { ...base, text: [SECRET] }, 'invalid_field'],
    ['an input in an object', { cmd: 'send', id: 'a', input: { [SECRET]: 1 } }, 'invalid_field'],
    ['bytes that are not base64', { cmd: 'paste', id: 'a', text_base64: `${SECRET}!` }, 'invalid_field'],
    ['the command', { cmd: SECRET }, 'unknown_cmd'],
    ['a line that is JSON', SECRET, 'bad_request'],
  ])('is not in the error: %s', async (_, request, code) => {
    const connection = new RawConnection(daemon.socketPath);
    const { header } = await connection.request(request as object);
    connection.close();
    expect(header).toMatchObject({ ok: false, code });
    expectNowhere({ error: header, log: daemon.log() });
  });

  it.each([
    ['the whole line', SECRET],
    ['a text with a quotation mark', `{"cmd":"type","id":"a","text":"${SECRET}"x"}`],
    ['the beginning of a text with a quotation mark', `{"text":"${SECRET}"x","cmd":"type","id":"a"}`],
    ['a text with a backslash', `{"text":"${SECRET}\\q"}`],
  ])('is not in the error of a line that is no JSON: %s', async (_, line) => {
    const connection = new RawConnection(daemon.socketPath);
    connection.write(`${line}\n`);
    const { header } = await connection.reply();
    connection.close();
    expect(header).toMatchObject({ ok: false, code: 'bad_json' });
    expect(JSON.stringify(header)).not.toContain(SECRET.slice(0, 4));
  });

  it('is not in the error of a command line whose arguments are swapped', async () => {
    const { status, stderr } = await runCli(['type', `${SECRET}!`, 't1'], { socketPath: daemon.socketPath });
    expect(status).toBe(2);
    expect(stderr).toContain('"id" of "type" is not valid: names have letters');
    expectNowhere({ stderr, log: daemon.log() });
  });
});

it('a mistyped name is in the error, with the closest name', async () => {
  const connection = new RawConnection(daemon.socketPath);
  const ask = async (request: object) => (await connection.request(request)).header;
  expect(await ask({ cmd: 'type', id: 'a', text: 'x', submitt: true })).toMatchObject({
    error: '"type" has no field "submitt".',
    field: 'submitt',
    closest: 'submit',
  });
  expect(await ask({ cmd: 'wait', id: 'a', until: { exit: true }, timeoutMs: 5 })).toMatchObject({
    error: '"wait" has no field "timeoutMs".',
    closest: 'timeout_ms',
  });
  expect(await ask({ cmd: 'type', id: 'a', text: 'x', colour_scheme: 1 })).toMatchObject({ field: 'colour_scheme' });
  expect(await ask({ cmd: 'text', id: 'nowhere' })).toMatchObject({ error: 'No terminal "nowhere".' });
  connection.close();
});
