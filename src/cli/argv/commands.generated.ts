/** Generated from src/protocol and local-syntax.ts by `npm run generate`; not edited by hand. */
import type { FlagSyntax } from './syntax.js';

/** What stands for the terminal that was used last. */
export const LAST_TERMINAL = '@';

/** Names of keys, for completion. */
export const KEY_NAMES: readonly string[] = [
  'Enter',
  'Escape',
  'Tab',
  'Backspace',
  'Up',
  'Down',
  'Right',
  'Left',
  'Home',
  'End',
  'Insert',
  'Delete',
  'PageUp',
  'PageDown',
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'F10',
  'F11',
  'F12',
  'F13',
  'F14',
  'F15',
  'F16',
  'F17',
  'F18',
  'F19',
  'F20',
  'F21',
  'F22',
  'F23',
  'F24',
  'F25',
  'F26',
  'F27',
  'F28',
  'F29',
  'F30',
  'F31',
  'F32',
  'F33',
  'F34',
  'F35',
  'KP0',
  'KP1',
  'KP2',
  'KP3',
  'KP4',
  'KP5',
  'KP6',
  'KP7',
  'KP8',
  'KP9',
  'KPDecimal',
  'KPDivide',
  'KPMultiply',
  'KPMinus',
  'KPPlus',
  'KPEnter',
  'KPEqual',
  'KPComma',
  'KPLeft',
  'KPRight',
  'KPUp',
  'KPDown',
  'KPPageUp',
  'KPPageDown',
  'KPHome',
  'KPEnd',
  'KPInsert',
  'KPDelete',
  'KPBegin',
  'Menu',
  'PrintScreen',
  'Pause',
  'CapsLock',
  'ScrollLock',
  'NumLock',
  'MediaPlay',
  'MediaPause',
  'MediaPlayPause',
  'MediaReverse',
  'MediaStop',
  'MediaFastForward',
  'MediaRewind',
  'MediaNext',
  'MediaPrevious',
  'MediaRecord',
  'VolumeDown',
  'VolumeUp',
  'VolumeMute',
  'Ctrl+A',
  'Ctrl+B',
  'Ctrl+C',
  'Ctrl+D',
  'Ctrl+E',
  'Ctrl+F',
  'Ctrl+G',
  'Ctrl+H',
  'Ctrl+I',
  'Ctrl+J',
  'Ctrl+K',
  'Ctrl+L',
  'Ctrl+M',
  'Ctrl+N',
  'Ctrl+O',
  'Ctrl+P',
  'Ctrl+Q',
  'Ctrl+R',
  'Ctrl+S',
  'Ctrl+T',
  'Ctrl+U',
  'Ctrl+V',
  'Ctrl+W',
  'Ctrl+X',
  'Ctrl+Y',
  'Ctrl+Z',
];

export const GLOBAL_FLAGS: readonly FlagSyntax[] = [
  {
    flag: 'socket',
    field: 'socket',
    type: 'string',
    placeholder: 'path',
    description:
      "Socket of the daemon. Default: $T4A_SOCKET, else the configuration's, else /tmp/t4a.sock, or /tmp/t4a-UID/t4a.sock if another user has that.",
    local: true,
  },
  {
    flag: 'as',
    field: 'as',
    type: 'string',
    placeholder: 'name',
    description: 'Name of the author of requests, which is kept with input. Default: $T4A_AS.',
    local: true,
  },
  {
    flag: 'color',
    field: 'color',
    type: 'string',
    values: ['auto', 'always', 'never'],
    description: 'Colour the output of t4a itself. Default: on a terminal, unless $NO_COLOR is set.',
    local: true,
  },
  {
    flag: 'json',
    field: 'json',
    type: 'boolean',
    description: 'Print the reply, or the error, as one line of JSON.',
    local: true,
  },
  {
    flag: 'verbose',
    field: 'verbose',
    type: 'boolean',
    description: 'Log requests and timings to standard error. With daemon: log everything.',
    local: true,
  },
  {
    flag: 'help',
    short: 'h',
    field: 'help',
    type: 'boolean',
    description: 'Explain the command.',
    local: true,
  },
];

/** What the configuration file and the environment may set once: each is a flag of the commands that it concerns. */
export const CLIENT_SETTINGS: readonly FlagSyntax[] = [
  {
    flag: 'socket',
    field: 'socket',
    type: 'string',
    description: 'Socket of the daemon, for every client.',
  },
  {
    flag: 'color',
    field: 'color',
    type: 'string',
    description: 'Colours in the output of t4a itself: on a terminal, always, never.',
    values: ['auto', 'always', 'never'],
  },
  {
    flag: 'json',
    field: 'json',
    type: 'boolean',
    description: 'Print replies and errors as JSON, as `--json` does.',
  },
  {
    flag: 'shell',
    field: 'shell',
    type: 'string',
    description: 'Program of `create` if none is given.',
  },
  {
    flag: 'cols',
    field: 'cols',
    type: 'integer',
    description: 'Columns of terminals that `create` and `run` make.',
    minimum: 2,
    maximum: 1000,
  },
  {
    flag: 'rows',
    field: 'rows',
    type: 'integer',
    description: 'Rows of terminals that `create` and `run` make.',
    minimum: 1,
    maximum: 1000,
  },
  {
    flag: 'context',
    field: 'context',
    type: 'integer',
    description: 'Lines that `grep` prints around each match.',
    minimum: 0,
    maximum: 1000,
  },
  {
    flag: 'idle',
    field: 'idle',
    type: 'integer',
    description: 'Silence in milliseconds that ends `--wait idle`.',
    minimum: 1,
    maximum: 86400000,
  },
  {
    flag: 'scale',
    field: 'scale',
    type: 'number',
    description: 'Cell size of `screenshot` in percent of 10x20 pixels.',
    minimum: 40,
    maximum: 640,
  },
];

