/** Processes of a pane, as the system shows them in `/proc`: read at the moment at which they are asked for. */
import { readFileSync, readlinkSync } from 'node:fs';

export interface PaneForeground {
  readonly pid: number;
  readonly command: string | undefined;
  readonly cwd: string | undefined;
  readonly tty: string;
}

/** Foreground of the terminal of this process. Undefined if the system does not show it, or it has ended. */
export function paneForeground(pid: number): PaneForeground | undefined {
  try {
    const fields = statOf(pid);
    const tty = terminalName(Number(fields[4]));
    const group = Number(fields[5]);
    const of = group > 0 ? group : pid;
    return { pid: of, command: commandOf(of), cwd: cwdOf(of) ?? cwdOf(pid), tty };
  } catch {
    return undefined;
  }
}

/** Fields of /proc/PID/stat after the name. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Command as tmux names it: the first word of the command line, without its folders and a dash. */
function commandOf(pid: number): string | undefined {
  try {
    const [first = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return first === '' ? undefined : programName(first);
  } catch {
    return undefined;
  }
}

function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function terminalName(device: number): string {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return major >= 136 && major < 144 ? `/dev/pts/${minor + (major - 136) * 256}` : '';
}

/** `parse_window_name` of tmux. */
export function programName(command: string): string {
  let name = command.startsWith('"') ? (command.slice(1).split('"')[0] ?? '') : command;
  if (name.startsWith('exec ')) name = name.slice(5);
  name = name.replace(/^[ -]+/, '').split(' ')[0] ?? '';
  name = name.replace(/[^\p{L}\p{N}\p{P}\p{S}]+$/u, '');
  return name.startsWith('/') ? name.slice(name.lastIndexOf('/') + 1) : name;
}
