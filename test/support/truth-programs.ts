/**
 * Programs that end, ask or only seem to, each with the truth. They write it to a side channel: `mark asking` just before
 * they read from the terminal, `mark ended` as their last act. `\n` in an answer is Enter.
 */
export interface TruthProgram {
  readonly name: string;
  /** Run by `bash` from a file, with `mark` on its path and `$KEYS` a file of three lines. */
  readonly script: string;
  /** What happens in turn: it asks (and is answered), or ends with a code. */
  readonly truth: readonly (
    | { readonly asks: 'password' | 'line' | 'raw'; readonly answer: string }
    | { readonly ends: number }
  )[];
}

const ends = (name: string, script: string, code = 0): TruthProgram => ({ name, script, truth: [{ ends: code }] });

const asks = (
  name: string,
  kind: 'password' | 'line' | 'raw',
  script: string,
  answer: string,
  code = 0,
): TruthProgram => ({ name, script, truth: [{ asks: kind, answer }, { ends: code }] });

const SPIN = (times: number, seconds: number): string =>
  `for i in $(seq ${times}); do printf '\\r%s' "\${i: -1}"; sleep ${seconds}; done; mark ended`;

export const TRUTH_PROGRAMS: readonly TruthProgram[] = [
  ends('a line', 'echo hi; mark ended'),
  ends('a pause in the middle of output', 'echo a; sleep 0.7; echo b; mark ended'),
  ends('a silent stall', 'sleep 0.9; mark ended'),
  ends('a spinner of 1 Hz', SPIN(2, 1)),
  ends('a spinner of 10 Hz', SPIN(12, 0.1)),
  ends(
    'a progress bar',
    'for i in $(seq 20); do printf "\\r[%-20s] %d%%" "$(printf "%${i}s" | tr " " "#")" $((i * 5)); sleep 0.04; done; echo; mark ended',
  ),
  ends(
    'a clock in the corner',
    'for i in 1 2; do printf "\\e7\\e[1;70H%s\\e8" "$(date +%T)"; sleep 0.6; done; mark ended',
  ),
  ends('a computation', 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; mark ended'),
  ends('a crash on the way', 'echo begun; sleep 0.3; mark ended; kill -SEGV $$', 139),
  ends('an exit code', 'sleep 0.2; mark ended; exit 42', 42),
  ends('a failing pipeline', 'false | true; mark ended'),
  ends('a failing pipeline with pipefail', 'set -o pipefail; mark ended; sleep 0.3 | false | true', 1),
  ends('a subshell', '(cd /; sleep 0.3; exit 7); code=$?; mark ended; exit $code', 7),
  ends('a background job that goes on', 'sleep 20 & mark ended'),
  ends('a background job that is waited for', 'sleep 0.6 & wait; mark ended'),
  ends('a job that prints after its shell has gone on', '(sleep 0.5; echo late) & echo now; mark ended'),
  ends('yes | head', 'yes | head -n 20000 | tail -n 3; mark ended'),
  ends('a trap', 'trap "mark ended; exit 3" TERM; sleep 0.3 & kill -TERM $$; wait', 3),
  ends('much output', 'seq 30000; mark ended'),
  ends('text that looks like a prompt', 'printf "user@host:~$ "; sleep 0.8; echo; mark ended'),
  ends('text that looks like a question', 'printf "Continue? [y/N] "; sleep 0.8; echo no; mark ended'),
  ends('text that looks like a password prompt', 'printf "Password: "; sleep 0.8; echo; mark ended'),
  ends('echo off, and nobody reads', 'stty -echo; printf "Password: "; sleep 0.7; stty echo; mark ended'),
  ends('raw mode, and nobody reads', 'stty raw -echo; sleep 0.7; stty sane; mark ended'),
  ends('lines that are read from a file', 'while read -r key; do sleep 0.25; done < "$KEYS"; mark ended'),
  ends('lines that are read from a pipe', '(sleep 0.7; echo x) | cat; mark ended'),
  ends('an event loop without the terminal', `node -e 'setTimeout(() => {}, 700)'; mark ended`),
  ends(
    'a server that waits for somebody',
    `python3 -c 'import socket; s = socket.socket(); s.listen(); s.settimeout(0.8)
try: s.accept()
except TimeoutError: pass'; mark ended`,
  ),
  ends('the alternate screen and back', 'printf "\\e[?1049h"; echo x; sleep 0.6; printf "\\e[?1049l"; mark ended'),
  ends('a command with a time limit', 'timeout 0.5 sleep 20; code=$?; mark ended; exit $code', 124),
  ends('a command that is not there', 'mark ended; exec 2>&1; no-such-command', 127),
  ends('a bell and a title', 'printf "\\a\\e]2;work\\a"; sleep 0.5; mark ended'),
  ends('a shell in it that ends at once', 'bash --norc -c "sleep 0.4; exit 4"; code=$?; mark ended; exit $code', 4),
  asks('a password', 'password', 'printf "Password: "; mark asking; read -r -s word; echo; mark ended', 'secret\n'),
  asks('getpass', 'password', `mark asking; python3 -c 'import getpass; getpass.getpass()'; mark ended`, 'secret\n'),
  asks(
    'a password by way of /dev/tty',
    'password',
    `echo piped | (stty -echo < /dev/tty; printf "key: "; mark asking; read -r word < /dev/tty; stty echo < /dev/tty); mark ended`,
    'secret\n',
  ),
  asks(
    'a yes or no question',
    'line',
    'mark asking; read -r -p "Go on? [y/N] " answer; [ "$answer" = y ]; mark ended',
    'y\n',
  ),
  asks(
    'a question after work',
    'line',
    'echo work; sleep 0.6; mark asking; read -r -p "Name: " name; mark ended',
    'x\n',
  ),
  asks('a single key', 'raw', 'mark asking; read -r -n 1 -p "Press a key "; mark ended', 'k'),
  asks('a menu', 'line', 'mark asking; select word in one two; do break; done; mark ended', '1\n'),
  asks('cat', 'line', 'mark asking; cat; mark ended', '\x04'),
  asks('a pager', 'raw', 'mark asking; seq 500 | less; mark ended', 'q'),
  asks(
    'a REPL',
    'raw',
    `mark asking; python3 -q -c 'import readline, code; code.interact("", exitmsg="")'; mark ended`,
    '\x04',
  ),
  asks('a REPL on an event loop', 'raw', 'mark asking; node -i; mark ended', '.exit\n'),
  asks('an editor', 'raw', 'mark asking; vim -u NONE -i NONE -n; mark ended', ':q!\r'),
  {
    name: 'two questions, the second one secret',
    script:
      'mark asking; read -r -p "User: " user; sleep 0.3; mark asking; read -r -s -p "Password: "; sleep 0.3; mark ended; exit 5',
    truth: [{ asks: 'line', answer: 'me\n' }, { asks: 'password', answer: 'secret\n' }, { ends: 5 }],
  },
];
