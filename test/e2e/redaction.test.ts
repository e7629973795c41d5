/** Secrets of real programs, masked in what a daemon writes to files and hands out for them. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    expect(String((await terminal.lines()).join('\n'))).toContain(SECRETS[0]);
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
