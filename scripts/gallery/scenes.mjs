/** The pictures of the gallery: which program, what is typed, what its screen shows when the picture is taken. */

const BASH = ['bash'];
const VIM = ['vim', '-n', '-i', 'NONE'];
const PROMPT = { settled_ms: 400 };

/** Idle processes with names of their own; htop is told to show these alone. */
const CROWD = `pids=; for name in 'postgres: writer' 'nginx: worker process' 'redis-server *:6379' 'node server.js' \
'python3 -m http.server' 'cargo build --release' 'rust-analyzer' 'ssh-agent'; do
(exec -a "$name" sleep 60) & pids=$pids,$!; done; sleep 0.2; exec htop --no-mouse -d 5 -p "$(echo $pids | cut -c2-)"`;

/** `ready`: when the program can be typed to. `steps`: what is sent, and when the screen is taken to show what came of it. */
export const SCENES = [
  {
    name: 'shell',
    title: 'A shell',
    text: 'bash and `ls`: colours of file types, wide names, an emoji in one of them, the cursor after the prompt.',
    command: BASH,
    steps: [{ type: 'ls -lgoh --color --time-style=long-iso', until: PROMPT }],
    rows: 15,
  },
  {
    name: 'vim',
    title: 'vim',
    text: 'Truecolour highlighting, the line of the cursor, a visual selection, a status line in inverse.',
    command: [...VIM, 'src/lexer.rs'],
    steps: [{ press: ['2', '8', 'G', 'V', 'j', 'j'], until: { text: 'VISUAL' } }],
    rows: 30,
  },
  {
    name: 'htop',
    title: 'htop',
    text: 'Meters, a header in inverse, dim and bold figures, function keys.',
    command: ['bash', '-c', CROWD],
    steps: [{ press: ['Down', 'Down', 'Down'], until: { settled_ms: 1500 } }],
    rows: 20,
  },
  {
    name: 'less',
    title: 'less',
    text: 'A manual page: bold and underlined by overstriking, matches of a search in inverse.',
    command: ['less', '-M', 't4a.1'],
    steps: [{ send: '/picture\r', until: PROMPT }],
    rows: 16,
  },
  {
    name: 'tmux',
    title: 'tmux',
    text: 'Two panes: box-drawing borders without a gap, a program in either, the status line.',
    command: ['tmux', '-L', 'gallery', 'new-session', '-s', 'demo', '-n', 'code', ...VIM, 'src/lexer.rs'],
    steps: [
      { send: '\u0002%', until: PROMPT },
      { type: 'ls --color; cd ../history; git log --oneline --color -5', until: { text: 'Read > and' } },
    ],
    cols: 100,
    rows: 26,
  },
  {
    name: 'mc',
    title: 'Midnight Commander',
    text: 'Line drawing, sixteen colours, a menu bar and keys.',
    command: ['mc', '-u', '--nomouse', '.', 'src'],
    steps: [{ press: ['Down', 'Down'], until: PROMPT }],
    rows: 22,
    theme: 'xterm',
  },
  {
    name: 'git',
    title: 'git log',
    text: 'A graph of branches in colours.',
    command: BASH,
    directory: 'history',
    steps: [{ type: 'git log --graph --oneline --decorate --all --color', until: { text: 'Read words' } }],
    rows: 20,
  },
  {
    name: 'python',
    title: 'Python',
    text: 'The REPL: tables, CJK, Arabic, emoji of two cells, eighth blocks, and a picture made of half blocks.',
    command: ['python3', '-q'],
    ready: { text: '>>>' },
    steps: [
      { type: 'from cities import *', until: { regex: '^>>> $' } },
      { type: 'table(CITIES)', until: { text: '╯' } },
      { type: 'sunset()', until: PROMPT },
    ],
    rows: 24,
  },
];
