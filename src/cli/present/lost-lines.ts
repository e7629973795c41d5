import type { Host } from '../host.js';

/** What the scrollback has dropped stood before all that is printed. @param lost null: not known; undefined: of an older daemon */
export function noteLost(lost: number | null | undefined, host: Host): void {
  if (lost === null) host.note('… it is unknown whether lines before these are lost: the terminal was resized …\n');
  else if (lost) host.note(`… ${lost} lines before these are lost: the scrollback does not hold them …\n`);
}
