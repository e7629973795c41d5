/** Each request of interminai's protocol, and the exact line that answers it. */
import { describe, expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { interminai } from '../support/interminai.js';
import { itNeeds } from '../support/programs.js';

const cli = useCliDaemon();

const serve = (...args: string[]) => interminai(cli.daemon.socketPath, ...args);

const OK = '{"status":"ok"}\n';

const ok = (data: string): string => `{"status":"ok","data":${data}}\n`;
const error = (words: string): string => `{"status":"error","error":${JSON.stringify(words)}}\n`;

/** A screen of 3 rows and 20 columns. */
const SMALL = ['--cols', '20', '--rows', '3'];

const screen = (lines: readonly string[], row: number, col: number): string =>
  ok(
    `{"screen":${JSON.stringify(lines.map((line) => `${line}\n`).join(''))},"cursor":{"row":${row},"col":${col}},"size":{"rows":${lines.length},"cols":20}}`,
  );

describe('INPUT and OUTPUT', () => {
  test('write to the program, and return its screen with cursor and size', async () => {
    const { ask, askUntil } = await serve(...SMALL, '--', 'cat');
    expect(await ask({ type: 'OUTPUT', format: 'ascii' })).toBe(screen(['', '', ''], 0, 0));
    expect(await ask({ type: 'INPUT', data: 'hello\n' })).toBe(OK);
    const shown = screen(['hello', 'hello', ''], 2, 0);
    expect(await askUntil({ type: 'OUTPUT' }, (reply) => reply === shown)).toBe(shown);
  });

  test('with the format ansi, colours are escape sequences', async () => {
    const { ask } = await serve(...SMALL, '--', 'printf', String.raw`a \033[31mred`);
    await ask({ type: 'WAIT' });
    const reply = await ask({ type: 'OUTPUT', format: 'ansi' });
    expect(reply).toMatch(
      /^\{"status":"ok","data":\{"screen":"[^"]*\\u001b\[[0-9;]*31mred[^"]*","cursor":\{"row":0,"col":5\}/,
    );
    expect(await ask({ type: 'OUTPUT', format: 'ascii' })).toBe(screen(['a red', '', ''], 0, 5));
  });

  test.each([
    ['38;2;255;0;0', 'mColored text', '[38;2;255;0;0mColored text[0m'],
    ['38:2::255:0:0', 'mColored text', '[38;2;255;0;0mColored text[0m'],
    ['38;5;200', 'mx', '[38;5;200mx[0m'],
    ['1;48;5;17;38;2;1;2;3', 'mx', '[1;38;2;1;2;3;48;5;17mx[0m'],
    ['48;2;4;5;6', 'mx', '[48;2;4;5;6mx[0m'],
    ['31', String.raw`mx\033[38;5;99my\033[mz`, '[31mx[0;38;5;99my[0mz'],
    ['4:3;58:5:9', 'mx', '[4mx[0m'],
    ['58:2::1:2:3', 'mx', 'x'],
  ])('with the format ansi, %s is written with semicolons alone', async (sgr, rest, shown) => {
    const { ask } = await serve(...SMALL, '--', 'printf', String.raw`\033[${sgr}${rest}`);
    await ask({ type: 'WAIT' });
    const line = shown.replaceAll('[', String.raw`\u001b[`);
    expect(await ask({ type: 'OUTPUT', format: 'ansi' })).toContain(String.raw`"screen":"${line}\n\n\n","cursor"`);
  });

  test('refuse a format that does not exist', async () => {
    const { ask } = await serve('--', 'cat');
    expect(await ask({ type: 'OUTPUT', format: 'png' })).toBe(error("Invalid request: unknown format 'png'"));
  });

  test('write more than the daemon takes in one request', async () => {
    const { ask, askUntil } = await serve(
      ...SMALL,
      '--',
      'sh',
      '-c',
      'stty raw -echo; echo go; head -c 1500000 | wc -c',
    );
    await askUntil({ type: 'OUTPUT' }, (reply) => reply.includes('go'));
    expect(await ask({ type: 'INPUT', data: 'x'.repeat(1_500_000) })).toBe(OK);
    expect(await ask({ type: 'WAIT' })).toBe(ok('{"exit_code":0}'));
    expect(await ask({ type: 'OUTPUT' })).toContain('1500000');
  });

  test('report that the process does not run any more', async () => {
    const { ask } = await serve('--', 'true');
    await ask({ type: 'WAIT' });
    expect(await ask({ type: 'INPUT', data: 'x' })).toBe(error('Process not running'));
  });

  itNeeds('vim')('edit a file, with the request of the protocol', async () => {
    const { ask, askUntil } = await serve('--', 'vim', '-u', 'NONE', 'note');
    await askUntil({ type: 'OUTPUT' }, (reply) => reply.includes('note'));
    expect(await ask({ type: 'INPUT', data: 'ihello\u001b' })).toBe(OK);
    await askUntil({ type: 'OUTPUT' }, (reply) => reply.includes('"screen":"hello\\n~\\n'));
    expect(await ask({ type: 'INPUT', data: ':wq\n' })).toBe(OK);
    expect(await ask({ type: 'WAIT' })).toBe(ok('{"exit_code":0}'));
  });
});

describe('STATUS', () => {
  test('reports whether the process runs, and then its exit code', async () => {
    const { ask } = await serve('--', 'sh', '-c', 'read line; exit 3');
    expect(await ask({ type: 'STATUS' })).toBe(ok('{"running":true}'));
    expect(await ask({ type: 'STATUS', activity: false })).toBe(ok('{"running":true}'));
    await ask({ type: 'INPUT', data: '\n' });
    expect(await ask({ type: 'WAIT' })).toBe(ok('{"exit_code":3}'));
    expect(await ask({ type: 'STATUS' })).toBe(ok('{"running":false,"exit_code":3}'));
  });

  test('reports activity once', async () => {
    const { ask, askUntil } = await serve('--', 'sh', '-c', 'stty -echo; printf on; exec cat');
    await askUntil({ type: 'OUTPUT' }, (reply) => reply.includes('on'));
    expect(await ask({ type: 'STATUS', activity: true })).toBe(ok('{"running":true,"activity":true}'));
    expect(await ask({ type: 'STATUS', activity: true })).toBe(ok('{"running":true,"activity":false}'));
  });

  test('refuses a switch that is no boolean', async () => {
    const { ask } = await serve('--', 'cat');
    expect(await ask({ type: 'STATUS', activity: 1 })).toBe(error("Invalid request: 'activity' is not true or false"));
  });
});

describe('WAIT', () => {
  test('ends with the process, and holds up the requests behind it', async () => {
    const { ask } = await serve('--', 'sleep', '0.3');
    const order: string[] = [];
    const waited = ask({ type: 'WAIT' }).then((reply) => order.push(reply));
    const asked = ask({ type: 'STATUS' }).then((reply) => order.push(reply));
    await Promise.all([waited, asked]);
    expect(order).toEqual([ok('{"exit_code":0}'), ok('{"running":false,"exit_code":0}')]);
  });

  test('reports 128 and the number of the signal that ended the process', async () => {
    const { ask } = await serve('--', 'sh', '-c', 'kill -9 $$');
    expect(await ask({ type: 'WAIT' })).toBe(ok('{"exit_code":137}'));
  });

  test('with activity ends with new output, also with output that changes nothing on the screen', async () => {
    const { ask, askUntil } = await serve(
      '--',
      'sh',
      '-c',
      String.raw`stty -echo; printf on; read a; printf '\033[m'; exec cat`,
    );
    await askUntil({ type: 'OUTPUT' }, (reply) => reply.includes('on'));
    expect(await ask({ type: 'WAIT', activity: true })).toBe(ok('{"activity":true,"exited":false}'));
    await ask({ type: 'INPUT', data: '\n' });
    expect(await ask({ type: 'WAIT', activity: true })).toBe(ok('{"activity":true,"exited":false}'));
    expect(await ask({ type: 'STATUS', activity: true })).toBe(ok('{"running":true,"activity":false}'));
  });

  test('with activity ends with the process, too', async () => {
    const { ask } = await serve('--', 'sleep', '0.2');
    expect(await ask({ type: 'WAIT', activity: true })).toBe(ok('{"activity":false,"exited":true}'));
  });
});

describe('KILL', () => {
  test.each([
    ['SIGTERM', 'SIGTERM', 143],
    ['15', 'SIGTERM', 143],
    ['term', 'SIGTERM', 143],
    ['9', 'SIGKILL', 137],
    ['SIGINT', 'SIGINT', 130],
    ['SIGUSR2', 'SIGUSR2', 140],
  ])('sends %s as %s', async (given, sent, code) => {
    const { ask } = await serve('--', 'cat');
    expect(await ask({ type: 'KILL', signal: given })).toBe(ok(`{"signal_sent":"${sent}"}`));
    expect(await ask({ type: 'WAIT' })).toBe(ok(`{"exit_code":${code}}`));
    expect(await ask({ type: 'KILL', signal: given })).toBe(error('Process already dead'));
  });

  test('refuses a signal that does not exist, and one that is missing', async () => {
    const { ask } = await serve('--', 'cat');
    expect(await ask({ type: 'KILL', signal: 'SIGFOO' })).toBe(error('Invalid signal: SIGFOO'));
    expect(await ask({ type: 'KILL', signal: '99' })).toBe(error('Invalid signal: 99'));
    expect(await ask({ type: 'KILL' })).toBe(error("Invalid request: missing 'signal' field"));
  });
});

test('RESIZE changes the size, and refuses what is none', async () => {
  const { ask } = await serve(...SMALL, '--', 'cat');
  expect(await ask({ type: 'RESIZE', cols: 20, rows: 4 })).toBe(ok('{"cols":20,"rows":4}'));
  expect(await ask({ type: 'OUTPUT' })).toBe(screen(['', '', '', ''], 0, 0));
  expect(await ask({ type: 'RESIZE', cols: 20 })).toBe(error("Invalid request: missing 'rows' field"));
  expect(await ask({ type: 'RESIZE', cols: 'a', rows: 4 })).toBe(
    error("Invalid request: 'cols' is not a whole number above 0"),
  );
});

describe('DEBUG', () => {
  const termios = (mode: string, flags: string): RegExp =>
    new RegExp(
      `"termios":\\{"mode":"${mode}","flags":\\[${flags}\\],"hex":\\{"iflag":"0x[0-9a-f]{4,}","oflag":"0x[0-9a-f]{4,}","lflag":"0x[0-9a-f]{4,}","cflag":"0x[0-9a-f]{4,}"\\},` +
        String.raw`"c_cc":\{"VINTR":"\^C","VEOF":"\^D","VERASE":"\^\?","VKILL":"\^U","VSUSP":"\^Z","VQUIT":"\^\\\\"\}\}\}\}\n$`,
    );

  test('lists unhandled sequences, the latest of them, and clears them', async () => {
    const print = String.raw`printf '\033[5y\033[6y\033[6y\033[7y'; exec cat`;
    const { ask, askUntil } = await serve('--debug-buffer', '3', '--', 'sh', '-c', print);
    const three =
      '{"status":"ok","data":{"unhandled":[{"sequence":"\\\\e[6y","raw_hex":"1b5b3679"},{"sequence":"\\\\e[6y","raw_hex":"1b5b3679"},{"sequence":"\\\\e[7y","raw_hex":"1b5b3779"}],"dropped":1,';
    const isThree = (reply: string): boolean => reply.startsWith(three);
    await askUntil({ type: 'DEBUG' }, isThree);
    expect(isThree(await ask({ type: 'DEBUG', data: { clear: false } }))).toBe(true);
    expect(isThree(await ask({ type: 'DEBUG', data: { clear: true } }))).toBe(true);
    expect(await ask({ type: 'DEBUG' })).toMatch(/^\{"status":"ok","data":\{"unhandled":\[\],"dropped":0,"termios":\{/);
  });

  test('shows the line discipline: cooked, raw, and none', async () => {
    const { ask, askUntil } = await serve('--', 'sh', '-c', 'read line; stty raw -echo; echo on; head -c 1');
    expect(await ask({ type: 'DEBUG' })).toMatch(
      termios('cooked', '"ECHO","ISIG","IEXTEN","ICRNL","IXON","OPOST","ONLCR"'),
    );
    await ask({ type: 'INPUT', data: '\n' });
    await askUntil({ type: 'OUTPUT' }, (reply) => reply.includes('on'));
    expect(await ask({ type: 'DEBUG' })).toMatch(termios('raw', '("[A-Z]+",?)*'));
    await ask({ type: 'INPUT', data: 'x' });
    await ask({ type: 'WAIT' });
    expect(await ask({ type: 'DEBUG' })).toBe(
      ok('{"unhandled":[],"dropped":0,"termios":{"error":"Failed to get termios: Input/output error"}}'),
    );
  });
});

describe('malformed requests', () => {
  test.each([
    ['{"data":"x"}', "Invalid request: missing 'type' field"],
    ['{}', "Invalid request: missing 'type' field"],
    ['not JSON', 'Invalid request: not JSON'],
    ['', 'Invalid request: not JSON'],
    ['[]', 'Invalid request: not an object'],
    ['null', 'Invalid request: not an object'],
    ['{"type":1}', "Invalid request: 'type' is not a string"],
    ['{"type":"INVALID_COMMAND"}', 'Unknown command: INVALID_COMMAND'],
    ['{"type":"toString"}', 'Unknown command: toString'],
    ['{"type":"INPUT"}', "Invalid request: missing 'data' field"],
    ['{"type":"INPUT","data":5}', "Invalid request: 'data' is not a string"],
    ['{"type":"DEBUG","data":"x"}', "Invalid request: 'data' is not an object"],
  ])('%s', async (line, words) => {
    const { ask } = await serve('--', 'cat');
    expect(await ask(`${line}\n`)).toBe(error(words));
    expect(await ask({ type: 'STATUS' })).toBe(ok('{"running":true}'));
  });

  test('a line that is too long', async () => {
    const { ask } = await serve('--', 'cat');
    expect(await ask('x'.repeat(10 * 1024 * 1024 + 1))).toBe(error('Invalid request: more than 10485760 bytes'));
    expect(await ask({ type: 'STATUS' })).toBe(ok('{"running":true}'));
  });
});
