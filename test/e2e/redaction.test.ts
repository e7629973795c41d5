/** Secrets of real programs, masked in what a daemon writes to files and hands out for them. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/client.js';
import { foundIn, SECRETS, SETTINGS, VARIABLES } from '../redaction/planted.js';
import { runCli } from '../support/cli.js';
import { rawRequest } from '../support/raw.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';

const REDACT = JSON.stringify(SETTINGS);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { LC_ALL: 'C.UTF-8', T4A_REDACT: REDACT } });
});
afterAll(() => daemon.stop());

/** All texts of a cast, as a player gets them. */
function textsOf(cast: string): string {
  const lines = cast.trimEnd().split('\n');
  const events = lines.slice(1).map((line) => JSON.parse(line) as [number, string, string]);
  return [
    lines[0],
    ...['o', 'i', 'm'].map((kind) =>
      events
        .filter(([, code]) => code === kind)
        .map(([, , text]) => text)
        .join(''),
    ),
  ].join('\n');
}

const PRINTED = SECRETS.map((secret) => `printf '%s\\n' 'a ${secret} b'`).join('; ');

describe('a recording', () => {
  it('has none of the secrets that its program printed, in its output, its title or its command line', async () => {
    const file = path.join(daemon.dir, 'a.cast');
    const terminal = await TestTerminal.start(
      daemon,
      [
        'sh',
        '-c',
        `stty -echo; read x; ${PRINTED}; printf 'half ${SECRETS[0].slice(0, 9)}'; read x; printf '${SECRETS[0].slice(9)}\\n'; echo end; read x`,
      ],
      { env: VARIABLES },
    );
    await terminal.do('record', { path: file, title: `of ${SECRETS[0]}` });
    await terminal.do('send', { input: '\n' });
    await terminal.untilShows('half');
    await terminal.do('send', { input: '\n' });
    await terminal.untilShows('end');
    await terminal.do('record', { action: 'mark', label: `at ${SECRETS[1]}` });
    const reply = await terminal.do('record', { action: 'stop' });
    expect(reply).toMatchObject({ ok: true, masked: SECRETS.length + 2 });
    const cast = textsOf(readFileSync(file, 'utf8'));
    expect(foundIn(cast)).toEqual([]);
    expect(cast).toContain('a ******************** b');
    expect(cast).toContain('end');
  });

  it('has no half of one where it is stopped within it', async () => {
    const file = path.join(daemon.dir, 'half.cast');
    const terminal = await TestTerminal.start(daemon, [
      'sh',
      '-c',
      `read x; printf 'k ${SECRETS[0].slice(0, 15)}'; read x`,
    ]);
    await terminal.do('record', { path: file });
    await terminal.do('send', { input: '\n' });
    await terminal.untilShows(SECRETS[0].slice(0, 15));
    await terminal.do('record', { action: 'stop' });
    const cast = readFileSync(file, 'utf8');
    expect(cast).toContain(`k ${'*'.repeat(15)}`);
    expect(cast.split('\n').slice(1).join('\n')).not.toContain(SECRETS[0].slice(0, 4));
  });

  it('has none that was typed, letter by letter', async () => {
    const file = path.join(daemon.dir, 'typed.cast');
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', 'printf "ready "; cat']);
    await terminal.untilShows('ready');
    await terminal.do('record', { path: file, input: true });
    for (const letter of `${SECRETS[0]} is it`) await terminal.do('type', { text: letter });
    await terminal.do('press', { keys: ['Enter'] });
    await terminal.untilShows(/is it\n.*is it/s);
    await terminal.do('record', { action: 'stop' });
    const cast = textsOf(readFileSync(file, 'utf8'));
    expect(foundIn(cast)).toEqual([]);
    expect(cast).toContain('is it');
  });
});

describe('an export of a history', () => {
  it('has none of the secrets, and says how many it masked', async () => {
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', `${PRINTED}; echo end; exec sleep 1000`], {
      env: VARIABLES,
    });
    await terminal.untilShows('end');
    const { header, bytes } = await rawRequest(daemon.socketPath, { cmd: 'export', id: terminal.id });
    expect(header).toMatchObject({ ok: true });
    expect(header['masked']).toBeGreaterThanOrEqual(SECRETS.length);
    expect(foundIn(textsOf(Buffer.from(bytes ?? []).toString('utf8')))).toEqual([]);
    // What is not asked for is as it was.
    expect((await terminal.lines()).join('\n')).toContain(SECRETS[0]);
  });
});

