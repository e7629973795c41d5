/** Pictures in the output of the command line, on terminals with given answers. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { graphicsOf } from '../../../src/cli/output/picture/graphics.js';
import { inlinePicture } from '../../../src/cli/output/picture/inline.js';
import { pixelsOfPng } from '../../../src/base/png-pixels.js';
import { sixel } from '../../../src/cli/output/picture/sixel.js';
import { ownFiles } from '../../../src/cli/own-files.js';
import type { Host } from '../../../src/cli/host.js';
import { launchOnOwnDaemon } from '../../support/launch.js';

/** A terminal that answers a query with that. */
function terminalThat(answers: string, env: Record<string, string> = {}): Host & { written: () => string } {
  let written = '';
  let tell: ((keys: string) => void) | undefined;
  return {
    env: { TERM: 'xterm-256color', ...env },
    scope: () => undefined,
    parent: () => ({ pid: 1 }),
    files: ownFiles(),
    cwd: () => '/',
    configFile: () => undefined,
    stdinIsTerminal: true,
    stdoutIsTerminal: true,
    columns: () => 80,
    rows: () => 24,
    stdin: () => process.stdin,
    out(data) {
      written += String(data);
      queueMicrotask(() => tell?.(answers));
    },
    progress: () => {},
    note: () => {},
    keys(listener) {
      tell = listener;
      return () => (tell = undefined);
    },
    written: () => written,
  };
}

describe('the terminal', () => {
  test('is asked for its picture protocol', async () => {
    expect(await graphicsOf(terminalThat('\x1b_Gi=31;OK\x1b\\\x1b[?62;4c'))).toBe('kitty');
    expect(await graphicsOf(terminalThat('\x1b[?62;4;22c'))).toBe('sixel');
    expect(await graphicsOf(terminalThat('\x1bP>|XTerm(390)\x1b\\\x1b[?64;1;4c'))).toBe('sixel');
    expect(await graphicsOf(terminalThat('\x1bP>|iTerm2 3.5.0\x1b\\\x1b[?62;4c'))).toBe('iterm2');
    expect(await graphicsOf(terminalThat('\x1bP>|kitty(0.40)\x1b\\\x1b[?62;c'))).toBeUndefined();
    expect(await graphicsOf(terminalThat('\x1b[?1;2c'))).toBeUndefined();
    // 64: the terminal's class, not an attribute.
    expect(await graphicsOf(terminalThat('\x1b[?4;1c'))).toBeUndefined();
  });

  test('has no picture protocol if it does not answer', async () => {
    const silent = terminalThat('');
    expect(await graphicsOf(silent)).toBeUndefined();
    expect(silent.written()).toContain('\x1b[c');
  });

  test('is recognized by its name without a query, and shows no pictures in tmux or a pipe', async () => {
    const iterm = terminalThat('', { TERM_PROGRAM: 'iTerm.app' });
    const tmux = terminalThat('\x1b[?62;4c', { TMUX: '/tmp/tmux-0/default,1,0' });
    expect([await graphicsOf(iterm), await graphicsOf(tmux)]).toEqual(['iterm2', undefined]);
    expect([iterm.written(), tmux.written()]).toEqual(['', '']);
    expect(await graphicsOf({ ...terminalThat('\x1b[?62;4c'), stdoutIsTerminal: false })).toBeUndefined();
  });
});

