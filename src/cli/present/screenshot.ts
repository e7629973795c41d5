import { graphicsOf } from '../output/picture/graphics.js';
import { inlinePicture } from '../output/picture/inline.js';
import type { Present } from './presenter.js';
import { writePicture } from '../output/write-picture.js';

/** The picture, unless it was written to a file that the command line names. */
export const presentScreenshot: Present<'screenshot'> = async ({ invocation, params, reply, bytes }, host) => {
  const output = invocation.options['output'];
  if (bytes === undefined) return host.note(`Unchanged since revision ${String(reply.rev)}.\n`);
  if (reply.fitted === 'part' && reply.region !== undefined) {
    const { row, rows, col, cols } = reply.region;
    host.note(`Only rows ${row} to ${row + rows - 1}, columns ${col} to ${col + cols - 1}, fit within --max-tokens.\n`);
  }
  if (output === undefined && host.stdoutIsTerminal) {
    const protocol = reply.format === 'png' ? await graphicsOf(host) : undefined;
    if (protocol !== undefined) return host.out(Buffer.from(inlinePicture(protocol, bytes)));
    const path = `${String(params['id'])}-${String(reply.rev)}.${String(reply.format)}`;
    writePicture(path, bytes);
    host.out(`${path}\n`);
  } else if (output === undefined || output === '-') {
    host.out(bytes);
  }
};
