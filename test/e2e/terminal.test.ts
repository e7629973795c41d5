/** Behaviour of a terminal that does not depend on the program in it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { isRunning } from '../support/processes.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { COLUMNS: '7', LINES: '3', TMUX: 'x', FROM_DAEMON: 'yes' } });
});
afterAll(() => daemon.stop());

async function run(command: string, fields: object = {}): Promise<Record<string, unknown> & { lines: string[] }> {
  return (await request(daemon, { cmd: 'run', command, ...fields })) as Record<string, unknown> & { lines: string[] };
}

/** Asks the terminal with an escape sequence and shows the answer's bytes. */
async function query(sequence: string, answerBytes: number): Promise<string> {
  const script = `stty raw -echo; printf '${sequence}'; head -c ${answerBytes} | od -An -c -w200; stty sane`;
  const { lines } = await run(script, { timeout_ms: 10_000 });
  return lines.join('').replaceAll(/ +/g, '').replaceAll('033', 'ESC ').replaceAll('\\a', 'BEL');
}

describe('run', () => {
  it('returns exit code, duration and output', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({
      ok: true,
      outcome: 'exited',
      exit_code: 3,
      signal: null,
      lines: ['out', 'err'],
      omitted_lines: 0,
      duration_ms: expect.any(Number),
    });
  });

  it('returns the signal that ended the command', async () => {
    expect(await run('kill -KILL $$')).toMatchObject({ exit_code: null, signal: 'SIGKILL' });
  });

  it('keeps head and tail of a long output, and counts the lines between', async () => {
    const { lines, omitted_lines: omitted } = await run('seq 1 5000', { max_lines: 10 });
    expect(lines).toEqual(['1', '2', '3', '4', '5', '4996', '4997', '4998', '4999', '5000']);
    expect(omitted).toBe(4990);
  });

  it('joins a line that wraps before a wide character as it was printed, and finds its words', async () => {
    const printed = 'a错误文件不存在或者没有权限访问该文件请检查路径后重试';
    expect((await run(`printf '${printed}'`, { cols: 20 })).lines).toEqual([printed]);
    const { id } = await request(daemon, { cmd: 'create', cols: 20, command: `printf '${printed}'; cat` });
    const words = '文件不存在或者没有权限';
    const wait = { until: { text: words }, timeout_ms: 10_000 };
    expect(await request(daemon, { cmd: 'wait', id, ...wait })).toMatchObject({ outcome: 'matched' });
    expect(await request(daemon, { cmd: 'grep', id, pattern: words, fixed: true })).toMatchObject({ total: 1 });
    await request(daemon, { cmd: 'kill', id });
  });

  it('joins lines that only the width of the screen had broken', async () => {
    expect((await run('printf "%0200d" 7')).lines).toEqual([`${'0'.repeat(199)}7`]);
  });

  it('ends a command at its deadline, with the processes that it started', async () => {
    const reply = await run('sleep 1000 & echo $!; wait', { timeout_ms: 300 });
    expect(reply).toMatchObject({ outcome: 'timeout' });
    expect(isRunning(Number(reply.lines[0]))).toBe(false);
  });

  it('removes its terminal unless keep is set', async () => {
    const gone = await run('true');
    expect(await request(daemon, { cmd: 'status', id: gone['id'] })).toMatchObject({ code: 'terminal_not_found' });
    const kept = await run('echo stays', { keep: true });
    expect(await request(daemon, { cmd: 'status', id: kept['id'] })).toMatchObject({
      state: 'exited',
      exit_code: 0,
      alive: false,
    });
    expect((await request(daemon, { cmd: 'text', id: kept['id'], trim: true }))['lines']).toContain('stays');
    await request(daemon, { cmd: 'kill', id: kept['id'] });
  });
});

