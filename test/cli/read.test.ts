/** The output of the command line about a terminal in a pipe or a file, as scripts read it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { tempDir } from '../support/temp-dir.js';

const PNG_SIGNATURE = '89504e470d0a1a0a';
const cli = useCommandLine();

describe('reading', () => {
  test('text prints the lines of the screen, without the blank lines below them', async () => {
    const id = await cli.printed('one\\ntwo  \\n');
    expect(await cli.output(['text', id])).toBe('one\ntwo\n');
    const whole = (await cli.output(['text', id, '--no-trim'])).split('\n');
    expect(whole[1]).toMatch(/^two +$/);
    expect(whole.length).toBe(25);
    expect((await cli.output(['text', id, '--format', 'cells'])).split('\n').length).toBe(25);
    expect((await cli.output(['text', id, '--format', 'ansi'])).split('\n').length).toBe(25);
    expect(await cli.output(['text', id, '0:2'])).toBe('\n\n');
    expect(await cli.output(['text', id, '22:24'])).toBe('one\ntwo\n');
  });

  test('text --json prints the reply of the daemon', async () => {
    const id = await cli.printed('x');
    expect(await cli.reply(['text', id, '--json', '23:24'])).toMatchObject({
      ok: true,
      lines: ['x'],
      start: 23,
      end: 24,
    });
  });

  test('list, status, cursor, config and ping print JSON into a pipe', async () => {
    const id = await cli.printed('abc');
    const { terminals } = await cli.reply(['list']);
    expect((terminals as { id: string }[]).map((terminal) => terminal.id)).toContain(id);
    expect(await cli.reply(['status', id])).toMatchObject({ ok: true, id, alive: false, exit_code: 0 });
    expect(await cli.reply(['cursor', id])).toMatchObject({ ok: true, row: 0, col: 3 });
    expect(await cli.reply(['config'])).toMatchObject({ ok: true, idle_timeout_ms: 2000 });
    expect(await cli.reply(['ping'])).toMatchObject({ ok: true, pid: cli.daemon.process.pid });
  });

  test('schema prints the schema alone', async () => {
    expect(
      Object.keys((JSON.parse(await cli.output(['schema'])) as Record<string, unknown>)['commands'] as object),
    ).toContain('create');
  });

  test('screenshot writes the picture into a pipe, into a file, or as base64 into the reply', async () => {
    const dir = tempDir();
    const id = await cli.printed('picture');
    const { bytes, status } = await cli.t4a(['screenshot', id]);
    expect({ status, signature: bytes.subarray(0, 8).toString('hex') }).toEqual({
      status: 0,
      signature: PNG_SIGNATURE,
    });

    expect(await cli.output(['screenshot', id, '-o', 'shot.png'], { cwd: dir.path })).toBe('');
    expect(readFileSync(dir.join('shot.png'))).toEqual(bytes);

    const inline = await cli.reply(['screenshot', id, '--json']);
    expect(Buffer.from(String(inline['data']), 'base64')).toEqual(bytes);

    const header = await cli.reply(['screenshot', id, '--json', '-o', dir.join('other.png')]);
    expect(header).toMatchObject({ ok: true, format: 'png', len: bytes.length });
    expect(readFileSync(dir.join('other.png'))).toEqual(bytes);

    const unchanged = await cli.t4a(['screenshot', id, '--if-rev', String(header['rev'])]);
    expect(unchanged).toMatchObject({
      status: 0,
      stdout: '',
      stderr: `Unchanged since revision ${String(header['rev'])}.\n`,
    });
  });

  test('the extension of a picture file selects its format, and an unknown one is refused', async () => {
    const { status, stderr } = await cli.t4a(['screenshot', await cli.printed('x'), '-o', 'screen.GIF']);
    expect(status).toBe(2);
    expect(stderr).toContain('a picture is png, webp, jpeg, svg or html.\n  hint: For example screen.png');
    const dir = tempDir();
    await cli.output(['run', '--screenshot', 'end.webp', '--', 'true'], { cwd: dir.path });
    expect(readFileSync(dir.join('end.webp')).subarray(8, 12).toString()).toBe('WEBP');
    const id = await cli.create('cat');
    await cli.output(['press', id, 'x', '--wait', 'settled=50', '--screenshot', 'x.svg'], { cwd: dir.path });
    expect(readFileSync(dir.join('x.svg'), 'utf8')).toMatch(/^<svg/);
  });

  test('a picture that cannot be written causes an error with the reason', async () => {
    const id = await cli.printed('x');
    const { status, stderr } = await cli.t4a(['screenshot', id, '-o', '/no/such/directory/x.png']);
    expect(status).toBe(2);
    expect(stderr).toContain('ENOENT');
  });
});