describe('a picture of a terminal', () => {
  test('is decoded to the same pixels as by sharp', async () => {
    const png = await screen();
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixels = pixelsOfPng(png);
    expect([pixels.width, pixels.height]).toEqual([info.width, info.height]);
    const colours = Uint8Array.from(
      [...pixels.colors].flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff]),
    );
    expect(Buffer.from(colours).equals(data)).toBe(true);
    for (const other of [sharp(png).png({ palette: false }), sharp(png).png({ adaptiveFiltering: true })]) {
      expect(Buffer.compare(bytesOf(pixelsOfPng(await other.toBuffer()).colors), bytesOf(pixels.colors))).toBe(0);
    }
  });

  test('as sixels keeps its colours within their precision', async () => {
    const png = await screen();
    const { width, height, colors } = pixelsOfPng(png);
    const shown = readSixel(inlinePicture('sixel', png));
    // At most 256 of them: each keeps a register of its own.
    expect(new Set(shown).size).toBe(new Set(colors).size);
    const worst = colors.reduce((most, color, i) => Math.max(most, distance(color, shown[i] ?? -1)), 0);
    expect(shown).toHaveLength(width * height);
    // Sixel's channels go from 0 to 100.
    expect(worst).toBeLessThanOrEqual(2);
  });

  test('with too many colours for sixels is shown in at most 256 similar ones', () => {
    const colors = Uint32Array.from({ length: 64 * 64 }, (_, i) => ((i % 64) << 18) | (Math.floor(i / 64) << 10));
    const shown = readSixel(sixel({ width: 64, height: 64, colors }));
    expect(new Set(shown).size).toBeLessThanOrEqual(256);
    expect(colors.every((color, i) => distance(color, shown[i] ?? -1) <= 34)).toBe(true);
  });

  test('is sent as a PNG, to kitty in pieces and to iTerm2 in one', async () => {
    const png = await screen();
    const kitty = inlinePicture('kitty', png);
    const pieces = [...kitty.matchAll(new RegExp(String.raw`\x1b_G(?:a=T,f=100,q=2,)?m=([01]);([^\x1b]*)\x1b\\`, 'g'))];
    expect(pieces.every(([, , data]) => (data ?? '').length <= 4096)).toBe(true);
    expect(pieces.map(([, more]) => more).join('')).toMatch(/^1*0$/);
    expect(Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64').equals(png)).toBe(true);
    const [, size, data] =
      new RegExp(String.raw`^\x1b\]1337;File=inline=1;size=(\d+):([^\x07]*)\x07\n$`).exec(
        inlinePicture('iterm2', png),
      ) ?? [];
    expect(Number(size)).toBe(png.length);
    expect(Buffer.from(data ?? '', 'base64').equals(png)).toBe(true);
  });
});

async function screen(): Promise<Uint8Array> {
  const terminal = await launchOnOwnDaemon({ command: String.raw`printf '\033[41mred\033[0m \033[32mgreen'; cat` });
  await terminal.waitForText('green');
  return (await terminal.screenshot({ scale: 66 })).bytes;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function distance(one: number, other: number): number {
  return Math.max(...[16, 8, 0].map((shift) => Math.abs(((one >> shift) & 0xff) - ((other >> shift) & 0xff))));
}

const SIXELS = new RegExp(String.raw`^\x1bP[\d;]*q"1;1;(\d+);(\d+)(.*)\x1b\\\n?$`, 's');

/** A reader of sixels, as plain as can be. @returns 0xRRGGBB, row by row; -1 where nothing was drawn */
function readSixel(text: string): number[] {
  const [, width = '', height = '', body = ''] = SIXELS.exec(text) ?? [];
  const pixels = Array.from({ length: Number(width) * Number(height) }, () => -1);
  const palette = new Map<string, number>();
  let [x, y, color] = [0, 0, 0];
  for (const match of body.matchAll(/#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|(?:!(\d+))?([?-~])|[$-]/g)) {
    const [whole, define, r, g, b, select, repeat, bits] = match;
    if (define !== undefined)
      palette.set(
        define,
        [r, g, b].reduce((sum, part) => sum * 256 + fromPercent(part), 0),
      );
    else if (select !== undefined) color = palette.get(select) ?? -1;
    else if (bits === undefined) [x, y] = [0, whole === '-' ? y + 6 : y];
    else {
      const mask = bits.charCodeAt(0) - 0x3f;
      for (const end = x + Number(repeat ?? 1); x < end; x++) {
        for (let row = 0; row < 6; row++) if (mask & (1 << row)) pixels[(y + row) * Number(width) + x] = color;
      }
    }
  }
  return pixels;
}

function fromPercent(text: string | undefined): number {
  return Math.round((Number(text) * 255) / 100);
}