describe('t4a export', () => {
  it('masks what a recording of another time has, by the setting of who asks', async () => {
    const file = path.join(daemon.dir, 'old.cast');
    writeFileSync(
      file,
      `${JSON.stringify({ version: 3, term: { cols: 80, rows: 24 } })}\n${JSON.stringify([0, 'o', `${SECRETS.join(' \r\n')} \r\n`])}\n`,
    );
    const env = { ...VARIABLES, T4A_REDACT: REDACT };
    const { stdout, status } = await runCli(['export', 'old.cast', '-o', 'old.txt', '--json'], {
      cwd: daemon.dir,
      env,
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ masked: SECRETS.length });
    expect(foundIn(readFileSync(path.join(daemon.dir, 'old.txt'), 'utf8'))).toEqual([]);
    const without = await runCli(['export', 'old.cast', '-o', 'raw.txt', '--json'], { cwd: daemon.dir });
    expect(JSON.parse(without.stdout)).not.toHaveProperty('masked');
    expect(foundIn(readFileSync(path.join(daemon.dir, 'raw.txt'), 'utf8'))).toEqual([...SECRETS]);
  });

  it('has what a recording that goes on holds back, without half a secret', async () => {
    const terminal = await TestTerminal.start(daemon, [
      'sh',
      '-c',
      `stty -echo; read x; printf 'asks> k ${SECRETS[0].slice(0, 15)}'; read x; printf '${SECRETS[0].slice(15)} end'; read x`,
    ]);
    const file = path.join(daemon.dir, 'live.cast');
    await terminal.do('record', { path: file });
    const exported = async (): Promise<string> => {
      const args = ['--socket', daemon.socketPath, 'export', terminal.id, '-o', '-', '--format', 'text'];
      return (await runCli(args, { cwd: daemon.dir })).stdout;
    };
    await terminal.do('send', { input: '\n' });
    await terminal.untilShows(SECRETS[0].slice(0, 15));
    expect(await exported()).toContain(`asks> k ${'*'.repeat(15)}`);
    await terminal.do('send', { input: '\n' });
    await terminal.untilShows('end');
    expect(await terminal.do('record', { action: 'flush' })).toMatchObject({ ok: true, live: true });
    const cast = textsOf(readFileSync(file, 'utf8'));
    expect(cast).toContain('asks> k ');
    expect(foundIn(cast)).toEqual([]);
    expect(await exported()).toContain(`asks> k ${'*'.repeat(20)} `);
  });

  it('masks a file by the setting of a daemon that runs', async () => {
    const file = path.join(daemon.dir, 'asked.cast');
    writeFileSync(
      file,
      `${JSON.stringify({ version: 3, term: { cols: 80, rows: 24 } })}\n${JSON.stringify([0, 'o', `a ${SECRETS[0]} b\r\n`])}\n`,
    );
    const args = ['--socket', daemon.socketPath, 'export', file, '-o', '-', '--format', 'text'];
    const { stdout, stderr, status } = await runCli(args, { cwd: daemon.dir });
    expect({ status, stderr, found: foundIn(stdout) }).toEqual({ status: 0, stderr: '', found: [] });
    expect(stdout).toContain('a ******************** b');
  });

  it('of a file goes on without a daemon that does not answer, and says so', async () => {
    const socket = path.join(daemon.dir, 'silent');
    const silent = createServer(() => {});
    await once(silent.listen(socket), 'listening');
    onTestFinished(() => void silent.close());
    const file = path.join(daemon.dir, 'silent.cast');
    writeFileSync(
      file,
      `${JSON.stringify({ version: 3, term: { cols: 80, rows: 24 } })}\n${JSON.stringify([0, 'o', `a ${SECRETS[0]} b\r\n`])}\n`,
    );
    const { stdout, stderr, status } = await runCli(
      ['--socket', socket, 'export', file, '-o', '-', '--format', 'text'],
      { cwd: daemon.dir, env: { ...VARIABLES, T4A_REDACT: REDACT } },
    );
    expect(status).toBe(0);
    expect(stderr).toContain('its setting "redact" is not known');
    // The setting of who asks is followed all the same.
    expect(foundIn(stdout)).toEqual([]);
    expect(stdout).toContain('a ******************** b');
  });

  it.each(['{"known":1}', '{"knwon":true}', '[]', 'known'])(
    'refuses the setting %s, which would let secrets out',
    async (setting) => {
      const file = path.join(daemon.dir, 'bad.cast');
      writeFileSync(file, `${JSON.stringify({ version: 3, term: { cols: 80, rows: 24 } })}\n`);
      const { stderr, status } = await runCli(['export', 'bad.cast', '-o', '-', '--format', 'text'], {
        cwd: daemon.dir,
        env: { T4A_REDACT: setting },
      });
      expect(status).toBe(2);
      expect(stderr).toContain('T4A_REDACT');
    },
  );
});

