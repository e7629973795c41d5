/** The options of `screenshot`, through the socket. The tests of the renderer check the pixels. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { rawRequest } from '../support/raw.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
let id: string;
let events: EventStream;

beforeAll(async () => {
  daemon = await startDaemon();
  const script = 'stty -echo; seq 1 100; printf "error: red\\n\\a"; while IFS= read -r line; do printf "$line"; done';
  id = String((await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script] }))['id']);
  events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0, types: ['bell'] });
  await events.until('bell');
});
afterAll(async () => {
  events.close();
  await daemon.stop();
});

async function shot(fields: object = {}): Promise<{ header: Record<string, unknown>; bytes: Buffer }> {
  return rawRequest(daemon.socketPath, { cmd: 'screenshot', id, ...fields });
}

function pixels(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes).removeAlpha().raw().toBuffer();
}

describe('the size of a picture', () => {
  it.each([
    [{}, 640, 384],
    [{ profile: 'cheap' }, 560, 336],
    [{ profile: 'exact' }, 800, 480],
    [{ profile: 'human' }, 1640, 1000],
    [{ profile: 'human', pad: 0 }, 1600, 960],
    [{ scale: 66 }, 560, 336],
    [{ scale: 90, pad: 3 }, 726, 438],
    [{ region: { row: 2, col: 10, rows: 3, cols: 20 } }, 160, 48],
    [{ scrollback: 6 }, 640, 480],
    [{ max_tokens: 250, model: 'claude' }, 560, 336],
    [{ max_tokens: 300, model: 'gpt', profile: 'cheap' }, 560, 336],
    [{ max_tokens: 200, model: 'claude' }, 480, 288],
    [{ max_tokens: 5000, model: 'claude' }, 1520, 912],
  ])('follows the options %j', async (fields, width, height) => {
    const { header, bytes } = await shot(fields);
    expect(header).toMatchObject({ ok: true, width, height });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width, height });
  });

  it('is that of a part if max_tokens has no room for all, and the reply has the part and what can be read', async () => {
    const part = await shot({ max_tokens: 150 });
    const { region, fitted, legibility, cell_width, tokens } = part.header as {
      region: object;
      fitted: string;
      legibility: string;
      cell_width: number;
      tokens: { claude: number };
    };
    expect({ fitted, legibility, cell_width }).toEqual({ fitted: 'part', legibility: 'no_ids', cell_width: 6 });
    expect(tokens.claude).toBeLessThanOrEqual(150);
    expect(region).toMatchObject({ col: 0, cols: 80 });
    const same = await shot({ region, scale: 60 });
    expect(same.header['region']).toEqual(region);
    expect(same.bytes).toEqual(part.bytes);
    expect((await shot({ max_tokens: 200 })).header).toMatchObject({ fitted: 'smaller_cells', legibility: 'no_ids' });
    const full = (await shot({ max_tokens: 400 })).header;
    expect(full).toMatchObject({ legibility: 'good' });
    expect(full).not.toHaveProperty('fitted');
    expect(full).not.toHaveProperty('region');
  });

  it('comes with an estimate of its tokens', async () => {
    expect((await shot()).header['tokens']).toEqual({ claude: 23 * 14, gpt: 288, gemini: 1090 });
  });
});

describe('formats', () => {
  it.each(['webp', 'jpeg', 'svg'] as const)('%s has its format and size', async (format) => {
    const { header, bytes } = await shot({ format });
    expect(header).toMatchObject({ ok: true, format, len: bytes.length, width: 640, height: 384 });
    expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 640, height: 384 });
  });

  it('webp shows the same pixels as png', async () => {
    const [png, webp] = await Promise.all([shot(), shot({ format: 'webp' })]);
    expect((await pixels(webp.bytes)).equals(await pixels(png.bytes))).toBe(true);
  });

  it('html and svg contain the text', async () => {
    for (const format of ['html', 'svg']) expect((await shot({ format })).bytes.toString()).toContain('error: red');
  });
});

describe('the look of a picture', () => {
  it('has the background of the given theme', async () => {
    const { data } = await sharp((await shot({ theme: 'light', cursor: false })).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it('has the background of a configured theme, which programs also receive', async () => {
    const ansi = Array.from({ length: 16 }, () => '#808080');
    const themes = { mine: { foreground: '#ffffff', background: '#102030', ansi } };
    expect(await request(daemon, { cmd: 'config', themes, theme: 'mine' })).toMatchObject({ ok: true, theme: 'mine' });
    const { data } = await sharp((await shot()).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([0x10, 0x20, 0x30]);
    const query = `stty raw -echo; printf '\\033]11;?\\007'; head -c 25 | od -An -c -w200; stty sane`;
    const { lines } = (await request(daemon, { cmd: 'run', command: query })) as { lines: string[] };
    expect(lines.join('').replaceAll(/ +/g, '')).toContain('rgb:1010/2020/3030');
    await request(daemon, { cmd: 'config', theme: 'dark' });
  });

  it('changes with the screen, rulers, marks and fading, and otherwise stays the same', async () => {
    const rev = Number((await shot()).header['rev']);
    const plain = (await shot()).bytes;
    expect((await shot()).bytes.equals(plain)).toBe(true);
    await request(daemon, { cmd: 'send', id, input: 'more\\a\n' });
    await events.until('bell');
    const now = (await shot()).bytes;
    const all = [
      now,
      (await shot({ rulers: true })).bytes,
      (await shot({ mark: ['error'] })).bytes,
      (await shot({ mark: [{ regex: '9[0-9]' }] })).bytes,
      (await shot({ mark: [{ changed_since: rev }] })).bytes,
      (await shot({ mark: [{ row: 0, col: 0, rows: 2, cols: 5 }] })).bytes,
      (await shot({ since: rev })).bytes,
    ];
    expect(new Set(all.map((bytes) => bytes.toString('base64'))).size).toBe(all.length);
  });
});

describe('a picture that cannot be drawn', () => {
  it.each([
    [{ region: { row: 0, col: 0, rows: 25, cols: 80 } }, 'region_outside', 'region'],
    [{ region: { row: -1, col: 0, rows: 1, cols: 1 } }, 'region_outside', 'region'],
    [{ region: { row: 0, col: 79, rows: 1, cols: 2 } }, 'region_outside', 'region'],
    [{ region: { row: 0, col: 0, rows: 0, cols: 2 } }, 'invalid_field', 'region.rows'],
    [{ mark: [{ row: 99, col: 0, rows: 1, cols: 1 }] }, 'region_outside', 'mark.0'],
    [{ mark: [{ regex: '(' }] }, 'bad_regex', 'mark.0'],
    [{ theme: 'ligth' }, 'invalid_field', 'theme'],
    [{ format: 'gif' }, 'invalid_field', 'format'],
    [{ profile: 'big' }, 'invalid_field', 'profile'],
    [{ max_tokens: 10, model: 'gemini' }, 'image_too_large', 'max_tokens'],
    [{ minimum_contrast: 0 }, 'invalid_field', 'minimum_contrast'],
    [{ scale: 39 }, 'invalid_field', 'scale'],
    [{ scale: 641 }, 'invalid_field', 'scale'],
    [{ since: 1e9 }, 'revision_unknown', undefined],
    [{ mark: [{ changed_since: 1e9 }] }, 'revision_unknown', undefined],
  ])('is refused with a code: %j', async (fields, code, field) => {
    const { header } = await shot(fields);
    expect(header).toMatchObject({
      ok: false,
      code,
      error: expect.any(String),
      ...(field === undefined ? {} : { field }),
    });
  });

  it('is refused as too large', async () => {
    const { id: wide } = await request(daemon, { cmd: 'create', cols: 1000, rows: 2, cmd_args: ['cat'] });
    expect(await request(daemon, { cmd: 'screenshot', id: wide, scale: 640 })).toMatchObject({
      code: 'image_too_large',
      field: 'scale',
    });
    await request(daemon, { cmd: 'kill', id: wide });
  });

  it.each([
    ['webp', { cols: 1000, rows: 2, pad: 0 }, 170],
    ['webp', { cols: 250, rows: 130, pad: 0 }, 640],
    ['jpeg', { cols: 1000, rows: 40, pad: 0 }, 640],
    ['jpeg', { cols: 10, rows: 511, pad: 60 }, 640],
  ])('is refused as too large for %s: %j', async (format, { pad, ...grid }, scale) => {
    const { id: large } = await request(daemon, { cmd: 'create', ...grid, cmd_args: ['cat'] });
    await request(daemon, { cmd: 'config', max_image_side: 65_535 });
    expect(await request(daemon, { cmd: 'screenshot', id: large, format, scale, pad })).toMatchObject({
      code: 'image_too_large',
      error: expect.stringContaining(`a ${format} `),
    });
    await request(daemon, { cmd: 'config', max_image_side: 16_384 });
    await request(daemon, { cmd: 'kill', id: large });
  });

  it('is refused as too large if rulers make it so', async () => {
    const { id: wide } = await request(daemon, { cmd: 'create', cols: 256, rows: 2, cmd_args: ['cat'] });
    const ask = { cmd: 'screenshot', id: wide, scale: 640, inline: true };
    expect(await request(daemon, ask)).toMatchObject({ ok: true, width: 16_384 });
    expect(await request(daemon, { ...ask, rulers: true })).toMatchObject({ code: 'image_too_large' });
    await request(daemon, { cmd: 'kill', id: wide });
  });

  it('is drawn smaller if rulers would exceed its tokens', async () => {
    const { header } = await shot({ rulers: true, max_tokens: 300, model: 'claude' });
    expect(header['tokens'] as { claude: number }).toSatisfy(({ claude }: { claude: number }) => claude <= 300);
  });

  it('an unknown theme in the configuration is refused, and the current one stays', async () => {
    expect(await request(daemon, { cmd: 'config', theme: 'ligth' })).toMatchObject({
      code: 'invalid_field',
      closest: 'light',
    });
    expect(await request(daemon, { cmd: 'config' })).toMatchObject({ theme: 'dark' });
  });
});

it('a picture drawn ahead after a wait equals one that is drawn on request', async () => {
  const takeAll = async (isWaitedFor: boolean): Promise<Buffer[]> => {
    const script = 'stty -echo; echo READY; while read -r n; do echo "line $n."; done';
    const { id: own } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script] });
    await request(daemon, { cmd: 'wait', id: own, until: { text: 'READY' } });
    const all: Buffer[] = [];
    for (let n = 0; n < 30; n++) {
      expect((await shot({ id: own, rulers: n % 3 === 0 })).header).toMatchObject({ ok: true });
      const send = { cmd: 'send', id: own, input: `${n}\n` };
      const wait = { until: { text: `line ${n}.` } };
      if (isWaitedFor) await request(daemon, { ...send, wait });
      // With a picture of its own, nothing is drawn ahead.
      else await rawRequest(daemon.socketPath, { ...send, wait, observe: { screenshot: true, text: false } });
      all.push((await shot({ id: own })).bytes);
    }
    await request(daemon, { cmd: 'kill', id: own });
    return all;
  };
  expect(await takeAll(true)).toEqual(await takeAll(false));
});
