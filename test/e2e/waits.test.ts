/** `wait`, and turns, through the socket: outcomes with evidence, and refusals with a code. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection, rawRequest } from '../support/raw.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** A program that prints each line that it is sent, with printf's escapes. */
const PRINTER = 'stty -echo; printf ready; while IFS= read -r line; do printf "$line"; done';

async function create(script = PRINTER, fields: object = {}): Promise<string> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], ...fields });
  return String(id);
}

async function printer(): Promise<string> {
  const id = await create();
  expect(await request(daemon, { cmd: 'wait', id, until: { text: 'ready' } })).toMatchObject({ outcome: 'matched' });
  return id;
}

const print = (id: string, format: string, fields: object = {}) =>
  request(daemon, { cmd: 'send', id, input: `${format}\n`, ...fields });

describe('wait', () => {
  it('returns the place of the match and the last lines of the screen', async () => {
    const id = await printer();
    const waiting = request(daemon, { cmd: 'wait', id, until: [{ text: 'nope' }, { regex: 'serv(er|ice) up' }] });
    await print(id, '\\nfirst\\n  server up\\n');
    expect(await waiting).toMatchObject({
      ok: true,
      outcome: 'matched',
      index: 1,
      match: { row: 2, col: 2, text: 'server up' },
      tail: ['ready', 'first', '  server up'],
    });
  });

  it('matches text that scrolls by in one burst', async () => {
    const id = await printer();
    const waiting = request(daemon, { cmd: 'wait', id, until: { text: 'needle' } });
    await print(id, `\\n${'hay\\n'.repeat(40)}needle\\n${'hay\\n'.repeat(400)}`);
    expect(await waiting).toMatchObject({ outcome: 'matched', match: { col: 0, text: 'needle' } });
  });

  it('matches a line that says what one says that scrolls off with it', async () => {
    const id = await create(PRINTER, { rows: 3 });
    // Not typed as it is printed: an echo would not count.
    const printed = { wait: { until: { text: 'again' }, timeout_ms: 5000 } };
    await print(id, '\\r     \\r\\141gain\\na\\n', printed);
    expect(await print(id, '\\141gain\\n', printed)).toMatchObject({ wait: { outcome: 'matched' } });
  });

  it('fails when a failure shows, and returns the last lines at its timeout', async () => {
    const id = await printer();
    const failing = request(daemon, { cmd: 'wait', id, until: { text: 'ok' }, fail: [{ regex: 'error|panic' }] });
    await print(id, '\\npanic: no\\n');
    expect(await failing).toMatchObject({ outcome: 'failed', index: 0, match: { text: 'panic' } });
    const late = await request(daemon, { cmd: 'wait', id, until: { text: 'never' }, timeout_ms: 50, tail: 1 });
    expect(late).toMatchObject({ ok: true, outcome: 'timeout', tail: ['panic: no'] });
    expect(Number(late['elapsed_ms'])).toBeGreaterThanOrEqual(50);
  });

  it('ends at once when the terminal is killed or its process exits', async () => {
    const killed = await printer();
    const waits = [{ text: 'x' }, { idle_ms: 60_000 }, { awaiting_input: 'raw' }].map((until) =>
      request(daemon, { cmd: 'wait', id: killed, until, timeout_ms: 60_000 }),
    );
    await request(daemon, { cmd: 'kill', id: killed });
    expect((await Promise.all(waits)).map(({ outcome }) => outcome)).toEqual(['exited', 'exited', 'exited']);

    const id = await create('echo bye; exit 3');
    expect(await request(daemon, { cmd: 'wait', id, until: { exit: true } })).toMatchObject({ outcome: 'matched' });
    expect(await request(daemon, { cmd: 'wait', id, until: { text: 'never' } })).toMatchObject({ outcome: 'exited' });
    expect(await request(daemon, { cmd: 'wait', id, until: { text: 'bye' } })).toMatchObject({ outcome: 'matched' });
    // Input for it is refused, and its wait with it.
    const send = { cmd: 'send', id, input: 'x', wait: { until: { exit: true } } };
    expect(await request(daemon, send)).toMatchObject({ ok: false, code: 'terminal_exited' });
  });

  it('matches a new line that equals the typed one or an earlier one', async () => {
    const id = await create('cat');
    for (const text of ['same', 'other', 'same']) {
      const wait = { until: { text }, timeout_ms: 20_000 };
      const turn = await request(daemon, { cmd: 'type', id, text, submit: true, wait });
      expect(turn['wait']).toMatchObject({ outcome: 'matched', match: { col: 0, text } });
    }
  });

  it('does not match text that has only moved on the screen', async () => {
    const id = await printer();
    await print(id, '\\033[?1049h\\033[2J\\033[6;1Halpha\\033[8;1Halpha\\033[10;1Hbeta');
    expect(await request(daemon, { cmd: 'wait', id, until: { text: 'beta' } })).toMatchObject({ outcome: 'matched' });
    const moves = { first: '\\033[1;1H\\033[M', second: '\\033[3;1H\\033[L', third: '\\033[24;1H\\n' };
    for (const [word, move] of Object.entries(moves)) {
      const wait = { until: [{ text: 'alpha' }, { text: word }], timeout_ms: 20_000 };
      const turn = await print(id, `${move}\\033[20;1H\\033[K${word}`, { wait });
      expect(turn['wait']).toMatchObject({ outcome: 'matched', index: 1 });
    }
  });

  it('returns the event that it waited for', async () => {
    const id = await printer();
    const waiting = request(daemon, { cmd: 'wait', id, until: { event: 'bell' } });
    await print(id, 'a\\a');
    expect(await waiting).toMatchObject({ outcome: 'matched', event: { event: 'bell', terminal: id } });
  });

  it('reports a screen with a spinner as settled within two seconds, with the cells of the spinner', async () => {
    const spin = 'printf "work "; while :; do for c in - + x o; do printf "\\b%s" $c; sleep 0.1; done; done';
    const id = await create(spin);
    const reply = await request(daemon, { cmd: 'wait', id, until: { settled_ms: 500 }, timeout_ms: 10_000 });
    expect(reply).toMatchObject({ outcome: 'matched', ignored: [{ row: 0, col: 4, cols: 1 }] });
    expect(Number(reply['elapsed_ms'])).toBeLessThan(2000);
    await request(daemon, { cmd: 'kill', id });
  });

  it('does not delay other requests, even a hundred at once', async () => {
    const id = await printer();
    const waits = Array.from({ length: 100 }, (_, i) =>
      request(daemon, { cmd: 'wait', id, until: { text: `item-${i};` } }),
    );
    expect(await request(daemon, { cmd: 'list' })).toMatchObject({ ok: true });
    await print(id, Array.from({ length: 100 }, (_, i) => `\\nitem-${i};`).join(''));
    expect((await Promise.all(waits)).filter(({ outcome }) => outcome === 'matched')).toHaveLength(100);
  });

  it('is refused beyond max_waits, and the waits of disconnected clients do not count', async () => {
    const id = await printer();
    // One connection has half of the waits at most.
    const connections = [new RawConnection(daemon.socketPath), new RawConnection(daemon.socketPath)];
    const wait = (req: number) => `${JSON.stringify({ cmd: 'wait', id, until: { text: 'never' }, req })}\n`;
    for (const connection of connections) for (let req = 0; req < 128; req++) connection.write(wait(req));
    // Connections take turns: a wait of the other one may be armed among these, and is over after a millisecond.
    const keepsAll = async (connection: RawConnection): Promise<void> => {
      for (;;) {
        const { header } = await connection.reply();
        if (header['code'] === 'too_many_waits') connection.write(wait(Number(header['req'])));
      }
    };
    const untilClosed = connections.map((connection) => keepsAll(connection).catch(() => {}));
    const other = new RawConnection(daemon.socketPath);
    let refused: Record<string, unknown> = {};
    // The fence: the 256 are armed once the next one is refused.
    while (refused['code'] !== 'too_many_waits') {
      refused = (await other.request({ cmd: 'wait', id, until: { text: 'never' }, timeout_ms: 1 })).header;
    }
    expect(refused).toMatchObject({ ok: false, code: 'too_many_waits' });
    expect(daemon.log()).not.toContain('Warning');
    for (const connection of connections) connection.close();
    await Promise.all(untilClosed);
    let taken: Record<string, unknown> = {};
    while (taken['ok'] !== true) {
      taken = (await other.request({ cmd: 'wait', id, until: { text: 'never' }, timeout_ms: 1 })).header;
    }
    expect(taken).toMatchObject({ outcome: 'timeout' });
    other.close();
  });
});

