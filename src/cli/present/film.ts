import path from 'node:path';
import { makeFolder } from '../../base/make-folder.js';
import { errnoOf } from '../../base/errno.js';
import { quote, T4aError } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/registry.js';
import type { Host } from '../host.js';
import { printable } from '../output/printable.js';
import { printPicture, writePicture } from '../output/write-picture.js';
import { absolutePath } from '../prepare/spawn.js';
import type { Present } from './presenter.js';

/** Prints what is not written to a file. */
export const presentFilm: Present<'film'> = async ({ invocation, reply, bytes }, host) => {
  const { output, frames: directory } = invocation.options;
  if (typeof directory === 'string' && bytes !== undefined) await writeFrames(directory, reply.frames, bytes, host);
  else if (output === '-' && bytes !== undefined) printPicture(bytes, host);
  else if (reply.format === 'text') for (const frame of reply.frames) host.out(frameText(frame));
  const { left_out: leftOut } = reply;
  if (leftOut === 0) return;
  const budget = invocation.params['max_tokens'] === undefined ? '--max-frames' : '--max-frames and --max-tokens';
  host.note(`${leftOut === 1 ? '1 screen' : `${leftOut} screens`} with more left out: see ${budget}.\n`);
};

async function writeFrames(
  directory: string,
  frames: Reply<'film'>['frames'],
  bytes: Uint8Array,
  host: Host,
): Promise<void> {
  made(directory, host);
  for (const [index, { offset = 0, len = 0 }] of frames.entries()) {
    const file = path.join(directory, `${String(index + 1).padStart(2, '0')}.png`);
    await writePicture(file, bytes.subarray(offset, offset + len), host);
  }
}

/** @throws T4aError `usage` with the system's reason */
function made(directory: string, host: Host): void {
  try {
    makeFolder(path.isAbsolute(directory) ? directory : absolutePath(directory, host));
  } catch (error) {
    throw new T4aError('usage', `The folder ${quote(directory)} cannot be made (${errnoOf(error) ?? String(error)}).`, {
      hint: 'Name another folder with --frames.',
    });
  }
}

function frameText({ at, reason, lines = [] }: Reply<'film'>['frames'][number]): string {
  const head = `--- ${(at.ago_ms / 1000).toFixed(1)} s ago, ${reason}, revision ${at.rev}`;
  return `${[head, ...lines.map((line) => printable(line))].join('\n')}\n`;
}