describe('the environment of a program', () => {
  it('describes this terminal, and leaves out variables about another one', async () => {
    const { lines, id } = await run(
      'echo $TERM,$COLORTERM,$TERM_PROGRAM,$T4A_SOCKET,$T4A_TERMINAL,$COLUMNS,$LINES,$TMUX,$FROM_DAEMON',
    );
    expect(lines.join('')).toBe(`xterm-256color,truecolor,t4a,${daemon.socketPath},${String(id)},,,,yes`);
  });

  it('names the terminal that is asked for, by the request or by the configuration', async () => {
    const named = 'echo $TERM_PROGRAM,${TERM_PROGRAM_VERSION-unset}';
    expect((await run(named, { term_program: 'ghostty/1.3.0' })).lines).toEqual(['ghostty,1.3.0']);
    expect((await run(named, { term_program: 'kitty' })).lines).toEqual(['kitty,unset']);
    await request(daemon, { cmd: 'config', term_program: 'WezTerm/20240203' });
    expect((await run(named)).lines).toEqual(['WezTerm,20240203']);
    await request(daemon, { cmd: 'config', term_program: '' });
    expect((await run(named)).lines.join('')).toMatch(/^t4a,/);
    for (const term_program of ['', 'a b', 'a/b/c', '/1', 'x'.repeat(65)]) {
      const refused = await request(daemon, { cmd: 'create', term_program });
      expect(refused).toMatchObject({ ok: false, code: 'invalid_field', field: 'term_program' });
    }
  });

  it('has only the given variables with inherit_env false', async () => {
    const { lines } = await run('echo [$FROM_DAEMON][$MINE]', {
      inherit_env: false,
      env: { MINE: 'here', PATH: '/usr/bin:/bin' },
    });
    expect(lines).toEqual(['[][here]']);
    const all = await run('env | grep -v "^_=" | cut -d= -f1 | sort', {
      inherit_env: false,
      env: { MINE: 'here', PATH: '/usr/bin:/bin' },
    });
    // Beside the given ones those that say which terminal it is, and the shell's own.
    const own = [
      'COLORTERM',
      'LC_CTYPE',
      'PWD',
      'T4A_SOCKET',
      'T4A_TERMINAL',
      'TERM',
      'TERM_PROGRAM',
      'TERM_PROGRAM_VERSION',
    ];
    expect(all.lines.filter((name) => !own.includes(name))).toEqual(['MINE', 'PATH']);
  });

  it('has the requested working directory', async () => {
    expect((await run('pwd; echo $PWD', { cwd: '/usr' })).lines).toEqual(['/usr', '/usr']);
  });
});

describe('answers to the program', () => {
  it.each([
    ['primary device attributes', '\\033[c', 7, /^ESC \[\?1;2c$/],
    ['secondary device attributes', '\\033[>c', 11, /^ESC \[>\d+;\d+;0c$/],
    ['device status', '\\033[5n', 4, /^ESC \[0n$/],
    ['cursor position', '\\033[3;5H\\033[6n', 6, /^ESC \[3;5R$/],
    ['a mode that is set', '\\033[?2004h\\033[?2004$p', 11, /^ESC \[\?2004;1\$y$/],
    ['the size of the text area in pixels', '\\033[14t', 12, /^ESC \[4;384;640t$/],
    ['the size of a cell in pixels', '\\033[16t', 9, /^ESC \[6;16;8t$/],
    ['the size in cells', '\\033[18t', 10, /^ESC \[8;24;80t$/],
    ['the foreground colour', '\\033]10;?\\007', 25, /^ESC \]10;rgb:[0-9a-f]{4}\/[0-9a-f]{4}\/[0-9a-f]{4}ESC \\$/],
    [
      'a colour that the program set itself',
      '\\033]11;#123456\\007\\033]11;?\\007',
      25,
      /^ESC \]11;rgb:1212\/3434\/5656ESC \\$/,
    ],
    ['a palette colour', '\\033]4;1;?\\007', 26, /^ESC \]4;1;rgb:[0-9a-f]{4}\/[0-9a-f]{4}\/[0-9a-f]{4}ESC \\$/],
  ])('include %s', async (_, sequence, length, answer) => {
    expect(await query(sequence, length)).toMatch(answer);
  });

  it('include the version', async () => {
    expect(await query('\\033[>q', 7)).toBe('ESC P>|t4a');
  });
});

describe('reading', () => {
  it('returns everything that a program has printed, once its exit event is published', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', 'seq 1 20000; printf THE-END'] });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0, types: ['exit'] });
    expect(await events.until('exit')).toMatchObject({ code: 0 });
    events.close();
    const { lines } = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
    expect(lines.at(-1)).toBe('THE-END');
    await request(daemon, { cmd: 'kill', id });
  });

  it('answers under a flood of output, also for another terminal', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['yes', 'flood'] });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0 });
    const { lines } = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
    expect(lines).toHaveLength(24);
    expect(await run('echo other')).toMatchObject({ lines: ['other'] });
    await request(daemon, { cmd: 'send', id, input: '\x03' });
    expect(await events.until('exit')).toMatchObject({ signal: 'SIGINT' });
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });

  it('counts revisions only for visible changes', async () => {
    const script = 'stty -echo; printf "\\a"; while read x; do printf "$x\\a"; done';
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script] });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0, types: ['bell'] });
    await events.until('bell');
    const before = await request(daemon, { cmd: 'screenshot', id, inline: true });
    await request(daemon, { cmd: 'send', id, input: '\n' });
    expect(await events.until('bell')).toMatchObject({ rev: before['rev'] });
    expect(await request(daemon, { cmd: 'screenshot', id, if_rev: before['rev'] })).toEqual({
      ok: true,
      unchanged: true,
      rev: before['rev'],
      len: 0,
    });
    await request(daemon, { cmd: 'send', id, input: 'seen\n' });
    const bell = await events.until('bell');
    expect(bell['rev']).toBe(Number(before['rev']) + 1);
    expect(await request(daemon, { cmd: 'screenshot', id, inline: true, if_rev: before['rev'] })).toMatchObject({
      rev: bell['rev'],
      format: 'png',
    });
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });

  it.each([
    ['an emoji', '😀', 2],
    ['a family joined by ZWJ', '👨‍👩‍👧', 2],
    ['a flag', '🇫🇷', 2],
    ['a heart with VS16', '❤️', 2],
    ['a skin tone', '👍🏽', 2],
    ['a keycap', '1️⃣', 2],
    ['CJK', '世', 2],
    ['a combining accent', 'é', 1],
    ['a letter', 'a', 1],
  ])('gives %s the right number of columns', async (_, grapheme, width) => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', `stty -echo; printf '%s\\a' "$G"; read x`],
      env: { G: grapheme },
    });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0, types: ['bell'] });
    await events.until('bell');
    events.close();
    expect(await request(daemon, { cmd: 'cursor', id })).toMatchObject({ row: 0, col: width });
    expect((await request(daemon, { cmd: 'text', id, trim: true }))['lines']).toContain(grapheme);
    await request(daemon, { cmd: 'kill', id });
  });
});