it('of ten thousand waits on one terminal 256 are kept, and the others are refused with a code', async () => {
  const id = await printer();
  let refused = 0;
  const connections = Array.from({ length: 40 }, () => new RawConnection(daemon.socketPath));
  const kept = Promise.all(
    connections.map(async (connection) => {
      for (let req = 0; req < 250; req++) {
        connection.write(
          `${JSON.stringify({ cmd: 'wait', id, until: { text: 'the end' }, timeout_ms: 600_000, req })}\n`,
        );
      }
      const told: string[] = [];
      for (let i = 0; i < 250; i++) {
        const { code, outcome } = JSON.parse((await connection.line()).toString()) as Record<string, unknown>;
        told.push(String(code ?? outcome));
        if (code === 'too_many_waits' && ++refused === 10_000 - 256) await print(id, '\\nthe end');
      }
      return told;
    }),
  );
  const told = (await kept).flat();
  expect(told.filter((one) => one === 'too_many_waits')).toHaveLength(10_000 - 256);
  expect(told.filter((one) => one === 'matched')).toHaveLength(256);
  for (const connection of connections) connection.close();
});

function seen(text: string): object {
  return { wait: { until: { text } }, observe: { cursor: true } };
}

describe('a turn', () => {
  it('is one request: input, wait, and text, cursor and picture of one instant', async () => {
    const id = await printer();
    const { header, bytes } = await rawRequest(daemon.socketPath, {
      cmd: 'send',
      id,
      input: '\\n\\nanswer 42\\n\n',
      wait: { until: { text: 'answer' } },
      observe: { text: true, cursor: true, screenshot: { scale: 66 } },
    });
    expect(header).toMatchObject({
      ok: true,
      wait: { outcome: 'matched', match: { row: 2, col: 0 } },
      observed: { lines: ['ready', '', 'answer 42'], cursor: { row: 3, col: 0 } },
      format: 'png',
    });
    expect((header['observed'] as { rev: number }).rev).toBe((header['wait'] as { rev: number }).rev);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes).toHaveLength(Number(header['len']));
  });

  it('works with keys, typed text, pastes and the mouse', async () => {
    const show = 'while :; do dd bs=64 count=1 2>/dev/null | od -c; done';
    const id = await create(`stty raw -echo; printf "\\033[?1000hready"; ${show}`);
    await request(daemon, { cmd: 'wait', id, until: { text: 'ready' } });
    const matched = { ok: true, wait: { outcome: 'matched' }, observed: { cursor: { visible: true } } };
    expect(await request(daemon, { cmd: 'press', id, keys: ['Up'], ...seen('033   [   A') })).toMatchObject(matched);
    expect(await request(daemon, { cmd: 'type', id, text: 'abc', ...seen('a   b   c') })).toMatchObject(matched);
    expect(await request(daemon, { cmd: 'paste', id, text: 'xyz', ...seen('x   y   z') })).toMatchObject(matched);
    const click = { cmd: 'mouse', id, action: 'click', row: 0, col: 0 };
    expect(await request(daemon, { ...click, ...seen('033   [   M') })).toMatchObject({
      ...matched,
      row: 0,
      reports: 2,
    });
    await request(daemon, { cmd: 'kill', id });
  });

  it('matches only output after its input', async () => {
    const id = await printer();
    await print(id, '\\ndone\\n', { wait: { until: { text: 'done' } } });
    const again = await print(id, 'more', { wait: { until: { text: 'done' }, timeout_ms: 100 } });
    expect(again).toMatchObject({ wait: { outcome: 'timeout' } });
    expect(await request(daemon, { cmd: 'wait', id, until: { text: 'done' } })).toMatchObject({ outcome: 'matched' });
  });

  it('matches even an immediate answer', async () => {
    const id = await printer();
    for (let i = 0; i < 50; i++) {
      const reply = await print(id, `\\n<${i}>\\a`, {
        wait: { until: { event: 'bell' }, fail: { text: `<${i + 1}>` } },
        observe: { text: true },
      });
      expect(reply).toMatchObject({ wait: { outcome: 'matched' } });
      expect((reply['observed'] as { lines: string[] }).lines.at(-1)).toBe(`<${i}>`);
    }
  });

  it('works with create and resize', async () => {
    const wait = { until: { text: 'hello' } };
    const created = await request(daemon, {
      cmd: 'create',
      cmd_args: ['echo', 'hello'],
      wait,
      observe: { text: true },
    });
    expect(created).toMatchObject({ ok: true, cols: 80, wait: { outcome: 'matched' }, observed: { lines: ['hello'] } });
    const id = await create('trap "stty size" WINCH; printf ready; while :; do sleep 0.05; done');
    await request(daemon, { cmd: 'wait', id, until: { text: 'ready' } });
    const resized = { cmd: 'resize', id, cols: 90, rows: 30, wait: { until: { text: '30 90' } } };
    expect(await request(daemon, resized)).toMatchObject({ ok: true, cols: 90, wait: { outcome: 'matched' } });
    await request(daemon, { cmd: 'kill', id });
  });

  it('that is refused leaves no terminal behind', async () => {
    const listed = async () => ((await request(daemon, { cmd: 'list' })) as { terminals: object[] }).terminals.length;
    const before = await listed();
    const region = { row: 0, col: 0, rows: 100, cols: 10 };
    for (const [fields, code] of [
      [{ wait: { until: { regex: '(' } } }, 'bad_regex'],
      [{ wait: { until: { text: 'a' }, fail: { text: 'a' } } }, 'invalid_field'],
      [{ wait: { until: { exit: true }, timeout_ms: 0 } }, 'invalid_field'],
      [{ observe: { screenshot: { region } } }, 'region_outside'],
    ] as const) {
      expect(await request(daemon, { cmd: 'create', cmd_args: ['cat'], ...fields })).toMatchObject({ ok: false, code });
    }
    expect(await listed()).toBe(before);
  });

  it('without a wait reads at once, and without both returns the plain reply', async () => {
    const id = await printer();
    const looked = await request(daemon, { cmd: 'send', id, input: '', observe: { text: true } });
    expect(looked).toEqual({ ok: true, inputs: 1, observed: { rev: 1, lines: ['ready'] } });
    const { line } = await rawRequest(daemon.socketPath, { cmd: 'send', id, input: 'x\n' });
    expect(line.toString()).toBe('{"ok":true}\n');
  });

  it('writes nothing when its wait is refused', async () => {
    const id = await printer();
    const refused = await print(id, '\\nwritten\\n', { wait: { until: { regex: '(' } } });
    expect(refused).toMatchObject({ ok: false, code: 'bad_regex' });
    await print(id, '\\nfence\\n', { wait: { until: { text: 'fence' } } });
    const { lines } = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
    expect(lines.filter((text) => text !== '')).toEqual(['ready', 'fence']);
  });
});

