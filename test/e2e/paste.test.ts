/** Typed and pasted text, and keys that overtake it, checked by the bytes that the program has received. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canProbeInput } from '../../src/terminal/system/proc/input-probe.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { TestTerminal } from '../support/screen-fence.js';
import { casesOf } from '../support/trial.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** A megabyte of lines, of different lengths, in several scripts; no two are equal. */
const MEGABYTE = makeText(1_000_000);

/** In bytes, for programs that take some seconds for a megabyte. */
const SIZES = casesOf([100_000, 1_000_000], (bytes) => bytes === 100_000);

function makeText(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0, i = 0; size < bytes; i++) {
    const line = `${i} ${'wörd 世界 '.repeat(i % 13)}${'.'.repeat(i % 61)}`;
    lines.push(line);
    size += Buffer.byteLength(line) + 1;
  }
  return `${lines.join('\n')}\n`;
}

describe('a large paste', () => {
  it('to a program that has ended is refused as that, also where its device is now that of another terminal', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['true'], wait: { until: { exit: true } } });
    await request(daemon, { cmd: 'create', cmd_args: ['sleep', '600'] });
    const text = 'x'.repeat(5_000);
    const codes = await Promise.all(
      ['paste', 'type'].map(async (cmd) => (await request(daemon, { cmd, id, text }))['code']),
    );
    expect(codes).toEqual(['terminal_exited', 'terminal_exited']);
  });

  it('of a megabyte reaches cat byte for byte', async () => {
    const file = path.join(daemon.dir, 'cat.txt');
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', `printf '\\a'; exec cat > ${file}`]);
    await terminal.until('bell');
    expect(await terminal.do('paste', { text: MEGABYTE })).toMatchObject({ bracketed: false, removed: 0 });
    await terminal.press('Ctrl+D');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(MEGABYTE);
    await terminal.end();
  });

  it('of a megabyte reaches python byte for byte', async () => {
    const file = path.join(daemon.dir, 'python.txt');
    const script = `import sys; print("\\a", end="", flush=True); open(${JSON.stringify(file)}, "w").write(sys.stdin.read())`;
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
    await terminal.until('bell');
    await terminal.do('paste', { text: MEGABYTE });
    await terminal.press('Ctrl+D');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(MEGABYTE);
    await terminal.end();
  });

  itNeeds('bash').each(SIZES)('of %i bytes reaches bash byte for byte, bracketed', async (bytes) => {
    const pasted = makeText(bytes);
    const file = path.join(daemon.dir, `bash-${bytes}.txt`);
    const env = { PS1: 'ready> ', HISTFILE: '', LC_ALL: 'C.UTF-8' };
    const terminal = await TestTerminal.start(daemon, ['bash', '--norc', '--noprofile'], { env });
    await terminal.untilShows('ready>');
    // In one: readline draws the whole line anew for each key that is typed behind it.
    const text = `printf %s '${pasted}' > ${file}; exit 7`;
    expect(await terminal.do('paste', { text, submit: true })).toMatchObject({ bracketed: true, removed: 0 });
    expect(await terminal.exited()).toMatchObject({ code: 7 });
    expect(readFileSync(file, 'utf8')).toBe(pasted);
    await terminal.end();
  });

  itNeeds('vim').each(SIZES)('of %i bytes reaches vim byte for byte, bracketed', async (bytes) => {
    const pasted = makeText(bytes);
    const file = path.join(daemon.dir, `vim-${bytes}.txt`);
    const terminal = await TestTerminal.start(daemon, ['vim', '-u', 'NONE', '-N', file]);
    await terminal.untilShows(`vim-${bytes}.txt`);
    await terminal.press('i');
    await terminal.untilShows('-- INSERT --');
    expect(await terminal.do('paste', { text: pasted })).toMatchObject({ bracketed: true });
    await terminal.press('Escape', ':', 'x', 'Enter');
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    // Vim ends the last line, which the paste had ended already.
    expect(readFileSync(file, 'utf8')).toBe(`${pasted}\n`);
    await terminal.end();
  });
});

/** Prints what it has read as one line of Python and ends at a line that is "end". */
function reader(first: string): string[] {
  const script = `import os, tty
tty.setraw(0)
os.write(1, ${first} + b"\\x07")
received = b""
while not received.endswith(b"\\xff"): received += os.read(0, 65536)
os.write(1, repr(received[:-1]).encode())`;
  return ['python3', '-c', script];
}

const END = Buffer.of(0xff).toString('base64');

describe('pasted text', () => {
  it('cannot leave its bracket or act as a key', async () => {
    const terminal = await TestTerminal.start(daemon, reader(String.raw`b"\x1b[?2004h"`));
    await terminal.until('bell');
    const text = 'a\x1b[201~b\x03c\td\ne\x9b201~';
    expect(await terminal.do('paste', { text })).toMatchObject({ bracketed: true, removed: 3 });
    await terminal.do('send', { input_base64: END });
    await terminal.exited();
    expect((await terminal.lines())[0]).toBe(String.raw`b'\x1b[200~a[201~bc\td\re201~\x1b[201~'`);
    await terminal.end();
  });

  it('is not bracketed for a program that has not asked for it', async () => {
    const terminal = await TestTerminal.start(daemon, reader('b""'));
    await terminal.until('bell');
    expect(await terminal.do('paste', { text: 'one\r\ntwo\n' })).toMatchObject({ bracketed: false });
    await terminal.do('send', { input_base64: END });
    await terminal.exited();
    expect((await terminal.lines())[0]).toBe(String.raw`b'one\rtwo\r'`);
    await terminal.end();
  });
});

