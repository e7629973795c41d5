import { graphicsOf } from '../output/picture/graphics.js';
import { inlinePicture } from '../output/picture/inline.js';
import type { Present } from '../presenters.js';
import { writePicture } from '../output/write-picture.js';

/** The picture, where it was not written to a file that the command line named. */
export const presentScreenshot: Present = async ({ invocation, params, reply, bytes }, surroundings) => {
  const output = invocation.options['output'];
  if (bytes === undefined) return surroundings.note(`Unchanged since revision ${String(reply['rev'])}.\n`);
  if (output === undefined && surroundings.stdoutIsTerminal) {
    const protocol = reply['format'] === 'png' ? await graphicsOf(surroundings) : undefined;
    if (protocol !== undefined) return surroundings.out(Buffer.from(inlinePicture(protocol, bytes)));
    const path = `${String(params['id'])}-${String(reply['rev'])}.${String(reply['format'])}`;
    writePicture(path, bytes);
    surroundings.out(`${path}\n`);
  } else if (output === undefined || output === '-') {
    surroundings.out(bytes);
  }
};