describe('the setting', () => {
  it('is refused with a pattern that is none, and stays as it was', async () => {
    const before = await request(daemon, { cmd: 'config' });
    const bad = { patterns: ['('], variables: [], known: false };
    expect(await request(daemon, { cmd: 'config', redact: bad })).toMatchObject({ ok: false, code: 'bad_regex' });
    expect((await request(daemon, { cmd: 'config' }))['redact']).toEqual(before['redact']);
  });
});

describe('replies to programs', () => {
  async function sessions(replies: boolean) {
    const redact = JSON.stringify({ ...SETTINGS, replies });
    const own = await startDaemon({ env: { LC_ALL: 'C.UTF-8', T4A_REDACT: redact } });
    onTestFinished(() => own.stop());
    const model = await connect({ socketPath: own.socketPath, reach: 'create' });
    onTestFinished(() => model.close());
    const terminal = await TestTerminal.start(own, ['sh', '-c', `${PRINTED}; echo end; exec sleep 1000`], {
      env: VARIABLES,
      cols: 30,
    });
    await terminal.untilShows('end');
    return { model, terminal, id: terminal.id, socketPath: own.socketPath };
  }

  it('have no secret in texts, matches, output or what a run prints, and count those that were masked', async () => {
    const { model, terminal, id } = await sessions(true);
    const text = await model.call('text', { id, region: 'all' });
    expect(text).toMatchObject({ masked: expect.any(Number) as number });
    const ansi = await model.call('text', { id, region: 'all', format: 'ansi' });
    const grep = await model.call('grep', { id, pattern: 'a .*' });
    const output = await model.call('output', { id });
    const ran = await model.call('run', { command: PRINTED, env: VARIABLES, cols: 30 });
    const looked = await model.call('press', { id, keys: ['a'], observe: { text: true } });
    const bytes = Buffer.from(output.bytes ?? []).toString('utf8');
    for (const [name, seen] of Object.entries({ text, ansi, grep, ran, looked })) {
      const { lines = [] } = seen as { lines?: unknown };
      expect({ name, found: foundIn(JSON.stringify(seen) + [lines].flat().join('')) }).toEqual({ name, found: [] });
    }
    expect(bytes).toContain('end');
    expect(foundIn(bytes)).toEqual([]);
    // A person sees what is there.
    expect((await terminal.lines({ region: 'all' })).join('')).toContain(SECRETS[0]);
  });

  const KEY = 'glpat-abcDEF12345678901234';
  const BODY = Array.from({ length: 6 }, (_, i) => `MIIEpAIBAAKCAQEA${i}abcdefghijklmnop`);
  const PRIVATE = ['-----BEGIN RSA PRIVATE KEY-----', ...BODY, '-----END RSA PRIVATE KEY-----'];

  /** What a program shows, to a model whose replies are masked. */
  async function shownBy(script: string, end: string | RegExp, fields: object = {}) {
    const redact = JSON.stringify({ known: true, variables: [], patterns: [], replies: true });
    const own = await startDaemon({ env: { LC_ALL: 'C.UTF-8', T4A_REDACT: redact } });
    onTestFinished(() => own.stop());
    const model = await connect({ socketPath: own.socketPath, reach: 'create' });
    onTestFinished(() => model.close());
    const terminal = await TestTerminal.start(own, ['bash', '-c', `${script}; exec sleep 1000`], fields);
    await terminal.untilShows(end);
    return { model, id: terminal.id, terminal };
  }

  it('have none in entries', async () => {
    const { model, id } = await shownBy(`echo "src/a.c:1:2: error: ${KEY} x"; echo end`, 'end', { rules: 'generic' });
    await expect
      .poll(async () => (await model.call('entries', { id })).entries.map(({ kind }) => kind))
      .not.toEqual([]);
    const { entries } = await model.call('entries', { id });
    expect(JSON.stringify(entries)).toContain('****');
    expect(JSON.stringify(entries)).not.toContain(KEY);
  });

  it('are refused for output in pieces that are too short to be known', async () => {
    const { model, id } = await sessions(true);
    const piece = model.call('output', { id, since: 2, max_bytes: 3 });
    await expect(piece).rejects.toMatchObject({ code: 'not_allowed', details: { field: 'max_bytes' } });
  });

  it('have none in output within the line of JSON', async () => {
    const { model, id } = await shownBy(`echo 'key ${KEY} z'; echo end`, 'end');
    const { data = '' } = await model.call('output', { id, since: 0, inline: true });
    expect(Buffer.from(data, 'base64').toString()).toBe(`key ${'*'.repeat(KEY.length)} z\r\nend\r\n`);
  });

  it('have no part of one in a match of a part of it', async () => {
    const { model, id } = await shownBy(`echo 'key ${KEY} z'; echo end`, 'end');
    const waited = await model.call('wait', { id, until: { regex: String.raw`pat-\w+` } });
    const found = await model.call('find', { id, text: 'abcD' });
    const half = await model.call('find', { id, regex: 'y glpat-ab|5678901234 z' });
    expect(JSON.stringify(waited)).toContain('***');
    for (const reply of [waited, found, half]) expect(JSON.stringify(reply)).not.toMatch(/abcD|pat-|5678/);
  });

  it('do not say by their matches what stands below a mask', async () => {
    const { model, id } = await sessions(true);
    const [secret] = SECRETS;
    const { lines } = await model.call('text', { id });
    expect(lines.join('\n')).not.toContain(secret);
    for (const part of new Set([...Array.from(secret), secret.slice(0, 5), secret])) {
      const pattern = `a ${secret.slice(0, secret.indexOf(part))}${part}`;
      const found = await model.call('grep', { id, pattern, fixed: true, max: 1 });
      expect(found).toMatchObject({ matches: [], total: 0 });
      expect(await model.call('find', { id, text: pattern })).toMatchObject({ matches: [], total: 0 });
      await expect(model.call('mouse', { id, action: 'click', on_text: pattern })).rejects.toMatchObject({
        code: 'no_match',
      });
    }
    // What is no secret is found, however many lines are masked.
    expect(await model.call('grep', { id, pattern: '^(a|end)', max: 2, last: true })).toMatchObject({
      matches: [{}, { text: 'end', spans: [{ start: 0, end: 3 }] }],
    });
    expect(await model.call('find', { id, text: 'end' })).toMatchObject({ total: 1 });
  });

  it('have no part of one, row by row, however narrow the terminal is', async () => {
    const { model, terminal, id } = await sessions(true);
    for (const cols of [3, 7]) {
      await terminal.do('resize', { cols, rows: 30 });
      const { total_lines: total, first_line: first } = await model.call('text', { id, region: 'all' });
      const rows: string[] = [];
      for (let n = 0; n < total; n++) {
        const one = await model.call('text', { id, from_line: first + n, max_lines: 1 });
        rows.push(...one.lines);
      }
      expect(rows.join('')).toContain('end');
      expect(foundIn(rows.join(''))).toEqual([]);
      for (const format of ['plain', 'ansi'] as const) {
        const { lines } = await model.call('text', { id, start: 5, end: 6, region: 'all', format });
        expect(foundIn(lines.join(''))).toEqual([]);
      }
    }
  });

  it('have none that the marks of a selection cut', async () => {
    const { model, id } = await shownBy(
      `printf '\\033[?1049h\\033[2Jkey glpat-abc\\033[7mDEF\\033[m12345678901234 z\\033[5;1Hend'`,
      'end',
    );
    const { lines } = await model.call('text', { id, selection: true });
    expect(lines[0]?.replaceAll(/[⟦⟧]/g, '')).toBe(`key ${'*'.repeat(KEY.length)} z`);
  });

  it('have no half of one, where its other half is above what is shown', async () => {
    const { model, id } = await shownBy(`printf '%0.s.' {1..69}; echo ' ${KEY}'; seq 22; printf end`, 'end');
    const top = await model.call('text', { id });
    const first = await model.call('text', { id, from_line: 0, max_lines: 1 });
    const second = await model.call('text', { id, from_line: 1, max_lines: 1 });
    const { bytes } = await model.call('screenshot', { id, format: 'svg' });
    const svg = Buffer.from(bytes ?? [])
      .toString()
      .replaceAll(/<[^>]*>/g, '');
    for (const seen of [JSON.stringify([top, first, second]), svg]) expect(seen).not.toMatch(/glpat|EF1234/);
    expect([first, second].map(({ lines }) => lines.map((line) => line.trimEnd()))).toEqual([
      [`${'.'.repeat(69)} **********`],
      ['****************'],
    ]);
  });

  it('have no line of a private key, wherever its beginning is', async () => {
    const key = PRIVATE.join('\\n');
    const { model, id } = await shownBy(`printf '${key}\\n'; seq 18; printf end`, 'end');
    const replies = [
      await model.call('text', { id }),
      await model.call('text', { id, from_line: 3, max_lines: 2 }),
      await model.call('grep', { id, pattern: 'QEA3', context: 1 }),
      await model.call('run', { command: `seq 300; printf '${key}\\n'`, max_lines: 6 }),
    ];
    expect(JSON.stringify(replies)).not.toContain('MIIE');
    const { bytes } = await model.call('screenshot', { id, format: 'svg' });
    expect(
      Buffer.from(bytes ?? [])
        .toString()
        .replaceAll(/<[^>]*>/g, ''),
    ).not.toContain('MIIE');
  });

  it('have none in the words of an error', async () => {
    const { model, id } = await sessions(true);
    const refused = model.call('text', { id: `no-${SECRETS[0]}` });
    await expect(refused).rejects.toMatchObject({ code: 'terminal_not_found' });
    expect(foundIn(String(await refused.catch((error: unknown) => error)))).toEqual([]);
    expect(await model.call('text', { id })).toMatchObject({ masked: expect.any(Number) as number });
  });

  it('have masked cells in their pictures', async () => {
    const { model, socketPath, id } = await sessions(true);
    const { bytes } = await model.call('screenshot', { id, format: 'svg' });
    const { header, bytes: open } = await rawRequest(socketPath, { cmd: 'screenshot', id, format: 'svg' });
    expect(header).toMatchObject({ ok: true });
    const bare = (svg: Uint8Array | undefined): string =>
      Buffer.from(svg ?? [])
        .toString('utf8')
        .replaceAll(/<[^>]*>/g, '');
    expect(foundIn(bare(open))).not.toEqual([]);
    expect(foundIn(bare(bytes))).toEqual([]);
  });

  it('are refused where they cannot be masked', async () => {
    const { model, id } = await sessions(true);
    await expect(model.call('text', { id, format: 'runs' })).rejects.toMatchObject({
      code: 'not_allowed',
      details: { field: 'format' },
    });
    await expect(model.call('film', { id })).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(model.call('debug', { id })).rejects.toMatchObject({ code: 'not_allowed' });
  });

  it('are as they were while the setting is off', async () => {
    const { model, id } = await sessions(false);
    const text = await model.call('text', { id, region: 'all' });
    expect(text).not.toHaveProperty('masked');
    expect(text.lines.join('')).toContain(SECRETS[0]);
  });
});