describe('kill', () => {
  it('reaches programs that ignore SIGHUP and SIGTERM, and those that left the process group', async () => {
    const script = 'trap "" HUP TERM; set -m; sleep 1000 & echo $!; printf "\\a"; sleep 1000';
    const { id, pid } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script] });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0 });
    await events.until('bell');
    const background = ((await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] }).lines[0];
    await request(daemon, { cmd: 'kill', id });
    expect(await events.until('exit')).toMatchObject({ terminal: id, signal: 'SIGKILL' });
    expect(await events.until('removed')).toMatchObject({ terminal: id });
    events.close();
    expect([Number(pid), Number(background)].filter(isRunning)).toEqual([]);
  });

  it('with a signal ends the job in the foreground, and the shell stays', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-i'], idle_timeout_ms: 100 });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0 });
    await events.until('idle');
    await request(daemon, { cmd: 'send', id, input: 'printf "\\a"; sleep 1000; printf "ended %s\\n\\a" $?\n' });
    await events.until('bell');
    let foreground: unknown;
    while (foreground !== 'sleep') foreground = (await request(daemon, { cmd: 'status', id }))['foreground'];
    await request(daemon, { cmd: 'kill', id, signal: 'SIGTERM' });
    await events.until('bell');
    events.close();
    const { lines } = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
    expect(lines).toContain('ended 143');
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ alive: true });
    await request(daemon, { cmd: 'kill', id });
  });
});

it('gets the size that a resize names, also if a program has set another one in between', async () => {
  const wait = { until: { text: 'set' }, timeout_ms: 10_000 };
  const command = 'stty cols 40 rows 10; echo set; read -r line; stty size; cat';
  const { id } = await request(daemon, { cmd: 'create', cols: 80, rows: 24, command, wait });
  await request(daemon, { cmd: 'resize', id, cols: 80, rows: 24 });
  const until = { text: '24 80' };
  const reply = await request(daemon, {
    cmd: 'type',
    id,
    text: 'go',
    submit: true,
    wait: { until, timeout_ms: 10_000 },
  });
  expect(reply).toMatchObject({ wait: { outcome: 'matched' } });
  await request(daemon, { cmd: 'kill', id });
});
