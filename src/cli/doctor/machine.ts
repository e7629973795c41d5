/** Facts of the machine: Node, pseudoterminals, descriptions of terminals, the place of the socket. Asks no daemon. */
import { accessSync, constants, existsSync, lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, isUnseen } from '../../base/errno.js';
import type { Environment } from '../../base/npx-environment.js';
import { VERSION } from '../../base/version.js';
import { PROTOCOL_VERSION } from '../../protocol/limits.js';
import { placeReason } from '../../protocol/socket-path.js';
import { failed, passed, warning, type Finding } from './finding.js';

const LEAST_NODE = [20, 19] as const;
const TERMINFO_PLACES = ['/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/lib/terminfo'];
/** The default TERM of programs. */
const TERM = 'xterm-256color';
const STICKY = 0o1000;
/** Free PTYs below which it is time to say so. */
const FEW_PTYS = 50;

/** @param socketPath undefined where there is no place for one */
export function examineMachine(socketPath: string | undefined, env: Environment): Finding[] {
  const ofSocket = socketPath === undefined ? [] : [directory(socketPath), socket(socketPath)];
  return [versions(), pseudoterminals(), terminfo(env), ...ofSocket];
}

function versions(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const says = `t4a ${VERSION}, protocol ${PROTOCOL_VERSION}, Node ${process.version}, ${process.platform} ${process.arch}`;
  const isOld = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  return isOld ? failed('versions', says, `Install Node ${LEAST_NODE.join('.')} or later.`) : passed('versions', says);
}

function pseudoterminals(): Finding {
  const check = 'pseudoterminals';
  try {
    accessSync('/dev/ptmx', constants.R_OK | constants.W_OK);
  } catch {
    return failed(check, '/dev/ptmx cannot be opened', 'Mount devpts: mount -t devpts devpts /dev/pts');
  }
  const most = numberIn('/proc/sys/kernel/pty/max');
  const used = numberIn('/proc/sys/kernel/pty/nr');
  if (most === undefined || used === undefined) return passed(check, '/dev/ptmx can be opened');
  const says = `${used} of ${most} are in use`;
  return most - used < FEW_PTYS ? warning(check, says, 'Raise /proc/sys/kernel/pty/max.') : passed(check, says);
}

function terminfo(env: Environment): Finding {
  const own = [env['TERMINFO'], env['HOME'] === undefined ? undefined : `${env['HOME']}/.terminfo`];
  const places = [...own.filter((place) => place !== undefined), ...TERMINFO_PLACES];
  // Directories are named by the first letter, or on macOS by its code.
  const found = places.find((place) => existsSync(`${place}/x/${TERM}`) || existsSync(`${place}/78/${TERM}`));
  if (found !== undefined) return passed('terminfo', `${TERM} is in ${found}`);
  return warning('terminfo', `${TERM} is not described here`, 'Install ncurses-base, or give "term" at "create".');
}

function directory(socketPath: string): Finding {
  const path = dirname(socketPath);
  try {
    const { uid, mode } = statSync(path);
    const isSticky = (mode & STICKY) !== 0;
    const says = `${path} belongs to uid ${uid}, mode ${(mode & 0o7777).toString(8)}`;
    if ((mode & 0o022) !== 0 && !isSticky)
      return failed('directory', says, `Any user may replace files in it: chmod +t ${path}`);
    // As the daemon has it (rpc/socket-file.ts). In a user namespace /tmp belongs to whom the kernel shows as uid 65534: nobody
    // but a file's owner may replace it there, whoever owns the directory.
    if (!isSticky && uid !== process.getuid?.() && uid !== 0)
      return failed('directory', says, 'Set T4A_SOCKET to a path in a directory of your own.');
    // A daemon that is there writes nothing more.
    if (lstatSync(socketPath, { throwIfNoEntry: false }) === undefined)
      accessSync(path, constants.W_OK | constants.X_OK);
    return passed('directory', says);
  } catch (error) {
    const reason = placeReason(error);
    if (reason === undefined) throw error;
    const advice = 'Set T4A_SOCKET to a path in a directory that you may write to.';
    return failed('directory', `${socketPath} cannot be used: ${reason}`, advice);
  }
}

function socket(path: string): Finding {
  let stat: Stats | undefined;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isUnseen(error)) throw error;
    return failed(
      'socket',
      `${path} cannot be seen (${errnoOf(error) ?? ''})`,
      'Set T4A_SOCKET to a path of your own.',
    );
  }
  if (stat === undefined) return passed('socket', `${path} is not there: no daemon has started`);
  const says = `${path} belongs to uid ${stat.uid}, mode ${(stat.mode & 0o777).toString(8)}`;
  if (!stat.isSocket()) {
    const what = stat.isSymbolicLink() ? 'a symbolic link, which is not followed' : 'no socket';
    return failed('socket', `${path} is ${what}`, 'Set T4A_SOCKET to another path.');
  }
  if (stat.uid !== process.getuid?.()) return failed('socket', says, 'Set T4A_SOCKET to a path of your own.');
  if ((stat.mode & 0o077) !== 0) return failed('socket', says, `Others may use it: chmod 600 ${path}`);
  return passed('socket', says);
}

function numberIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // ENOENT: not Linux.
  }
}
