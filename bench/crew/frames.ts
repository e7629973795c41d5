/** What a frame of the shell costs, from the reply of `watch` to the bytes for the terminal of the person, and what one of Ink costs. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Picture } from '../../src/tty/picture.js';
import { canvasOf } from '../../src/tty/crew/canvas.js';
import { layoutOf } from '../../src/tty/crew/layout.js';
import { railRows } from '../../src/tty/crew/rail.js';
import { tabsOf } from '../../src/tty/crew/tabs.js';
import { Members } from '../../src/crew/members.js';
import { FrameWriter } from '../../src/mirror/frame-writer.js';
import { type Frame, Mirror } from '../../src/mirror/mirror.js';
import type { BenchDaemon } from '../support/bench-daemon.js';
import { median, type Figure } from '../support/figure.js';
import { SHELL_SIZE } from './shell-process.js';

const FRAMES = 600;
const WARM_UP = 200;
const ROUNDS = 5;
/** A directory in which `npm install ink react` was done. */
const INK = process.env['T4A_BENCH_INK'];

export async function frameFigures(root: string, daemon: BenchDaemon): Promise<Figure[]> {
  const layout = layoutOf(SHELL_SIZE);
  const { frames, texts } = await recorded(daemon, layout.screen);
  const { terminals } = await daemon.client.call('list');
  const members = new Members(terminals, Date.now()).all;
  const shown = members[0]?.id;
  const rail = railRows({
    needs: [],
    members,
    shown,
    hasFinished: () => false,
    scratchpads: [],
    preview: undefined,
    rows: layout.rows - 1,
    nowMs: Date.now(),
  });
  const status = { left: ` ${shown}`, right: 'Ctrl+K palette ', look: 'plain' } as const;
  const own: number[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [mirror, picture, writer] = [new Mirror(), new Picture(), new FrameWriter()];
    const draw = (frame: Frame): string => {
      mirror.apply(frame);
      const isNeeding = (): boolean => false;
      const parts = { members, shown, needs: isNeeding, hasFinished: isNeeding, bySession: true };
      const rows = layout.rows - 1;
      const tree = { needs: [], members, shown, hasFinished: isNeeding, scratchpads: [], preview: undefined };
      const drawn = {
        layout,
        tabs: tabsOf(parts),
        rail: railRows({ ...tree, rows, nowMs: Date.now() }),
        toasts: [],
      };
      return writer.write(canvasOf({ ...drawn, picture, mirror, panel: undefined, status, hint: undefined }));
    };
    for (const frame of frames.slice(0, WARM_UP)) draw(frame);
    bytes = 0;
    const before = process.cpuUsage();
    for (const frame of frames.slice(WARM_UP)) bytes += Buffer.byteLength(draw(frame));
    const { user, system } = process.cpuUsage(before);
    own.push((user + system) / (FRAMES - WARM_UP));
  }
  const note = `${(bytes / (FRAMES - WARM_UP)).toFixed(0)} bytes each, at ${SHELL_SIZE.cols}x${SHELL_SIZE.rows}`;
  const figure: Figure = { name: 'processor time of a frame of the shell', value: median(own), unit: ' µs', note };
  if (INK === undefined || !existsSync(INK)) {
    console.log('     left out: Ink (T4A_BENCH_INK is no directory in which "npm install ink react" was done)');
    return [figure];
  }
  const input = JSON.stringify({
    cols: layout.cols + layout.railCols,
    screenCols: layout.cols,
    warmUp: WARM_UP,
    frames: texts.map((screen) => ({
      tabs: ` ${shown} `,
      screen,
      rail: Array.from({ length: layout.rows - 1 }, (_, row) => `│ ${rail[row]?.text ?? ''}`),
      status: status.left,
    })),
  });
  const program = path.join(root, 'bench/crew/ink.mjs');
  const ink = Number(execFileSync(process.execPath, [program, INK], { input, encoding: 'utf8' }));
  return [
    figure,
    {
      name: 'processor time of a frame of the shell, times that of Ink for the same change',
      value: median(own) / ink,
      limit: 1 / 20,
      note: `${median(own).toFixed(0)} µs against ${ink.toFixed(0)} µs`,
    },
  ];
}

/** A key each, in a screen full of text: one row changes. */
async function recorded(
  { client }: BenchDaemon,
  size: { readonly cols: number; readonly rows: number },
): Promise<{ readonly frames: readonly Frame[]; readonly texts: readonly (readonly string[])[] }> {
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; stty raw -echo; echo ready; exec cat'],
    ...size,
    wait: { until: { text: 'ready' } },
  });
  const frames: Frame[] = [await client.call('watch', { id })];
  const textOf = async (): Promise<readonly string[]> => (await client.call('text', { id })).lines;
  const texts = [await textOf()];
  for (let i = 1; i < FRAMES; i++) {
    const { rev, state } = frames.at(-1) as Frame;
    const next = client.call('watch', { id, since: rev, state });
    await client.call('send', { id, input: i % 80 === 0 ? '\r\x1b[K' : 'x' });
    frames.push(await next);
    texts.push(await textOf());
  }
  await client.call('kill', { id });
  return { frames, texts };
}
