// A copy of the tree in which changed code runs where it can do no harm: it might signal all processes, or remove what
// it finds. So it has process numbers and a /tmp of its own, and what it leaves running ends with it.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The dependencies are looked at, not copied; then /tmp, in which the tree itself may be, is covered. */
const ENTER = `
mount --bind "$1/node_modules" "$2/node_modules" && mount -o remount,bind,ro "$2/node_modules" &&
mount -t tmpfs tmpfs /tmp && mkdir /tmp/home && cd "$2" && shift 2 || exit 125
export HOME=/tmp/home TMPDIR=/tmp
"$@"
exit $?
`;
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const LEFT_OUT = new Set(['.git', 'node_modules']);

export function makeSandbox(root) {
  const copy = mkdtempSync('/var/tmp/t4a-mutants-');
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  cpSync(root, copy, { recursive: true, filter: (from) => !LEFT_OUT.has(path.relative(root, from)) });
  mkdirSync(path.join(copy, 'node_modules'));
  return { copy, run: (args, silenceMs) => run(root, copy, args, silenceMs) };
}

/** @returns its exit status and what it said; 'hung' if it says nothing for so long */
function run(root, copy, args, silenceMs) {
  const asUser = process.getuid() === 0 ? [] : ['--user', '--map-current-user'];
  const command = [...asUser, ...NAMESPACES, 'sh', '-c', ENTER, 'sh', root, copy, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const endWithUs = () => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    let said = '';
    let status;
    const hang = () => {
      status = 'hung';
      child.kill('SIGKILL');
    };
    let silence = setTimeout(hang, silenceMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
        clearTimeout(silence);
        silence = setTimeout(hang, silenceMs);
      });
    }
    child.once('error', (error) => reject(new Error(`mutants need Linux and unshare(1): ${error.message}`)));
    child.once('close', (code) => {
      clearTimeout(silence);
      process.off('exit', endWithUs);
      if (code === 125) reject(new Error(`no namespace for the mutants:\n${said}`));
      else resolve({ status: status ?? code, said });
    });
  });
}
