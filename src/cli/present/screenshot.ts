import type { Host } from '../host.js';
import type { Present } from './presenter.js';
import { noteWarning } from './note-warning.js';
import { printPicture, writePicture } from '../output/write-picture.js';

/** The picture, unless it was written to a file that the command line names. */
export const presentScreenshot: Present<'screenshot'> = async ({ invocation, params, reply, bytes }, host) => {
  const output = invocation.options['output'];
  noteWarning(reply.warning, host);
  if (bytes === undefined) return host.note(`Unchanged since revision ${String(reply.rev)}.\n`);
  if (reply.fitted === 'part' && reply.region !== undefined) {
    const { row, rows, col, cols } = reply.region;
    host.note(`Only rows ${row} to ${row + rows - 1}, columns ${col} to ${col + cols - 1}, fit within --max-tokens.\n`);
  }
  if (output === undefined && host.stdoutIsTerminal) {
    const picture = reply.format === 'png' ? await inlineOf(bytes, host) : undefined;
    if (picture !== undefined) return host.out(Buffer.from(picture));
    const path = `${String(params['id'])}-${String(reply.rev)}.${String(reply.format)}`;
    await writePicture(path, bytes, host);
    host.out(`${path}\n`);
  } else if (output === undefined || output === '-') {
    printPicture(bytes, host);
  }
};

/** Undefined if the terminal shows no pictures. */
async function inlineOf(png: Uint8Array, host: Host): Promise<string | undefined> {
  const { graphicsOf } = await import('../output/picture/graphics.js');
  const protocol = await graphicsOf(host);
  if (protocol === undefined) return undefined;
  return (await import('../output/picture/inline.js')).inlinePicture(protocol, png);
}
