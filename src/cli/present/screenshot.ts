import type { Present } from '../shapes.js';
import { writePicture } from '../write-picture.js';

/** The picture, where it was not written to a file that the command line named. */
export const presentScreenshot: Present = ({ invocation, params, reply, bytes }, surroundings) => {
  const output = invocation.options['output'];
  if (bytes === undefined) return surroundings.note(`Unchanged since revision ${String(reply['rev'])}.\n`);
  if (output === undefined && surroundings.stdoutIsTerminal) {
    const path = `${String(params['id'])}-${String(reply['rev'])}.${String(reply['format'])}`;
    writePicture(path, bytes);
    surroundings.out(`${path}\n`);
  } else if (output === undefined || output === '-') {
    surroundings.out(bytes);
  }
};