describe('typed text', () => {
  it.each([
    ['as text by default', 'b""', 'hé\tA\n', String.raw`b'h\xc3\xa9\tA\r'`],
    [
      'as keys to a program that asked for all keys',
      String.raw`b"\x1b[>9u"`,
      'aB\n',
      String.raw`b'\x1b[97u\x1b[98;2u\x1b[13u'`,
    ],
  ])('arrives %s', async (_, first, text, received) => {
    const terminal = await TestTerminal.start(daemon, reader(first));
    await terminal.until('bell');
    await terminal.do('type', { text });
    await terminal.do('send', { input_base64: END });
    await terminal.exited();
    expect((await terminal.lines())[0]).toBe(received);
    await terminal.end();
  });

  it('is submitted by a separate Enter, after the text has been read', async () => {
    const script = `import os, tty
tty.setraw(0)
os.write(1, b"\\x07")
reads = [os.read(0, 65536), os.read(0, 65536)]
os.write(1, repr(reads).encode())`;
    for (const cmd of ['type', 'paste']) {
      const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
      await terminal.until('bell');
      await terminal.do(cmd, { text: 'hello', submit: true });
      await terminal.exited();
      expect((await terminal.lines())[0]).toBe(String.raw`[b'hello', b'\r']`);
      await terminal.end();
    }
  });

  it.runIf(canProbeInput)('has its Enter once the program has read it, also if it stands still meanwhile', async () => {
    const script = `import os, tty
tty.setraw(0)
os.write(1, b"\\x07")
reads = [os.read(0, 65536), os.read(0, 65536)]
os.write(1, repr(reads).encode())`;
    for (const cmd of ['type', 'paste']) {
      const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
      await terminal.until('bell');
      await terminal.do('kill', { signal: 'STOP' });
      const typing = terminal.do(cmd, { text: 'hello', submit: true });
      // Longer than a pause after the write would be.
      await sleep(400);
      await terminal.do('kill', { signal: 'CONT' });
      expect(await typing).not.toHaveProperty('warning');
      await terminal.exited();
      expect((await terminal.lines())[0]).toBe(String.raw`[b'hello', b'\r']`);
      await terminal.end();
    }
  });

  it.runIf(canProbeInput)('that is not read within two seconds has its Enter with a warning', async () => {
    const script = 'import signal, tty; tty.setraw(0); print("ready", end="", flush=True); signal.pause()';
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
    await terminal.do('wait', { until: { text: 'ready' } });
    expect(await terminal.do('type', { text: 'hello', submit: true })).toMatchObject({
      bytes_sent: 6,
      warning: expect.stringContaining('had not read the text'),
    });
    await terminal.end();
  });

  it('for a program that reads lines is read with its Enter, without a warning', async () => {
    const terminal = await TestTerminal.start(daemon, ['cat']);
    const reply = await terminal.do('type', { text: 'hello', submit: true });
    expect(reply).toMatchObject({ bytes_sent: 6 });
    expect(reply).not.toHaveProperty('warning');
    await terminal.press('Ctrl+D');
    await terminal.exited();
    expect((await terminal.lines()).slice(0, 2)).toEqual(['hello', 'hello']);
    await terminal.end();
  });

  it.each([
    ['\\x1b[?2004h', 'one\ntwo', true],
    ['\\x1b[?2004h', 'one\n', false],
    ['', 'one\ntwo', false],
  ])('after %j, %j typed is sent with a warning that names paste: %s', async (modes, text, isWarned) => {
    const terminal = await TestTerminal.start(daemon, reader(`b"${modes}"`));
    await terminal.until('bell');
    const reply = await terminal.do('type', { text });
    expect('warning' in reply && String(reply['warning']).includes('"paste"')).toBe(isWarned);
    await terminal.end();
  });

  it('is not mixed with the text of simultaneous requests', async () => {
    const terminal = await TestTerminal.start(daemon, reader('b""'));
    await terminal.until('bell');
    const texts = Array.from({ length: 8 }, (_, i) => `<${`${i}`.repeat(20)}>`);
    await Promise.all(texts.map((text) => terminal.do('type', { text, submit: true })));
    await terminal.do('send', { input_base64: END });
    await terminal.exited();
    const shown = (await terminal.lines({ join_wrapped: true }))[0] ?? '';
    for (const text of texts) expect(shown).toContain(`${text}\\r`);
    await terminal.end();
  });
});

