/** Recordings shown by two daemons and their pictures compared, sample by sample. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from '../../src/client/index.js';
import type { Recording } from './recordings.js';

export interface Difference {
  readonly name: string;
  /** Three of each pixel: red, green, blue. */
  readonly samples: number;
  readonly differing: number;
  /** Of 255. */
  readonly most: number;
}

/** Emulated, everything takes its time. */
const PATIENCE_MS = 120_000;

/** Pictures of what the recordings come to show, by name. */
export async function picturesOf(
  socketPath: string,
  recordings: readonly Recording[],
  replays: (recording: Recording) => string,
): Promise<Map<string, Buffer>> {
  const client = await connect({ socketPath, autoStart: false, timeoutMs: PATIENCE_MS });
  try {
    const pictures = new Map<string, Buffer>();
    for (const recording of recordings) {
      const { name, cols, rows } = recording;
      const replay = `stty raw -echo; cat '${replays(recording)}'`;
      const { id } = await client.call('create', { cmd_args: ['sh', '-c', replay], cols, rows });
      await client.call('wait', { id, until: { exit: true }, timeout_ms: PATIENCE_MS });
      const { bytes } = await client.call('screenshot', { id });
      pictures.set(name, Buffer.from(bytes ?? []));
    }
    return pictures;
  } finally {
    await client.close();
  }
}

/** Writes both and, where they differ, where: NAME.png, NAME-other.png, NAME-difference.png. */
export async function compare(name: string, one: Buffer, other: Buffer, into: string): Promise<Difference> {
  mkdirSync(into, { recursive: true });
  writeFileSync(path.join(into, `${name}.png`), one);
  writeFileSync(path.join(into, `${name}-other.png`), other);
  const [a, b] = [await samplesOf(one), await samplesOf(other)];
  if (a.width !== b.width || a.height !== b.height) throw new Error(`${name}: the pictures differ in size`);
  const canvas = createCanvas(a.width, a.height);
  const context = canvas.getContext('2d');
  let [samples, differing, most] = [0, 0, 0];
  for (let at = 0; at < a.data.length; at++) {
    if (at % 4 === 3) continue;
    samples++;
    const distance = Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0));
    if (distance === 0) continue;
    differing++;
    most = Math.max(most, distance);
    const pixel = Math.floor(at / 4);
    context.fillStyle = '#f00';
    context.fillRect(pixel % a.width, Math.floor(pixel / a.width), 1, 1);
  }
  if (differing > 0) writeFileSync(path.join(into, `${name}-difference.png`), canvas.toBuffer('image/png'));
  return { name, samples, differing, most };
}

async function samplesOf(png: Buffer): Promise<{ width: number; height: number; data: Uint8ClampedArray }> {
  const image = await loadImage(png);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}
