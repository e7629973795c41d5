/** Input that is called a secret: it reaches the program, and nobody else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
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

describe.each(WAYS)('a secret by %s', (cmd, fields) => {
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

  it('is in no error, whatever is wrong with its request', async () => {
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

  it('is in no error of a program that has exited or does not read', async () => {
    const gone = await TestTerminal.start(daemon, ['true']);
    await gone.exited();
    expectNowhere({ error: await gone.ask(cmd, { ...fields, secret: true }), log: daemon.log() });
    await gone.end();
  });
});
