/** Programs that ask for something to be typed, and what the terminal does with it. */
import type { InputSecrecy } from '../../src/events/secrecy.js';
import type { TestTerminal } from './screen-fence.js';

export interface SecretPrompt {
  readonly name: string;
  /** Programs. */
  readonly needs: readonly string[];
  /** @param dir for its files */
  readonly command: (dir: string) => readonly string[];
  /** Undefined: somebody outside of the terminal reads its input, so nobody is seen waiting for it. */
  readonly kind: 'password' | 'line' | 'raw' | undefined;
  readonly secrecy: InputSecrecy;
  /** The program shows what is typed, or what it has read. */
  readonly shows: boolean;
}

const bash = (script: string): readonly string[] => ['bash', '--norc', '--noprofile', '-c', script];
const python = (script: string): readonly string[] => ['python3', '-c', script];

const LENGTH = 'print("length", len(word))';

/** A key at a time, with a star for each. */
const STARS = `import os, sys, tty
tty.setraw(0)
sys.stdout.write("Password: "); sys.stdout.flush()
word = b""
while (key := os.read(0, 1)) != b"\\r":
    word += key
    sys.stdout.write("*"); sys.stdout.flush()
sys.stdout.write("\\r\\n"); ${LENGTH}`;

/** As a set-uid program, for daemons that are not root's. */
const CLOSED = `import ctypes, getpass; ctypes.CDLL(None).prctl(4, 0); word = getpass.getpass(); ${LENGTH}`;

const READ_SILENTLY = 'read -r -s -p "Password: " word; echo; echo "length ${#word}"';

/** Its server ends with the client. A command of several words needs no login shell, which service users lack. */
const IN_TMUX = [
  '-f',
  '/dev/null',
  'new',
  'bash',
  '--norc',
  '-c',
  `${READ_SILENTLY}; read -r`,
  ';',
  'set',
  'destroy-unattached',
  'on',
];

const hidden = { kind: 'password', secrecy: 'hidden', shows: false } as const;
const unknown = { kind: 'raw', secrecy: 'unknown', shows: false } as const;

export const SECRET_PROMPTS: readonly SecretPrompt[] = [
  {
    name: 'getpass',
    needs: ['python3'],
    command: () => python(`import getpass; word = getpass.getpass(); ${LENGTH}`),
    ...hidden,
  },
  { name: 'read -s', needs: ['bash'], command: () => bash(READ_SILENTLY), ...hidden },
  {
    name: 'stty -echo',
    needs: [],
    command: () => ['sh', '-c', 'stty -echo; printf "Password: "; read -r word; stty echo; echo "length ${#word}"'],
    ...hidden,
  },
  { name: 'a program that forbids inspection', needs: ['python3'], command: () => python(CLOSED), ...hidden },
  {
    name: 'read -s inside script',
    needs: ['bash', 'script'],
    command: () => ['script', '-qec', `bash --norc -c '${READ_SILENTLY}'`, '/dev/null'],
    // What reads in the inner terminal is seen; that script passes all on unread is not.
    ...unknown,
    kind: 'password',
  },
  {
    name: 'read -s inside tmux',
    needs: ['bash', 'tmux'],
    command: (dir) => ['tmux', '-S', `${dir}/tmux`, ...IN_TMUX],
    ...unknown,
    kind: 'password',
  },
  { name: 'a prompt that shows stars', needs: ['python3'], command: () => python(STARS), ...unknown },
  {
    name: 'read -s -n',
    needs: ['bash'],
    command: () => bash('read -r -s -n 40 -p "Key: " word; echo "length ${#word}"'),
    ...unknown,
  },
  {
    name: "bash's prompt",
    needs: ['bash'],
    command: () => ['bash', '--norc', '--noprofile', '-i'],
    ...unknown,
    shows: true,
  },
  {
    name: "python's prompt",
    needs: ['python3'],
    command: () => ['python3', '-q', '-i', '-c', 'import readline'],
    ...unknown,
    shows: true,
  },
  {
    name: 'read -n',
    needs: ['bash'],
    command: () => bash('read -r -n 40 -p "Name: "'),
    kind: 'raw',
    secrecy: 'shown',
    shows: true,
  },
  {
    name: 'read',
    needs: ['bash'],
    command: () => bash('read -r -p "Name: " word'),
    kind: 'line',
    secrecy: 'shown',
    shows: true,
  },
  { name: 'cat', needs: [], command: () => ['cat'], kind: 'line', secrecy: 'shown', shows: true },
];

/** Resolves once it asks. */
export async function promptShown(terminal: TestTerminal, { kind }: SecretPrompt): Promise<void> {
  if (kind === undefined) await terminal.untilShows('Password:');
  else await terminal.do('wait', { until: { awaiting_input: kind } });
}