describe('an invalid wait', () => {
  it.each([
    ['a missing until', {}, 'invalid_field'],
    ['an empty until', { until: [] }, 'invalid_field'],
    ['an empty condition', { until: {} }, 'invalid_field'],
    ['two conditions in one', { until: { text: 'a', exit: true } }, 'invalid_field'],
    ['an unknown condition', { until: { txt: 'a' } }, 'unknown_field'],
    ['the same condition as success and failure', { until: { text: 'a' }, fail: { text: 'a' } }, 'invalid_field'],
    ['an invalid regex', { until: { regex: '(' } }, 'bad_regex'],
    ['a regex with a back-reference', { until: { regex: String.raw`(a)\1` } }, 'bad_regex'],
    ['a regex that is too long', { until: { regex: 'a'.repeat(1001) } }, 'invalid_field'],
    ['a regex with too many repetitions', { until: { regex: '((a{100}){100}){100}' } }, 'bad_regex'],
    ['an empty text', { until: { text: '' } }, 'invalid_field'],
    ['a timeout of 0', { until: { exit: true }, timeout_ms: 0 }, 'invalid_field'],
    ['a negative timeout', { until: { exit: true }, timeout_ms: -1 }, 'invalid_field'],
    ['a timeout above a day', { until: { exit: true }, timeout_ms: 86_400_001 }, 'invalid_field'],
    ['an unknown event', { until: { event: 'bel' } }, 'invalid_field'],
    ['too many conditions', { until: Array.from({ length: 33 }, () => ({ exit: true })) }, 'invalid_field'],
    ['a fraction of a timeout', { until: { exit: true }, timeout_ms: 1.5 }, 'invalid_field'],
    ['an idle time above a day', { until: { idle_ms: 86_400_001 } }, 'invalid_field'],
    ['an unknown kind of input', { until: { awaiting_input: 'secret' } }, 'invalid_field'],
    ['a cursor outside of any screen', { until: { cursor: { row: -1 } } }, 'invalid_field'],
    ['an unknown field beside until', { until: { exit: true }, timeout: 5 }, 'unknown_field'],
    ['an unknown terminal', { id: 'nope', until: { exit: true } }, 'terminal_not_found'],
  ])('is refused: %s', async (_, fields, code) => {
    const id = await printer();
    const reply = await request(daemon, { cmd: 'wait', id, ...fields });
    expect(reply).toMatchObject({ ok: false, code });
    expect(String(reply['error'])).toMatch(/\.$/);
    await request(daemon, { cmd: 'kill', id });
  });
});
