/** A clip as an asciicast. One that begins later begins with a repaint of its first screen, so that it plays alone. */
import { CastLines, type CastVersion } from '../history/recording/cast-lines.js';
import { repaint } from '../vt/repaint.js';
import type { RecordedClip } from './clip.js';

export async function castOf(clip: RecordedClip, version: CastVersion): Promise<readonly Uint8Array[]> {
  const lines = new CastLines(version);
  const { start } = clip.recording;
  if (clip.isFromStart) return [Buffer.from(lines.header(start)), ...linesOf(clip, lines)];
  const snapshot = await clip.begin();
  const { cols, rows } = snapshot;
  const screen = Buffer.from(repaint(clip.stage.screen));
  const first = lines.line({ kind: 'output', atMs: 0, bytes: screen });
  return [Buffer.from(lines.header({ ...start, cols, rows })), Buffer.from(first), ...linesOf(clip, lines)];
}

/** Lines in one buffer. */
const CHUNK_LINES = 1000;

function linesOf(clip: RecordedClip, lines: CastLines): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let texts: string[] = [];
  for (const event of clip.events()) {
    texts.push(lines.line(event));
    if (texts.length < CHUNK_LINES) continue;
    chunks.push(Buffer.from(texts.join('')));
    texts = [];
  }
  chunks.push(Buffer.from(texts.join('')));
  return chunks;
}
