import type { Host } from '../host.js';

/** @param lost null: not known; undefined: of an older daemon */
export function noteLost(lost: number | null | undefined, host: Host): void {
  if (lost === null) host.note('… it is unknown whether lines before these are lost …\n');
  else if (lost) host.note(`… ${lost} lines of the output are lost: the terminal does not hold them …\n`);
}
