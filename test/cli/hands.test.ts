/** Keys, pastes, clicks and searches on the command line, with waits and readings in the same call. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const PNG_SIGNATURE = '89504e470d0a1a0a';
const cli = useCommandLine();

/** The id of a terminal in which cat reads: what is typed earlier may be settled before cat has answered it. */
async function readingCat(): Promise<string> {
  const id = await cli.create('cat');
  await cli.output(['wait', id, '--input']);
  return id;
}

describe('input', () => {
  itNeeds('vim')('press @ Escape : w q Enter saves the text typed in vim', async () => {
    const file = path.join(cli.daemon.dir, 'typed.txt');
    const id = await cli.create('vim', '-u', 'NONE', '-N', file);
    await cli.output(['wait', id, '--text', 'typed.txt', '--settled-ms', '2000']);
    await cli.output(['press', '@', 'i', '--wait', 'text=INSERT']);
    await cli.output(['type', '@', 'hello -- world', '--wait', 'settled']);
    await cli.output(['press', '@', 'Escape', ':', 'w', 'q', 'Enter', '--wait', 'exit']);
    expect(readFileSync(file, 'utf8')).toBe('hello -- world\n');
  });

  test('type --submit, paste from standard input, and press Ctrl+D reach cat', async () => {
    const file = path.join(cli.daemon.dir, 'pasted.txt');
    const id = await cli.create('sh', '-c', `echo ready; exec cat > ${file}`);
    await cli.output(['wait', id, '--text', 'ready']);
    await cli.output(['type', '@', 'typed', '--submit']);
    const { status, stderr } = await cli.t4a(['paste', '@'], { input: 'one\ntwo\x07\n' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: 't4a: 1 control characters were removed.\n' });
    await cli.output(['type', id, '--submit', '--secret', '--even-if-shown'], { input: 'secret\n' });
    await cli.output(['press', 'C-d', '--wait', 'exit']);
    expect(readFileSync(file, 'utf8')).toBe('typed\none\ntwo\nsecret\n');
  });

  test('one call types, waits, prints the screen and writes its picture', async () => {
    const dir = tempDir();
    const id = await readingCat();
    const picture = dir.join('screen.png');
    const shown = await cli.output(
      ['type', id, 'seen', '--submit', '--wait', 'settled', '--screenshot', picture, '--text'],
      { cwd: dir.path },
    );
    expect(shown).toBe('seen\nseen\n');
    expect(readFileSync(picture).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  test('is done although the look after it fails: status 5, and a note that says so', async () => {
    const id = await cli.create('cat');
    const full = await cli.t4a(['type', id, 'once', '--submit', '--wait', 'text=once', '--screenshot', '/dev/full']);
    expect(full.status).toBe(5);
    expect(full.stderr).toMatch(/^t4a: It was done, and the look after it failed: .*ENOSPC/);
    expect(await cli.output(['text', id])).toBe('once\nonce\n');
  });

  test('is not done where the picture could not be written', async () => {
    const id = await cli.create('cat');
    const { status, stderr } = await cli.t4a(['type', id, 'never', '--submit', '--screenshot', '/no/such/dir/x.png']);
    expect(status).toBe(2);
    expect(stderr).toContain('ENOENT');
    expect(await cli.output(['text', id])).toBe('');
  });

  test('an unmet wait ends with status 124 and shows the last lines', async () => {
    const id = await cli.create('cat');
    await cli.output(['type', id, 'shown', '--submit', '--wait', 'text=shown']);
    const { status, stderr } = await cli.t4a([
      'type',
      id,
      'x',
      '--submit',
      '--wait',
      'text=never',
      '--timeout',
      '50ms',
    ]);
    expect(status).toBe(124);
    expect(stderr).toMatch(/^t4a: The wait ended as timeout after \d+ ms\.\n {2}shown\n/);
  });

  test('an unknown key ends with status 2 and suggests the closest one', async () => {
    const id = await cli.create('cat');
    const { status, stderr } = await cli.t4a(['press', id, 'Entr']);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 't4a: "Entr" is not a key.\n  hint: Did you mean "Enter"?\n',
    });
  });

  test.each([
    [['--wait', 'setled'], /--wait is "setled": expected one of settled, /],
    [['--wait', 'settled=soon'], /has "soon" for a time/],
    [['--wait', 'text'], /--wait text needs a value/],
    [['--timeout', '5ms'], /go with --wait/],
  ])('invalid flags of a wait are refused: %j', async (flags, message) => {
    const { status, stderr } = await cli.t4a(['press', '@', 'a', ...flags]);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('mouse @ click --on-text fails if the program has not asked for the mouse', async () => {
    const id = await cli.create('sh', '-c', 'echo "[ OK ]"; cat');
    await cli.output(['wait', id, '--text', 'OK']);
    const { status, stderr } = await cli.t4a(['mouse', '@', 'click', '--on-text', 'OK']);
    expect(status).toBe(1);
    expect(stderr).toContain('has not asked for the mouse');
  });

  test('mouse @ click --on-text clicks if the program has asked for the mouse', async () => {
    // Without an echo before the text is there: a click that came sooner would be shown twice.
    const script = "stty raw -echo; printf '\\033[?1000;1006h[ OK ]'; head -c 18 | cat -v; printf ' done'; read x";
    const id = await cli.create('sh', '-c', script);
    await cli.output(['wait', id, '--text', 'OK']);
    const shown = await cli.output(['mouse', '@', 'click', '--on-text', 'OK', '--wait', 'text=done', '--text']);
    expect(shown).toBe('[ OK ]^[[<0;3;1M^[[<0;3;1m done\n');
  });
});

describe('reading', () => {
  test('text --format ansi --region all prints colours', async () => {
    const id = await cli.printed('\\033[1;31mred\\033[m plain\\n');
    expect(await cli.output(['text', id, '--format', 'ansi', '--region', 'all', '23:24'])).toBe(
      '\x1b[0;1;31mred\x1b[m plain\n',
    );
  });

  test('text --since prints the lines that changed, with their numbers', async () => {
    const id = await readingCat();
    const { rev } = await cli.reply(['text', id, '--json']);
    await cli.output(['type', id, 'new', '--submit', '--wait', 'settled']);
    expect(await cli.output(['text', id, '--since', String(rev)])).toBe('0:new\n1:new\n');
  });

  test('text --max-bytes reports on standard error what it left out', async () => {
    const id = await cli.printed('1\\n2\\n3\\n4\\n5\\n6\\n');
    const { stdout, stderr } = await cli.t4a(['text', id, '18:24', '--max-bytes', '6']);
    expect(stdout).toBe('1\n5\n6\n');
    expect(stderr).toBe('… 3 lines (6 bytes) left out (--max-bytes) …\n');
  });

  test('text --format html prints a <pre> element with the text escaped', async () => {
    const id = await cli.printed('<b>');
    expect(await cli.output(['text', id, '--format', 'html'])).toMatch(/^<pre style=.*&lt;b&gt;/);
  });

  test('grep prints matches in the format of ripgrep', async () => {
    const id = await cli.printed('a\\nerror 1\\nb\\nc\\nd\\nerror 2\\nerror 3\\n');
    expect(await cli.output(['grep', id, 'error \\d'])).toBe('1:error 1\n5:error 2\n6:error 3\n');
    expect(await cli.output(['grep', id, 'error', '-C', '1'])).toBe(
      '0-a\n1:error 1\n2-b\n--\n4-d\n5:error 2\n6:error 3\n7-\n',
    );
    expect(await cli.output(['grep', id, 'ERROR', '-i', '-B', '1', '-A', '0', '--last', '--max', '3'])).toBe(
      '0-a\n1:error 1\n--\n4-d\n5:error 2\n6:error 3\n',
    );
  });

  test('grep and find end with 1 without a match, and grep with 2 for an invalid pattern', async () => {
    const id = await cli.printed('a');
    expect(await cli.t4a(['grep', id, 'x'])).toMatchObject({ status: 1, stdout: '', stderr: '' });
    expect(await cli.t4a(['find', id, 'x'])).toMatchObject({ status: 1, stdout: '', stderr: '' });
    expect(await cli.t4a(['grep', id, '('])).toMatchObject({ status: 2, stderr: expect.stringContaining('hint: RE2') });
  });

  test('grep reports how many matching lines are beyond its limit', async () => {
    const id = await cli.printed('a\\na\\na\\n');
    const { stdout, stderr } = await cli.t4a(['grep', id, 'a', '--max', '1']);
    expect({ stdout, stderr }).toEqual({ stdout: '0:a\n', stderr: '… 2 more matching lines (--max) …\n' });
  });

  test('find prints the row and column of each match', async () => {
    const id = await cli.printed('  OK\\n    OK\\n');
    expect(await cli.output(['find', id, 'OK'])).toBe('0:2:OK\n1:4:OK\n');
  });

  test('debug prints its reply in sections', async () => {
    const id = await cli.create('sh', '-c', "printf '\\033[?9999h\\033[c'; exec cat");
    await cli.output(['wait', id, '--settled-ms', '100']);
    const shown = await cli.output(['debug', id]);
    expect(shown).toMatch(/^unhandled sequences\n {2}CSI \?9999h {2}1b5b3f3939393968\n/);
    expect(shown).toMatch(/\nqueries\n {2}CSI c {2}1b5b63 {2}\\e\[\?/);
    expect(shown).toMatch(/\ntermios\n {2}mode canonical\n/);
    expect(shown).toMatch(/\nforeground\n {2}\d+ cat: read of this terminal/);
  });
});
