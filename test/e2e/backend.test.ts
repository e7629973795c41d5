/** examples/backend.sh in a POSIX shell: each of its operations, with bash in a terminal. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../support/cli.js';
import { consumer, ROOT, type Consumer } from '../support/consumer.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { itNeeds } from '../support/programs.js';

const FILE = `${ROOT}examples/backend.sh`;

const OPERATIONS = 'available create list capture key text line submit cwd command pids state option pipe kill'.split(
  ' ',
);

/** Lines that each begin with what is expected; "ends N" is the status of the operation before. */
const SESSION = `
say() { echo "$1: $(tr '\\n' '|' | tr -s ' ')"; }
backend_available && echo "available: yes"
backend_create api /tmp bash | say create
backend_create api /tmp bash 2>/dev/null || echo "taken: $?"
backend_create 'two' / sh -c 'echo "$1"; exec sleep 600' x 'a  b' >/dev/null
t4a wait two --text 'a  b' --timeout-ms 20000 >/dev/null && echo "arguments: whole"
backend_list | sort | say list
backend_line api 'cd /usr; printf "one\\ntwo\\n"' && t4a wait api --regex '^two$' --timeout-ms 20000 >/dev/null
t4a wait api --idle 300ms --timeout-ms 20000 >/dev/null
backend_cwd api | say cwd
backend_capture api 3 | head -2 | say capture
backend_text api '-n half' && t4a wait api --text='-n half' --timeout-ms 20000 >/dev/null && echo 'text: shown'
backend_key api Ctrl+U; echo "key: $?"
backend_key api Enter Nokey 2>/dev/null; echo "wrong key: $?"
backend_line api 'exec sleep 600'; t4a wait api --regex 'exec sleep' --timeout-ms 20000 >/dev/null
until [ "$(backend_command api)" = sleep ]; do :; done; echo "command: sleep"
[ "$(backend_pids api | tr -d ' ')" = "$(t4a status api --json | jq .pid)" ] && echo "pids: one"
backend_state two | say state
backend_option two issue=17; backend_option two issue | say option
backend_option two none >/dev/null || echo "no option: $?"
BACKEND_SUBMIT_MS=200 && backend_submit two hello key-1 | jq -r .outcome | say submit
backend_create echo / cat >/dev/null
backend_pipe echo > piped & pipe=$!
until [ -s piped ]; do backend_line echo again; done
backend_kill echo >/dev/null; wait $pipe; grep -q again piped && echo "pipe: again"
backend_kill api; backend_kill two
backend_capture api 2>/dev/null; echo "gone: $?"
for operation in cwd command pids state pipe kill 'option api issue'; do
  set -- $operation; backend_$1 api $3 >/dev/null 2>&1 && echo "$operation ends with 0 for a terminal that is gone"
done
T4A_SOCKET=/dev/null/s backend_list >/dev/null 2>&1 && echo 'list ends with 0 without a daemon'
backend_list | say list
`;

const EXPECTED = `available: yes
create: api|
taken: 1
arguments: whole
list: api|two|
cwd: /usr|
capture: one|two|
text: shown
key: 0
wrong key: 2
command: sleep
pids: one
state: unknown -|
option: 17|
no option: 1
submit: not_ready|
pipe: again
api: ended by SIGHUP
two: ended by SIGHUP
gone: 4
list: 
`;

/** A project with `t4a` on its PATH. */
function place(): Consumer {
  const project = consumer();
  onTestFinished(() => endDaemonAt(project.socketPath));
  writeFileSync(project.join('t4a'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  chmodSync(project.join('t4a'), 0o755);
  return project;
}

itNeeds(
  'dash',
  'bash',
  'jq',
  'ps',
)('a POSIX shell has each operation', async () => {
  const project = place();
  writeFileSync(project.join('session.sh'), `PATH="$PWD:$PATH"\n. '${FILE}'\n${SESSION}`);
  const { output } = await project.run('dash', ['session.sh']);
  expect(output).toBe(EXPECTED);
});

test('the page names each operation of the file, and the file has no other', () => {
  const names = [...readFileSync(FILE, 'utf8').matchAll(/^backend_(\w+)\(\)/gm)].map(([, name]) => name);
  expect(names).toEqual(OPERATIONS);
  const page = readFileSync(`${ROOT}docs/backend.md`, 'utf8');
  const [, table = ''] = /^\|---.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  expect(table.trim().split('\n')).toHaveLength(OPERATIONS.length);
});