describe('an interrupt', () => {
  it.each([
    ['press', { keys: ['Ctrl+C'] }],
    ['send', { input: '\x03' }],
  ])('by %s overtakes a running paste, and closes its bracket', async (cmd, fields) => {
    // Reads nothing until it is told to; then everything up to the interrupt.
    const script = `import os, signal, tty
tty.setraw(0)
signal.signal(signal.SIGUSR1, lambda *_: None)
os.write(1, b"\\x1b[?2004h\\x07")
signal.pause()
received = b""
while not received.endswith(b"\\x03"): received += os.read(0, 65536)
os.write(1, repr((received[:6], received[-7:], len(received) < 200000)).encode())`;
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
    await terminal.until('bell');
    const pasting = terminal.ask('paste', { text: MEGABYTE, submit: true });
    await untilInputIsPending(terminal);
    const interrupting = terminal.do(cmd, fields);
    expect(await pasting).toMatchObject({
      ok: false,
      code: 'input_interrupted',
      error: expect.stringMatching(/took|sent/),
    });
    await terminal.do('kill', { signal: 'USR1' });
    await interrupting;
    expect(await terminal.exited()).toMatchObject({ code: 0 });
    expect((await terminal.lines())[0]).toBe(String.raw`(b'\x1b[200~', b'\x1b[201~\x03', True)`);
    await terminal.end();
  });

  it('reaches a program in cooked mode that never reads, and drops the rest of the paste', async () => {
    const file = path.join(daemon.dir, 'left.txt');
    const inner = `trap 'exit 42' INT; printf '\\a'; while :; do read -t 1 <> /dev/null; done`;
    const script = `bash -c "$INNER"; echo "ended with $?"; read -r -t 1 -n 1000000 rest; printf %s "$rest" > ${file}`;
    const terminal = await TestTerminal.start(daemon, ['bash', '-c', script], { env: { INNER: inner } });
    await terminal.until('bell');
    const pasting = terminal.ask('paste', { text: MEGABYTE });
    await untilInputIsPending(terminal);
    await terminal.press('Ctrl+C');
    expect(await pasting).toMatchObject({ ok: false, code: 'input_interrupted' });
    await terminal.exited();
    expect((await terminal.lines({ region: 'all' })).join('\n')).toContain('ended with 42');
    expect(readFileSync(file, 'utf8').length).toBeLessThan(200);
    await terminal.end();
  });

  it('that abandons a write of the daemon is not counted as a fault', async () => {
    const faults = async () => (await request(daemon, { cmd: 'stats' }))['faults'];
    const before = await faults();
    const script = `trap 'exit 42' INT; printf '\\a'; while :; do read -t 1 <> /dev/null; done`;
    const terminal = await TestTerminal.start(daemon, ['bash', '-c', script]);
    await terminal.until('bell');
    const pasting = terminal.ask('paste', { text: MEGABYTE });
    await untilInputIsPending(terminal);
    await terminal.press('Ctrl+C');
    expect(await pasting).toMatchObject({ ok: false, code: 'input_interrupted' });
    expect(await terminal.exited()).toMatchObject({ code: 42 });
    // Counted where it is logged, which is over before this is answered.
    expect(await faults()).toBe(before);
    await terminal.end();
  });

  it('also ends queued input', async () => {
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', "stty raw -echo; printf '\\a'; exec sleep 1000"]);
    await terminal.until('bell');
    const connection = new RawConnection(daemon.socketPath);
    const paste = { cmd: 'paste', id: terminal.id, text: MEGABYTE };
    connection.write([1, 2, 3].map((req) => `${JSON.stringify({ ...paste, req })}\n`).join(''));
    // Answered at once, and after the lines before it have been taken in.
    connection.write(`${JSON.stringify({ cmd: 'ping', req: 'fence' })}\n`);
    expect((await connection.reply()).header).toMatchObject({ req: 'fence' });
    const pressing = terminal.ask('press', { keys: ['Ctrl+C'] });
    const replies = [await connection.reply(), await connection.reply(), await connection.reply()];
    for (const { header } of replies) expect(header).toMatchObject({ ok: false, code: 'input_interrupted' });
    connection.close();
    await terminal.end();
    await pressing;
  });
});

/** The kernel is full: what else is sent stays with the daemon. */
async function untilInputIsPending(terminal: TestTerminal): Promise<void> {
  while (Number((await terminal.do('debug'))['pending_input_bytes']) === 0);
}

describe('a program that does not read', () => {
  it('causes input_blocked with the number of bytes it took, and the daemon continues', async () => {
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', "stty raw -echo; printf '\\a'; exec sleep 1000"]);
    await terminal.until('bell');
    const reply = await terminal.ask('paste', { text: MEGABYTE });
    expect(reply).toMatchObject({
      ok: false,
      code: 'input_blocked',
      error: expect.stringMatching(/took \d+ of 1\d{6} bytes/),
    });
    expect(await terminal.ask('paste', { text: 'more' })).toMatchObject({ ok: false, code: 'input_blocked' });
    // At most the rest of the character in whose middle the kernel's buffer was full.
    expect((await terminal.do('debug'))['pending_input_bytes']).toBeLessThan(4);
    expect(await request(daemon, { cmd: 'ping' })).toMatchObject({ ok: true });
    await terminal.end();
  });
});
