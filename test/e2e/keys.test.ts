/** The bytes that a program receives for named keys, in each keyboard mode that it may ask for. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_INPUT_MODES, type InputModes } from '../../src/vt/input-modes.js';
import { encodeKey } from '../../src/vt/keys/encode-key.js';
import { KEY_NAMES } from '../../src/vt/keys/key-names.js';
import { parseKey } from '../../src/vt/keys/parse-key.js';
import { byteRecorder, END_OF_RECORDING, recordedBytes } from '../support/byte-recorder.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { TestTerminal } from '../support/screen-fence.js';
import { runsOf } from '../support/trial.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** A byte that no key sends. */
const AFTER_KEY = 0xfe;

interface KeyboardMode {
  readonly name: string;
  /** What the program prints to ask for it, with the escape \x1b. */
  readonly asked: string;
  readonly modes: Partial<InputModes>;
  /** Bytes of some keys, as the specification has them. */
  readonly samples: Readonly<Record<string, string>>;
}

const MODES: readonly KeyboardMode[] = [
  {
    name: 'the default',
    asked: '',
    modes: {},
    samples: { Up: '\x1b[A', Home: '\x1b[H', F5: '\x1b[15~', 'C-c': '\x03', 'M-x': '\x1bx', 'Shift+Tab': '\x1b[Z' },
  },
  {
    name: 'application cursor keys (DECCKM)',
    asked: String.raw`\x1b[?1h`,
    modes: { applicationCursor: true },
    samples: { Up: '\x1bOA', End: '\x1bOF', 'Ctrl+Up': '\x1b[1;5A', Delete: '\x1b[3~' },
  },
  {
    name: 'application keypad (DECKPAM)',
    asked: String.raw`\x1b=`,
    modes: { applicationKeypad: true },
    samples: { KP5: '\x1bOu', KPEnter: '\x1bOM', 5: '5' },
  },
  {
    name: 'Backspace sends BS (DECBKM)',
    asked: String.raw`\x1b[?67h`,
    modes: { backarrow: true },
    samples: { Backspace: '\b' },
  },
  {
    name: 'modifyOtherKeys 1',
    asked: String.raw`\x1b[>4;1m`,
    modes: { modifyOtherKeys: 1 },
    samples: { 'Ctrl+Enter': '\x1b[27;5;13~', 'Ctrl+c': '\x03' },
  },
  {
    name: 'modifyOtherKeys 2',
    asked: String.raw`\x1b[>4;2m`,
    modes: { modifyOtherKeys: 2 },
    samples: { 'Ctrl+a': '\x1b[27;5;97~', a: 'a' },
  },
  {
    name: 'kitty keyboard, disambiguated escape codes',
    asked: String.raw`\x1b[>1u`,
    modes: { kittyFlags: 1 },
    samples: { Escape: '\x1b[27u', 'Ctrl+c': '\x1b[99;5u', Enter: '\r', a: 'a', F13: '\x1b[57376u' },
  },
  {
    name: 'kitty keyboard with releases',
    asked: String.raw`\x1b[>3u`,
    modes: { kittyFlags: 3 },
    samples: { Up: '\x1b[A\x1b[1;1:3A' },
  },
  {
    name: 'kitty keyboard with all flags',
    asked: String.raw`\x1b[=31;1u`,
    modes: { kittyFlags: 31 },
    samples: { a: '\x1b[97;;97u\x1b[97;1:3u', Enter: '\x1b[13u\x1b[13;1:3u' },
  },
];

/** Each named key alone and with modifiers, and what fingers find on the rest of a keyboard. */
const NAMES = [
  ...KEY_NAMES.flatMap((name) => [name, `Ctrl+${name}`, `Alt+${name}`, `Shift+${name}`, `Ctrl+Alt+Shift+${name}`]),
  ...Array.from('abczABCZ059`-=[]\\;\',./~!@#$%^&*()_+{}|:"<>? éß世🚀'),
  ...'C-a C-c C-z C-\\ C-@ C-Space C-/ C-? ^[ M-x M-X C-M-x <C-w> S-Up'.split(' '),
];

/** Modes of which every key goes through the daemon in the suite; of the others the samples do. */
const WHOLE: readonly string[] = ['the default', 'kitty keyboard with all flags'];

describe.each(MODES)('$name', ({ name, asked, modes, samples }) => {
  const inForce = { ...DEFAULT_INPUT_MODES, ...modes };
  const bytesOf = (key: string): string => encodeKey(parseKey(key), inForce);

  it('encodes every key for its program', async () => {
    const file = path.join(daemon.dir, `${name.replaceAll(/\W/g, '-')}.bytes`);
    const terminal = await TestTerminal.start(daemon, byteRecorder(file, asked));
    await terminal.until('bell');
    const names = runsOf({ suite: WHOLE.includes(name) ? NAMES : [], trial: NAMES });
    const sendable = [...names, ...Object.keys(samples)].filter((key) => bytesOf(key) !== '');
    const connection = new RawConnection(daemon.socketPath);
    const send = (byte: number) => ({ cmd: 'send', id: terminal.id, input_base64: Buffer.of(byte).toString('base64') });
    const keys = sendable.flatMap((key) => [{ cmd: 'press', id: terminal.id, keys: [key] }, send(AFTER_KEY)]);
    // All are answered before the connection closes: that would cancel what has not begun.
    const requests = [...keys, send(END_OF_RECORDING)];
    connection.write(requests.map((fields) => `${JSON.stringify(fields)}\n`).join(''));
    for (const fields of requests)
      expect((await connection.reply()).header, JSON.stringify(fields)).toMatchObject({ ok: true });
    connection.close();
    const received = splitAt(await recordedBytes(file), AFTER_KEY).map((bytes) => bytes.toString('utf8'));
    const told = sendable.map((key, i) => [key, received[i]] as const);
    expect(told).toEqual(sendable.map((key) => [key, bytesOf(key)]));
    for (const [key, bytes] of Object.entries(samples)) expect(new Map(told).get(key), key).toBe(bytes);
    await terminal.end();
  });
});

function splitAt(bytes: Buffer, delimiter: number): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(delimiter); end !== -1; end = bytes.indexOf(delimiter, start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

describe('a sequence of keys', () => {
  it('is encoded for the mode that its own first keys have switched on', async () => {
    // The program asks for application cursor keys once Escape has reached it; the arrow comes after the pause.
    const script = `import os, tty
tty.setraw(0)
os.write(1, b"\\x07")
first = os.read(0, 100)
os.write(1, b"\\x1b[?1h")
second = os.read(0, 100)
os.write(1, repr((first, second)).encode() + b"\\r\\n")`;
    const terminal = await TestTerminal.start(daemon, ['python3', '-c', script]);
    await terminal.until('bell');
    await terminal.press('Escape', 'Up');
    await terminal.exited();
    expect((await terminal.lines())[0]).toBe(String.raw`(b'\x1b', b'\x1bOA')`);
    await terminal.end();
  });
});
