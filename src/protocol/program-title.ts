/** The title of a terminal for which neither its program nor its creator has set one: the name of the program. */

interface Titled {
  readonly title: string;
  /** Program and arguments. */
  readonly cmd: readonly string[];
}

/** Title of a program. The name may begin with a dash, as a login shell has it, which is left out. */
export function programTitle([program = '']: readonly string[]): string {
  return program.slice(program.lastIndexOf('/') + 1).replace(/^-(?=.)/, '');
}

/** Title for places that have something better to show than the name of the program. Empty if none is set, as far as is known. */
export function titleThatWasSet({ title, cmd }: Titled): string {
  return title === programTitle(cmd) ? '' : title;
}
