/** Words before the verb of a command line of tmux, and the socket that they mean. */
import { join } from 'node:path';

export interface Place {
  readonly socketPath: string;
  /** The verb and what follows. */
  readonly rest: readonly string[];
  readonly files: readonly string[];
  readonly wantsVersion: boolean;
  readonly isControl: boolean;
  /** Line for a shell that `-c` gives, in place of a command. */
  readonly shellLine: string | undefined;
  /** `-N`: a door that is not there stays away. */
  readonly isStarter: boolean;
  /** Socket of $TMUX. */
  readonly isFromEnvironment: boolean;
}

/** Folder of the sockets of tmux itself, in which somebody works who calls the door. */
const OF_TMUX = /\/tmux-\d/;

const VALUED = 'LScfT';
const SWITCHES = '2CDlNquVv';

export const GLOBAL_USAGE =
  'usage: tmux [-2CDlNuvV] [-c shell-command] [-f file] [-L socket-name]\n            [-S socket-path] [-T features] [command [flags]]\n';

/** A client in control mode reads a protocol: plain output would be a silent error. */
export const NO_CONTROL =
  'control mode (-C, -CC) is not supported: run commands without it; "t4a events" says what happens, "t4a output ID --follow" what a pane prints\n';

/** File by which a door that was killed is made anew. */
export function savedPath(socketPath: string): string {
  return `${socketPath}.state`;
}

/** File of the buffers of such a door. */
export function buffersPath(socketPath: string): string {
  return `${socketPath}.buffers`;
}

/** @returns the words of tmux for a flag that it does not have, or that lacks its value */
export function placeOf(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  uid: number,
): Place | string {
  const values: Record<string, string[]> = {};
  let at = 0;
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-') || word === '-') break;
    if (word === '--') {
      at += 1;
      break;
    }
    for (let place = 1; place < word.length; place += 1) {
      const flag = word[place] ?? '';
      const all = (values[flag] ??= []);
      if (SWITCHES.includes(flag)) all.push('');
      else if (!VALUED.includes(flag)) return `tmux: unknown option -- ${flag}\n${GLOBAL_USAGE}`;
      else {
        const value = place + 1 < word.length ? word.slice(place + 1) : argv[(at += 1)];
        if (value === undefined) return `tmux: option requires an argument -- ${flag}\n${GLOBAL_USAGE}`;
        all.push(value);
        break;
      }
    }
  }
  const label = values['L']?.at(-1);
  const shellLine = values['c']?.at(-1);
  if ((shellLine !== undefined || values['D'] !== undefined) && at < argv.length) return GLOBAL_USAGE;
  const folder = join(env['TMUX_TMPDIR'] || '/tmp', `t4a-tmux-${uid}`);
  const [inTmux = ''] = (env['TMUX'] ?? '').split(',');
  const inherited = OF_TMUX.test(inTmux) ? '' : inTmux;
  const named = values['S']?.at(-1);
  const isFromEnvironment = named === undefined && label === undefined && inherited !== '';
  return {
    socketPath: named ?? (isFromEnvironment ? inherited : `${folder}/${label ?? 'default'}`),
    rest: argv.slice(at),
    files: values['f'] ?? [],
    wantsVersion: values['V'] !== undefined,
    isControl: values['C'] !== undefined,
    shellLine,
    isStarter: values['N'] === undefined,
    isFromEnvironment,
  };
}