/** By name, as JSON: of the thirty that there are, one is read. As literals they would be a third of what Node compiles. */
export const COMMANDS_AS_JSON: Readonly<Record<string, string>> = {
  create:
    '{"name":"create","summary":"Create a terminal and start a program in it.","group":"start","notes":"Prints the terminal\'s id, and with --text the viewport after it. The program gets the caller\'s environment, without the variables that describe the caller\'s own terminal (TERM, COLUMNS, LINES and the like) and those that npx adds.","startsProgram":true,"settings":{"cols":"cols","rows":"rows","cmd_args":"shell"},"turn":["wait","observe"],"positionals":[{"field":"cmd_args","label":"cmd","type":"string","optional":true,"rest":true}],"flags":[{"flag":"cols","field":"cols","type":"integer","description":"Columns of the grid.","minimum":2,"maximum":1000,"default":80},{"flag":"rows","field":"rows","type":"integer","description":"Rows of the grid.","minimum":1,"maximum":1000,"default":24},{"flag":"cwd","field":"cwd","type":"string","description":"Working directory. Default: the current one.","placeholder":"directory"},{"flag":"scrollback","field":"scrollback","type":"integer","description":"Lines kept above the viewport. Default: 10000.","minimum":0,"maximum":1000000},{"flag":"term","field":"term","type":"string","description":"TERM for the program.","default":"xterm-256color"},{"flag":"shell-integration","field":"shell_integration","type":"boolean","description":"Make an interactive bash, zsh, fish or sh report its prompts and commands.","default":true,"off":"Start a shell without reports of its prompts and commands."},{"flag":"idle-timeout-ms","field":"idle_timeout_ms","type":"integer","description":"Silence before `idle` is published. Default: the configuration\'s.","minimum":1,"maximum":86400000},{"flag":"command","field":"command","type":"string","description":"A line for `sh -c`, in place of `cmd_args`; may have several lines."},{"flag":"name","field":"name","type":"string","description":"Id of the terminal. Default: t1, t2, …"},{"flag":"reuse","field":"reuse","type":"boolean","description":"Return the live terminal of that name instead of an error.","default":false},{"flag":"record","field":"record","type":"boolean","description":"Record from the first byte on, see `record`. Default: the configuration\'s."},{"flag":"title","field":"title","type":"string","description":"Title until the program sets one."},{"flag":"env","field":"env","type":"string","placeholder":"NAME=VALUE","description":"Set a variable on top of the caller\'s environment; may be repeated.","local":true,"repeatable":true},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true}],"examples":["create","create --name build --cols 120 --rows 40 -- bash -l","create -- vim README.md"]}',
  run: '{"name":"run","summary":"Run a command to its end, in a new terminal or at the prompt of a shell; return its output.","group":"start","notes":"Prints the output while the command runs: on a terminal with its colours, into a file or a pipe all of it as plain lines, without control sequences, a line that was written over as it stood last; what is drawn on the alternate screen is left out. With --id, --json or --max-lines the defaults are those of the request. Exits with the command\'s own status, with 128 and the signal\'s number if a signal ended it, with 2 if the shell of --id ran nothing, with 123 if the command has waited for input for a second (its terminal stays, and a note says how to go on; with --no-keep it ends), with 124 at the deadline, with 127 if there is no such program, and with 125 at an error of t4a. A note on standard error stands in the place of lines that are left out.","startsProgram":true,"exitStatus":"program","settings":{"cols":"cols","rows":"rows"},"positionals":[{"field":"cmd_args","label":"cmd","type":"string","optional":true,"rest":true}],"flags":[{"flag":"id","field":"id","type":"string","description":"Terminal whose shell runs the command: its id or name, or \\"@\\" for the one used last. Default: a new terminal."},{"flag":"cols","field":"cols","type":"integer","description":"Columns of the grid. Default: 80.","minimum":2,"maximum":1000},{"flag":"rows","field":"rows","type":"integer","description":"Rows of the grid. Default: 24.","minimum":1,"maximum":1000},{"flag":"cwd","field":"cwd","type":"string","description":"Working directory. Default: the current one.","placeholder":"directory"},{"flag":"scrollback","field":"scrollback","type":"integer","description":"Lines kept above the viewport. Default: 10000.","minimum":0,"maximum":1000000},{"flag":"term","field":"term","type":"string","description":"TERM for the program. Default: xterm-256color."},{"flag":"shell-integration","field":"shell_integration","type":"boolean","description":"Make an interactive bash, zsh, fish or sh report its prompts and commands.","off":"Start a shell without reports of its prompts and commands."},{"flag":"idle-timeout-ms","field":"idle_timeout_ms","type":"integer","description":"Silence before `idle` is published. Default: the configuration\'s.","minimum":1,"maximum":86400000},{"flag":"command","field":"command","type":"string","description":"A line for `sh -c`, or with `id` for the shell of that terminal; may have several lines."},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline: the outcome is then `timeout`. What happens to the command then says `on_timeout`.","minimum":1,"maximum":86400000},{"flag":"on-timeout","field":"on_timeout","type":"string","description":"At the deadline: end the command, or let it go on in its terminal, which stays. Default: `end`, and with `id` always `keep`.","values":["end","keep"]},{"flag":"max-lines","field":"max_lines","type":"integer","description":"Lines of output returned: the first half and the last half.","minimum":1,"maximum":100000,"default":200},{"flag":"keep","field":"keep","type":"boolean","description":"Keep the terminal for reading, or remove it. Default: a given terminal stays, a new one is removed unless its command goes on."},{"flag":"env","field":"env","type":"string","placeholder":"NAME=VALUE","description":"Set a variable on top of the caller\'s environment; may be repeated.","local":true,"repeatable":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Write a picture of the final screen to this file.","local":true},{"flag":"stdin","field":"stdin","type":"boolean","description":"Pass on standard input as that of the command. Without it the command reads its terminal.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command.","off":"Exit with 0 however the command ended.","local":true}],"examples":["run -- make test","run --screenshot hello.png -- ls -la --color","run --timeout 60000 --command \'make 2>&1 | tail\'","run --stdin -- psql app < dump.sql","run --id @ -- cd src"]}',
  kill: '{"name":"kill","summary":"End terminals, or send a signal to the programs in them.","group":"start","notes":"Prints a line for each terminal that was ended.","positionals":[{"field":"id","label":"id","type":"string","optional":true,"rest":true}],"flags":[{"flag":"exited","field":"exited","type":"boolean","description":"Every terminal whose program has ended.","default":false},{"flag":"all","field":"all","type":"boolean","description":"Every terminal of the daemon.","default":false},{"flag":"signal","field":"signal","type":"name","description":"Name (\\"SIGINT\\", \\"int\\") or number."},{"flag":"grace-ms","field":"grace_ms","type":"integer","description":"Time that a program has to end by itself, after SIGHUP and after SIGTERM. Default: the configuration\'s.","minimum":0,"maximum":60000}],"examples":["kill t1","kill build test","kill --exited","kill t1 --signal INT"]}',
  shutdown:
    '{"name":"shutdown","summary":"End every terminal and the daemon itself.","group":"start","notes":"Starts no daemon.","startsNoDaemon":true,"positionals":[],"flags":[],"examples":["shutdown"]}',
  list: '{"name":"list","summary":"List all terminals.","group":"look","notes":"Prints a table, one short line a terminal; the whole state is in --json.","reads":true,"positionals":[],"flags":[{"flag":"long","field":"long","short":"l","type":"boolean","description":"Also size, process, directory and title, uncut.","local":true}],"examples":["list","list --long","list --json"]}',
  status:
    '{"name":"status","summary":"Show the state of one terminal.","group":"look","reads":true,"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[],"examples":["status t1","status @"]}',
  screenshot:
    '{"name":"screenshot","summary":"Draw the screen as a picture.","group":"look","notes":"Without --output the picture goes to standard output. On a terminal it is shown there if the terminal has the graphics protocol of kitty or iTerm2 or sixel, else written to ID-REV.png in the current directory, and the path is printed. With --json and without --output the picture is in the reply as base64. In a directory that all users can write to, such as /tmp, a new file is readable for its owner alone, and files and links of other users are never written to.","reads":true,"settings":{"scale":"scale"},"turn":["wait"],"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"cursor","field":"cursor","type":"boolean","description":"Draw the cursor.","default":true,"off":"Do not draw the cursor."},{"flag":"profile","field":"profile","type":"string","description":"Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.","values":["llm","cheap","exact","human"]},{"flag":"scale","field":"scale","type":"number","description":"Cell size in percent of 10x20 pixels: 66 gives 7x14, 80 gives 8x16. Overrides `profile`.","minimum":40,"maximum":640},{"flag":"pad","field":"pad","type":"integer","description":"Blank pixels on every side.","minimum":0,"maximum":256},{"flag":"max-tokens","field":"max_tokens","type":"integer","description":"Budget: the largest legible cell whose picture costs `model` at most this many tokens; `scale` and `profile` limit its size.","minimum":1,"maximum":1000000},{"flag":"model","field":"model","type":"string","description":"Model family: its tokens are counted (default claude), and its limit on the size of pictures is kept.","values":["claude","gpt","gemini"]},{"flag":"format","field":"format","type":"string","description":"","values":["png","webp","jpeg","svg","html"],"default":"png"},{"flag":"theme","field":"theme","type":"string","description":"Name of a theme. Default: the configuration\'s."},{"flag":"region","field":"region","type":"string","description":"Only this part of the screen.","placeholder":"row,col,rows,cols"},{"flag":"scrollback","field":"scrollback","type":"integer","description":"Lines above the viewport to show, if there are as many.","minimum":0,"maximum":1000,"default":0},{"flag":"rulers","field":"rulers","type":"boolean","description":"Number the rows and columns in a margin.","default":false},{"flag":"mark","field":"mark","type":"string","description":"Draw a box around this text, or around matches of a /regular expression/; may be repeated.","repeatable":true,"placeholder":"text"},{"flag":"since","field":"since","type":"integer","description":"Fade the rows that did not change after this revision.","minimum":0},{"flag":"minimum-contrast","field":"minimum_contrast","type":"number","description":"Minimum contrast of text against its background (WCAG). Default: 4.5, for dim text 3; 1 changes no colour.","minimum":1,"maximum":21},{"flag":"bold-as-bright","field":"bold_as_bright","type":"boolean","description":"Draw bold text of the colours 0 to 7 in 8 to 15.","default":false},{"flag":"if-rev","field":"if_rev","type":"integer","description":"Draw only if the screen differs from this revision.","minimum":0},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"First wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"output","field":"output","short":"o","type":"string","placeholder":"file","description":"Write the picture to this file; \\"-\\" is standard output.","local":true}],"examples":["screenshot t1 -o screen.png","screenshot @ --profile cheap --no-cursor > small.png","screenshot @ --max-tokens 500 --model claude --rulers -o grid.png","screenshot @ --format svg --theme light -o screen.svg"]}',
  text: '{"name":"text","summary":"Read lines of text.","group":"look","notes":"start and end count lines from the bottom: 0:5 are the five lowest lines of the screen, blank ones included. Either may be left out; beyond the screen they count into the scrollback. Without both, blank lines below the text are left out.","reads":true,"clientDefaults":{"trim":true},"turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string","optional":true},{"field":"start:end","label":"start:end","type":"range","optional":true}],"flags":[{"flag":"trim","field":"trim","type":"boolean","description":"Remove blanks at the ends of lines.","default":true,"off":"Keep blanks at the ends of lines."},{"flag":"last","field":"last","type":"integer","description":"The last lines with text, of the screen and its scrollback, in place of `start` and `end`.","minimum":1},{"flag":"region","field":"region","type":"string","description":"Part of the screen or of its scrollback. Default: viewport; with --last, or start:end beyond it, all.","values":["viewport","scrollback","all"]},{"flag":"command","field":"command","type":"integer","description":"The output of this shell command, in place of a region: its number in `commands`, or -1 for the last, -2 for the one before."},{"flag":"format","field":"format","type":"string","description":"plain; ansi: with colours as escape sequences; cells: runs of equal cells; runs: the same in the short form of `watch`; html: one `<pre>`.","values":["plain","ansi","cells","runs","html"],"default":"plain"},{"flag":"from-line","field":"from_line","type":"integer","description":"Lasting number of the first row, in place of `start`, `end` and `region`: the same rows after more output.","minimum":0},{"flag":"max-lines","field":"max_lines","type":"integer","description":"With `from_line`: number of rows at most; 1000 if absent.","minimum":1,"maximum":10000},{"flag":"join-wrapped","field":"join_wrapped","type":"boolean","description":"Join rows that were printed as one line.","default":false},{"flag":"since","field":"since","type":"integer","description":"Only lines that changed after this revision, with their `numbers`; all lines if `complete` is true.","minimum":0},{"flag":"max-bytes","field":"max_bytes","type":"integer","description":"Size limit: keep whole lines of the head and the tail; `omitted` counts the others.","minimum":1,"maximum":67108864},{"flag":"highlights","field":"highlights","type":"boolean","description":"Include the spans that stand out: inverse, or on another background.","default":false},{"flag":"links","field":"links","type":"boolean","description":"Include the hyperlinks. Targets of more than 2083 characters make none.","default":false},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"First wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Also write a picture of the viewport to this file.","local":true}],"examples":["text t1","text t1 0:5","text t1 --last 20","text @ --region all","text @ --format ansi --region all","text @ --since 42","text @ --from-line 1000 --max-lines 50"]}',
  grep: '{"name":"grep","summary":"Search the scrollback and the viewport for a pattern.","group":"look","notes":"Prints lines as ripgrep does: \\"12:match\\" and \\"13-context\\". Line 0 is the oldest line of the scrollback. Exits with 1 if nothing matches.","reads":true,"exitStatus":"matches","settings":{"context":"context"},"turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"pattern","label":"pattern","type":"string"}],"flags":[{"flag":"fixed","field":"fixed","type":"boolean","description":"The pattern is text, not a regular expression.","default":false,"short":"F"},{"flag":"ignore-case","field":"ignore_case","type":"boolean","description":"Ignore case.","default":false,"short":"i"},{"flag":"before","field":"before","type":"integer","description":"Context lines before each match.","minimum":0,"maximum":1000,"short":"B"},{"flag":"after","field":"after","type":"integer","description":"Context lines after each match.","minimum":0,"maximum":1000,"short":"A"},{"flag":"context","field":"context","type":"integer","description":"Context lines before and after each match, unless `before` or `after` is given.","minimum":0,"maximum":1000,"default":0,"short":"C"},{"flag":"max","field":"max","type":"integer","description":"Matching lines returned.","minimum":1,"maximum":10000,"default":200,"short":"m"},{"flag":"last","field":"last","type":"boolean","description":"Return the last `max` matching lines instead of the first.","default":false},{"flag":"region","field":"region","type":"string","description":"Where to search.","values":["viewport","scrollback","all"],"default":"all"},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"First wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Also write a picture of the viewport to this file.","local":true}],"examples":["grep @ error","grep @ error -C 2","grep @ \'warn(ing)?\' --ignore-case --last --max 5"]}',
  find: '{"name":"find","summary":"Find text in the viewport: its cells, and its pixels in a screenshot.","group":"look","notes":"Prints \\"row:column:text\\" for each match. Exits with 1 if nothing matches.","reads":true,"exitStatus":"matches","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"text","label":"text","type":"string","optional":true}],"flags":[{"flag":"regex","field":"regex","type":"string","description":"Regular expression to find."},{"flag":"ignore-case","field":"ignore_case","type":"boolean","description":"Ignore case.","default":false,"short":"i"},{"flag":"max","field":"max","type":"integer","description":"Matches returned.","minimum":1,"maximum":10000,"default":100},{"flag":"pad","field":"pad","type":"integer","description":"Blank pixels on every side.","minimum":0,"maximum":256},{"flag":"scale","field":"scale","type":"number","description":"Cell size in percent of 10x20 pixels: 66 gives 7x14, 80 gives 8x16. Overrides `profile`.","minimum":40,"maximum":640},{"flag":"profile","field":"profile","type":"string","description":"Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.","values":["llm","cheap","exact","human"]},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"First wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Also write a picture of the viewport to this file.","local":true}],"examples":["find @ OK","find @ --regex \'error: .*\'"]}',
  cursor:
    '{"name":"cursor","summary":"Show the place and the look of the cursor.","group":"look","reads":true,"turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"First wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Also write a picture of the viewport to this file.","local":true}],"examples":["cursor t1"]}',
  commands:
    '{"name":"commands","summary":"List the commands that the shell ran, oldest first.","group":"look","notes":"Prints a table.","reads":true,"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"last","field":"last","type":"integer","description":"Number of commands, counted from the last.","minimum":1,"maximum":1000,"default":20}],"examples":["commands t1","commands @ --last 1"]}',
  output:
    '{"name":"output","summary":"Read the raw output of the program, from a byte offset.","group":"look","notes":"Prints the bytes as they are; on a terminal, without the control sequences that could act on it. With --json the reply has them as base64 in `data`. With --follow, --max-bytes and --wait-ms are those of each request; output that was dropped before it could be read is an error (offset_gone).","reads":true,"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"since","field":"since","type":"integer","description":"Offset of the first byte to read. Absent: the first that is kept.","minimum":0},{"flag":"max-bytes","field":"max_bytes","type":"integer","description":"Bytes in the reply, at most.","minimum":1,"maximum":1048576,"default":65536},{"flag":"wait-ms","field":"wait_ms","type":"integer","description":"Longest wait for output if there is none yet.","minimum":0,"maximum":86400000,"default":0},{"flag":"follow","field":"follow","type":"boolean","description":"Go on until the program has ended.","local":true}],"examples":["output build --follow | tee log","output t1 --since 4096 --wait-ms 5s --json"]}',
  debug:
    '{"name":"debug","summary":"Show what the screen does not: unhandled sequences, queries, raw output, modes.","group":"look","reads":true,"acting":["clear"],"turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"clear","field":"clear","type":"boolean","description":"Clear the sequences and queries after reading them.","default":false},{"flag":"tail-bytes","field":"tail_bytes","type":"integer","description":"Bytes of output in the reply.","minimum":0,"maximum":16384,"default":1024},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"First wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Also write a picture of the viewport to this file.","local":true}],"examples":["debug @","debug @ --clear","debug t1 --tail-bytes 4096 --json"]}',
  type: '{"name":"type","summary":"Type text as a person would.","group":"act","notes":"Without the argument, standard input is typed, without the line break at its end. With --secret the text is never an argument, since other programs can read arguments: t4a asks for it on the terminal and does not show it.","acting":["even_if_shown"],"stdin":"keys","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"text","label":"text","type":"string","optional":true}],"flags":[{"flag":"submit","field":"submit","type":"boolean","description":"Press Enter afterwards, in a write of its own.","default":false},{"flag":"secret","field":"secret","type":"boolean","description":"The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.","default":false},{"flag":"even-if-shown","field":"even_if_shown","type":"boolean","description":"For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.","default":false},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true}],"examples":["type @ \\"hello\\" --submit","type t1 --secret --submit < password.txt"]}',
  press:
    '{"name":"press","summary":"Press keys, by name.","group":"act","notes":"Separate names by blanks: \\"press @ Escape : w q Enter\\". A single argument is the key, and the terminal is the default one.","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"keys","label":"keys","type":"string","rest":true}],"flags":[{"flag":"gap-ms","field":"gap_ms","type":"integer","description":"Pause between keys.","minimum":0,"maximum":1000,"default":0},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true}],"examples":["press @ Ctrl+C","press @ Escape : w q Enter","press @ Down Down Enter --gap-ms 50","press @ q --wait exit"]}',
  send: '{"name":"send","summary":"Write input to a terminal, exactly as given.","group":"act","notes":"The argument may hold the escapes \\\\n \\\\r \\\\t \\\\e \\\\\\\\ \\\\0 (with up to two octal digits), \\\\xHH (a byte) and \\\\uHHHH; any other backslash is sent as it is. Without the argument, standard input is sent as it is, up to 1 MiB. A single argument is always the id. Put input that begins with a dash after \\"--\\".","acting":["even_if_shown"],"stdin":"bytes","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"input","label":"input","type":"string","optional":true}],"flags":[{"flag":"input-base64","field":"input_base64","type":"string","description":"Bytes in base64, in place of the argument.","placeholder":"base64"},{"flag":"secret","field":"secret","type":"boolean","description":"The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.","default":false},{"flag":"even-if-shown","field":"even_if_shown","type":"boolean","description":"For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.","default":false},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true},{"flag":"raw","field":"raw","type":"boolean","description":"Send the argument as it is; read no escapes in it.","local":true},{"flag":"hex","field":"hex","type":"boolean","description":"The argument is bytes in hexadecimal, such as 1b5b41.","local":true}],"examples":["send t1 \'make test\\\\n\'","send t1 \'\\\\x03\'","send t1 --hex \\"1b 5b 41\\"","send t1 < script.sh","send t1 --raw -- \\"-n\\\\t\\""]}',
  paste:
    '{"name":"paste","summary":"Paste text, as from a clipboard.","group":"act","notes":"Without the argument, standard input is pasted, up to 1 MiB.","acting":["even_if_shown"],"stdin":"text","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"text","label":"text","type":"string","optional":true}],"flags":[{"flag":"text-base64","field":"text_base64","type":"string","description":"UTF-8 in base64, in place of the argument.","placeholder":"base64"},{"flag":"submit","field":"submit","type":"boolean","description":"Press Enter afterwards, in a write of its own.","default":false},{"flag":"secret","field":"secret","type":"boolean","description":"The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.","default":false},{"flag":"even-if-shown","field":"even_if_shown","type":"boolean","description":"For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.","default":false},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true}],"examples":["paste @ < file","paste @ \\"$(git diff)\\" --submit"]}',
  mouse:
    '{"name":"mouse","summary":"Click, drag or turn the wheel.","group":"act","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"action","label":"action","type":"string","values":["click","press","release","move","drag","scroll"]}],"flags":[{"flag":"row","field":"row","type":"integer","description":"0-based row.","minimum":0},{"flag":"col","field":"col","type":"integer","description":"0-based column.","minimum":0},{"flag":"on-text","field":"on_text","type":"string","description":"The middle of this text, in place of row and col."},{"flag":"on-regex","field":"on_regex","type":"string","description":"The middle of a match, in place of row and col."},{"flag":"match-index","field":"match_index","type":"integer","description":"Which match, from the top; -1 is the last one.","default":0},{"flag":"to-row","field":"to_row","type":"integer","description":"Row where a drag ends.","minimum":0},{"flag":"to-col","field":"to_col","type":"integer","description":"Column where a drag ends.","minimum":0},{"flag":"button","field":"button","type":"string","description":"Default: left; none for a move.","values":["left","middle","right","back","forward"]},{"flag":"modifiers","field":"modifiers","type":"list","description":"Keys held during the action: shift, alt, ctrl.","default":[]},{"flag":"clicks","field":"clicks","type":"integer","description":"2 for a double click.","minimum":1,"maximum":10,"default":1},{"flag":"direction","field":"direction","type":"string","description":"Direction of a scroll.","values":["up","down","left","right"],"default":"down"},{"flag":"steps","field":"steps","type":"integer","description":"Steps of a scroll.","minimum":1,"maximum":1000,"default":1},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true}],"examples":["mouse @ click --on-text OK","mouse @ click --row 3 --col 10 --button right","mouse @ scroll --row 5 --col 5 --steps 3"]}',
  focus:
    '{"name":"focus","summary":"Report to the program that its terminal has gained or lost the focus.","group":"act","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"focused","field":"focused","type":"boolean","description":"Report that the terminal gained the focus; false: that it lost it.","default":true,"off":"Report that the terminal lost the focus."},{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true}],"examples":["focus @","focus @ --no-focused"]}',
  resize:
    '{"name":"resize","summary":"Change the size of the grid; the program gets SIGWINCH.","group":"act","notes":"Two arguments are the size, and the terminal is the default one.","turn":["wait","observe"],"positionals":[{"field":"id","label":"id","type":"string"},{"field":"cols","label":"cols","type":"integer"},{"field":"rows","label":"rows","type":"integer"}],"flags":[{"flag":"wait","field":"wait","type":"string","placeholder":"condition","description":"Then wait: settled, settled=MS, idle, idle=MS, done, exit, input, text=…, regex=…, gone=…, event=…; may be repeated: the first that is true ends the wait.","local":true,"repeatable":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true},{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline of the wait. Default: 30000.","local":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"text","field":"observe_text","type":"boolean","description":"Then print the viewport.","local":true},{"flag":"screenshot","field":"screenshot","type":"string","placeholder":"file","description":"Then write a picture of the viewport to this file.","local":true}],"examples":["resize t1 120 40"]}',
  record:
    '{"name":"record","summary":"Record a terminal as an asciicast (v3), which asciinema and its players read.","group":"look","acting":["path"],"positionals":[{"field":"id","label":"id","type":"string","optional":true},{"field":"action","label":"action","type":"string","values":["start","stop","mark","status"],"optional":true}],"flags":[{"flag":"path","field":"path","type":"string","description":"With `start`: the new file, with .gz compressed. Default: one in the folder that `recordings` lists."},{"flag":"title","field":"title","type":"string","description":"With `start`: title of the recording."},{"flag":"label","field":"label","type":"string","description":"With `mark`: text of the marker."}],"examples":["record @","record build --path /tmp/build.cast --title \\"The build\\"","record build mark --label tests","record build stop"]}',
  recordings:
    '{"name":"recordings","summary":"List recordings: those of live terminals, and the files of the folder for them.","group":"look","reads":true,"positionals":[],"flags":[],"examples":["recordings"]}',
  wait: '{"name":"wait","summary":"Wait for a condition, then report the screen.","group":"wait","notes":"With several conditions the first that is true ends the wait. Prints the outcome as one field a line, then the last lines of the screen. Exits with 0 if a condition was met; if that is the end of a command or program (--done, --exit), with its own status, or 128 and the signal\'s number. Exits with 124 at the deadline, 3 if --fail matched, the program\'s status (4 in place of 0) if it ended first, and 125 at an error of t4a.","reads":true,"exitStatus":"outcome","turn":["until","observe"],"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"timeout-ms","field":"timeout_ms","type":"integer","description":"Deadline; it is an outcome, not an error.","minimum":1,"maximum":86400000,"default":30000},{"flag":"fresh","field":"fresh","type":"boolean","description":"Count only what comes after the request, as commands that act always do."},{"flag":"tail","field":"tail","type":"integer","description":"Number of last lines of the screen in the reply.","minimum":0,"maximum":1000,"default":10},{"flag":"text","field":"text","type":"string","description":"Until this text is on the screen, or scrolls by; may be repeated.","local":true,"repeatable":true},{"flag":"regex","field":"regex","type":"string","description":"Until a line matches this regular expression (RE2 syntax); may be repeated.","local":true,"repeatable":true},{"flag":"gone","field":"gone","type":"string","description":"Until this text is not on the screen; may be repeated.","local":true,"repeatable":true},{"flag":"done","field":"done","type":"boolean","description":"Until the shell has finished the last command.","local":true},{"flag":"input","field":"input","type":"boolean","description":"Until the foreground program waits for input.","local":true},{"flag":"input-kind","field":"input_kind","type":"string","values":["password","line","raw"],"description":"Until the foreground program waits for input of this kind.","local":true},{"flag":"settled-ms","field":"settled_ms","type":"integer","description":"Until the screen has not changed for this long; spinners, clocks and the like do not count.","local":true},{"flag":"idle-ms","field":"idle_ms","type":"integer","description":"Until no output has come for this long.","local":true},{"flag":"exit","field":"exit","type":"boolean","description":"Until the process has exited.","local":true},{"flag":"event","field":"event","type":"string","placeholder":"type","description":"Until an event of this type is published; may be repeated.","local":true,"repeatable":true},{"flag":"status","field":"status","type":"boolean","default":true,"description":"Exit with the status of the command or program that ended.","off":"Exit with 0 however the command or program ended.","local":true},{"flag":"changed-since","field":"changed_since","type":"integer","placeholder":"rev","description":"Until the revision of the screen is greater.","local":true},{"flag":"output-since","field":"output_since","type":"integer","placeholder":"bytes","description":"Until the program has printed more bytes (output_bytes of status).","local":true},{"flag":"fail","field":"fail","type":"string","placeholder":"regex","description":"End the wait as failed once a line matches; may be repeated.","local":true,"repeatable":true}],"examples":["wait @ --text ready --fail \'error|panic\' --timeout 60000","wait t1 --done","wait build --exit","wait t1 --settled 500 --timeout 10000","wait t1 --input-kind password"]}',
  events:
    '{"name":"events","summary":"Stream events, one JSON line each, until either side closes the connection.","group":"wait","notes":"Prints one JSON object a line, as the events come.","reads":true,"streams":true,"positionals":[{"field":"terminal","label":"id","type":"string","optional":true}],"flags":[{"flag":"types","field":"types","type":"list","description":"Only events of these types.","values":["created","idle","activity","bell","title","command_done","command_started","awaiting_input","settled","cwd","notification","progress","clipboard","alt_screen","resized","exit","removed","memory","warning"]},{"flag":"since","field":"since","type":"integer","description":"Replay the events after this `seq`; `lagged` counts those that are no longer kept.","minimum":0},{"flag":"ack","field":"ack","type":"boolean","description":"Begin with `{\\"ok\\":true,\\"seq\\":n}` once subscribed.","default":false}],"examples":["events","events t1 --types exit,command_done","events | jq --unbuffered -r .event"]}',
  config:
    '{"name":"config","summary":"Read or change the daemon\'s configuration: its defaults and all of its limits.","group":"configuration","notes":"Prints one setting a line with its value and source: first the command line\'s own, then the daemon\'s.","reads":true,"acting":["idle_timeout_ms","scrollback","log_level","max_terminals","max_scrollback","output_buffer_bytes","input_buffer_bytes","kill_grace_ms","max_connections","client_buffer_bytes","max_requests_in_flight","max_line_bytes","event_queue","max_waits","max_image_side","atlas_bytes","max_memory_bytes","record","lc_ctype","theme","themes"],"positionals":[],"flags":[{"flag":"idle-timeout-ms","field":"idle_timeout_ms","type":"integer","description":"Silence before `idle` is published, for terminals without a setting of their own.","minimum":1,"maximum":86400000},{"flag":"scrollback","field":"scrollback","type":"integer","description":"Lines kept above the viewport, for new terminals.","minimum":0,"maximum":1000000},{"flag":"log-level","field":"log_level","type":"string","description":"Lowest level of the entries in the daemon\'s log.","values":["error","warn","info","debug"]},{"flag":"max-terminals","field":"max_terminals","type":"integer","description":"Terminals that may exist at once. Beyond: `too_many_terminals`.","minimum":1,"maximum":10000},{"flag":"max-scrollback","field":"max_scrollback","type":"integer","description":"Lines that a terminal may ask to keep above the viewport. Beyond: `over_limit`.","minimum":0,"maximum":1000000},{"flag":"output-buffer-bytes","field":"output_buffer_bytes","type":"integer","description":"Output of a terminal that is read but not parsed yet, for new terminals. Beyond, its program waits.","minimum":131072,"maximum":67108864},{"flag":"input-buffer-bytes","field":"input_buffer_bytes","type":"integer","description":"Input that a program has not read yet, for new terminals. Beyond: `input_blocked`.","minimum":65536,"maximum":67108864},{"flag":"kill-grace-ms","field":"kill_grace_ms","type":"integer","description":"Time that a program has to end by itself, after SIGHUP and after SIGTERM of `kill`.","minimum":0,"maximum":60000},{"flag":"max-connections","field":"max_connections","type":"integer","description":"Connections at once. Beyond: `too_many_connections`.","minimum":2,"maximum":100000},{"flag":"client-buffer-bytes","field":"client_buffer_bytes","type":"integer","description":"Replies that a client has not read yet, for new connections. Beyond, its requests wait.","minimum":65536,"maximum":1073741824},{"flag":"max-requests-in-flight","field":"max_requests_in_flight","type":"integer","description":"Unanswered requests of a new connection. Beyond: `too_many_requests`; requests without `req` wait.","minimum":1,"maximum":10000},{"flag":"max-line-bytes","field":"max_line_bytes","type":"integer","description":"Length of a request line, for new connections. Beyond: `line_too_long`.","minimum":65536,"maximum":10485760},{"flag":"event-queue","field":"event_queue","type":"integer","description":"Events queued for a new subscriber. Beyond, the oldest are dropped, and `lagged` counts them.","minimum":1,"maximum":1000000},{"flag":"max-waits","field":"max_waits","type":"integer","description":"Waits on one terminal at once, for new terminals. Beyond: `too_many_waits`.","minimum":1,"maximum":10000},{"flag":"max-image-side","field":"max_image_side","type":"integer","description":"Pixels of a side of a picture. Beyond: `image_too_large`.","minimum":16,"maximum":65535},{"flag":"atlas-bytes","field":"atlas_bytes","type":"integer","description":"Drawn glyphs that are kept. Beyond, the least recently used are dropped.","minimum":1048576,"maximum":1073741824},{"flag":"max-memory-bytes","field":"max_memory_bytes","type":"integer","description":"Memory of the daemon; 0 is half of the machine\'s. `memory.pressure` of `stats` warns near the limit; beyond: `memory_low`.","minimum":0},{"flag":"record","field":"record","type":"string","description":"Record new terminals, each to a file of the folder that `recordings` lists.","values":["off","on"]},{"flag":"lc-ctype","field":"lc_ctype","type":"string","description":"LC_CTYPE of new terminals whose environment names no character set (LC_ALL, LC_CTYPE and LANG); empty: none. Default: C.UTF-8, on macOS UTF-8."},{"flag":"theme","field":"theme","type":"string","description":"Colours of pictures, and of the replies to programs that query colours."},{"flag":"themes","field":"themes","type":"json","description":"Custom themes by name, beside dark, light, tokyo-night, solarized, gruvbox and xterm."},{"flag":"sources","field":"sources","type":"boolean","description":"Include the source of each value.","default":false}],"examples":["config","config --idle-timeout-ms 500","config --theme light","config --log-level debug"]}',
  ping: '{"name":"ping","summary":"Check that the daemon answers; return its version and pid.","group":"configuration","notes":"Starts no daemon.","reads":true,"startsNoDaemon":true,"positionals":[],"flags":[],"examples":["ping"]}',
  stats:
    '{"name":"stats","summary":"Show the figures of the daemon: memory, queues, lag, losses.","group":"plumbing","notes":"Starts no daemon.","reads":true,"startsNoDaemon":true,"positionals":[],"flags":[{"flag":"terminals","field":"terminals","type":"boolean","description":"Include the figures of each terminal.","default":false}],"examples":["stats","stats --terminals"]}',
  schema:
    '{"name":"schema","summary":"Print the JSON Schema of every command, reply, event and error.","group":"plumbing","reads":true,"positionals":[],"flags":[],"examples":["schema > t4a.schema.json"]}',
  view: '{"name":"view","group":"look","summary":"Watch a terminal live, read only; q leaves.","local":true,"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[],"notes":"Draws at most 30 frames a second, and writes only changed rows. Needs a terminal to draw on.","examples":["view","view build"]}',
  attach:
    '{"name":"attach","group":"look","summary":"See a terminal and type into it, in yours; Ctrl+B d leaves.","local":true,"settings":{"cmd_args":"shell"},"positionals":[{"field":"id","label":"id","type":"string","optional":true}],"flags":[{"flag":"read-only","field":"read_only","type":"boolean","description":"Keys reach attach only, not the program.","local":true},{"flag":"fit","field":"fit","type":"boolean","description":"Give the terminal the size of yours while you are there.","local":true},{"flag":"share","field":"share","type":"boolean","description":"Let others type at the same time, as they may today without it, too.","local":true}],"notes":"Every key goes to the program as it is. Ctrl+B begins a command: d leaves, c creates a terminal, n and p show the next and the previous one, w lists them, [ reads the scrollback, f fits the size, k ends this one, Ctrl+B sends itself, and ? lists all. The size of the terminal stays as it is: a larger one is shown around its cursor. Starts no daemon.","examples":["attach","attach build","attach build --read-only"]}',
  usage:
    '{"name":"usage","group":"models","summary":"Print the manual for language models, in under 1,000 tokens.","local":true,"positionals":[],"flags":[],"examples":["usage"]}',
  tools:
    '{"name":"tools","group":"models","summary":"Print tool schemas for the requests to a provider.","local":true,"positionals":[],"flags":[{"flag":"format","field":"format","type":"string","description":"Provider whose form is used.","values":["anthropic","openai","gemini","mcp"],"default":"anthropic","local":true},{"flag":"profile","field":"profile","type":"string","description":"Set of tools: the few that nearly every task needs, with few fields; or all, with all fields.","values":["default","full"],"default":"default","local":true}],"notes":"The tools are the commands of the protocol; t4a_run is the command run, and its input the fields of the request. openai is the form of chat completions; the Responses API takes the fields of \\"function\\" beside \\"type\\".","examples":["tools","tools --format openai > tools.json","tools --format gemini --profile full"]}',
  mcp: '{"name":"mcp","group":"models","summary":"Serve the tools over the Model Context Protocol (standard input and output).","local":true,"positionals":[],"flags":[{"flag":"config","field":"config","type":"string","description":"Print the configuration by which this client starts the server, and its place.","values":["claude","cursor","codex","vscode"],"local":true},{"flag":"profile","field":"profile","type":"string","description":"Set of tools: the few that nearly every task needs, with few fields; or all, with all fields.","values":["default","full"],"default":"default","local":true}],"notes":"Terminals outlive the client that made them. The first call that needs the daemon starts it.","examples":["mcp","mcp --profile full","mcp --config claude","mcp --config codex"]}',
  interminai:
    '{"name":"interminai","group":"models","summary":"Serve one terminal over interminai\'s socket protocol.","local":true,"settings":{"cols":"cols","rows":"rows","cmd_args":"shell"},"positionals":[{"field":"cmd_args","label":"program","type":"string","optional":true,"rest":true}],"flags":[{"flag":"socket","field":"socket","type":"string","placeholder":"path","description":"Socket for interminai\'s clients. Default: a new one, whose path is printed.","local":true},{"flag":"terminal","field":"id","type":"string","placeholder":"id","description":"Serve this terminal, in place of a new one."},{"flag":"cols","field":"cols","type":"integer","minimum":1,"description":"Columns of the new terminal."},{"flag":"rows","field":"rows","type":"integer","minimum":1,"description":"Rows of the new terminal."},{"flag":"debug-buffer","field":"debug_buffer","type":"integer","minimum":0,"maximum":256,"description":"Unhandled sequences that DEBUG lists at most.","default":10,"local":true}],"notes":"Stays in the foreground. The daemon is that of $T4A_SOCKET, or the default. STOP ends the terminal and the server; SIGTERM and Ctrl+C end the server, and the terminal if the server has made it.","examples":["interminai -- vim README.md","interminai --socket /tmp/vim.sock -- vim","interminai --terminal build"]}',
  completions:
    '{"name":"completions","group":"configuration","summary":"Print a completion script for bash, zsh or fish.","local":true,"positionals":[{"field":"shell","label":"shell","type":"string","values":["bash","zsh","fish"]}],"flags":[],"notes":"bash: eval \\"$(t4a completions bash)\\". zsh: eval \\"$(t4a completions zsh)\\". fish: t4a completions fish | source.","examples":["completions bash","completions zsh","completions fish"]}',
  complete:
    '{"name":"complete","group":"plumbing","summary":"List completions of the last word, one a line; called by completion scripts.","local":true,"positionals":[{"field":"words","label":"word","type":"string","optional":true,"rest":true}],"flags":[],"examples":["complete -- scr","complete -- press @ Pa"]}',
  daemon:
    '{"name":"daemon","group":"start","summary":"Run the daemon in the foreground; other commands start one if none answers.","local":true,"positionals":[{"field":"timeout_ms","label":"timeout_ms","type":"integer","optional":true}],"flags":[],"notes":"With a timeout the daemon ends after that time without terminals and clients.","examples":["daemon","daemon 600000","daemon --socket /run/user/1000/t4a.sock"]}',
  doctor:
    '{"name":"doctor","group":"configuration","summary":"Check the machine and the daemon; print how to fix what fails.","local":true,"positionals":[],"flags":[],"notes":"Starts a daemon of its own for a moment, to try a terminal and a picture; of a running daemon it only reads the figures. Exits with 1 if a check failed.","examples":["doctor","doctor --json"]}',
  help: '{"name":"help","group":"configuration","summary":"Explain the command line, or one command.","local":true,"positionals":[{"field":"command_name","label":"command","type":"string","optional":true}],"flags":[],"examples":["help","help create"]}',
  version:
    '{"name":"version","group":"configuration","summary":"Print the version of t4a.","local":true,"positionals":[],"flags":[],"examples":["version"]}',
};
