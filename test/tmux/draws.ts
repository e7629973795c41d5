/** Command lines for tmux by chance, of the kinds that its clients use, with what is wrong in them. */
import { pick, type Random } from '../support/rights.js';

const wordsIn = (text: string): string[] => text.split(/ ¦ |\n/);

const SESSIONS = ['a', 'b', 'ab', 'x y', 'p.q:r', '=a', '$1', '-f', ''];
const WINDOWS = ['w', 'wide', 'v', '#{pane_id}', 'ünï', '0'];
const TARGETS = [
  '',
  ...wordsIn(String.raw`a ¦ b ¦ ab ¦ =a ¦ =ab ¦ a: ¦ =a: ¦ b:1 ¦ a:0 ¦ a:1 ¦ a:1.0 ¦ a:0.1 ¦ a:.1 ¦ a.1 ¦ :1 ¦ : ¦ . ¦ %0 ¦ %1 ¦ %2 ¦ %9 ¦ %x ¦ @0 ¦ @1 ¦ @9 ¦ $0
$1 ¦ $9 ¦ $ ¦ @ ¦ a:@1 ¦ a:%1 ¦ a:w ¦ a:=w ¦ a:wi ¦ :+ ¦ :- ¦ :+2 ¦ :! ¦ :^ ¦ :$ ¦ :{start} ¦ :{end} ¦ :{last} ¦ :{next} ¦ :{previous}
{last} ¦ ! ¦ .+ ¦ .- ¦ .! ¦ .{top} ¦ .{bottom} ¦ .{left} ¦ .{right} ¦ .{top-left} ¦ .{bottom-right} ¦ .{last} ¦ .{next} ¦ .{previous}
.{up-of} ¦ .{down-of} ¦ .{left-of} ¦ .{right-of} ¦ .9 ¦ .-1 ¦ :9 ¦ :-1 ¦ :0.x ¦ nope ¦ a:nope ¦ a:0.nope ¦ nope:0 ¦ a* ¦ a:* ¦ [ab] ¦ ~
{marked} ¦ {mouse} ¦ = ¦ a:b:c ¦ w ¦ a:w.1`),
];
const OPTIONS =
  wordsIn(String.raw`status ¦ mouse ¦ history-limit ¦ base-index ¦ pane-base-index ¦ remain-on-exit ¦ window-size ¦ default-shell ¦ escape-time ¦ set-titles
status-left ¦ main-pane-width ¦ main-pane-height ¦ renumber-windows ¦ prefix ¦ allow-rename ¦ word-separators ¦ update-environment
command-alias ¦ user-keys ¦ buffer-limit ¦ synchronize-panes ¦ mode-keys ¦ status-style ¦ pane-border-format ¦ terminal-overrides
status-format[0] ¦ stat ¦ @x ¦ @long-name ¦ @ ¦ nosuch ¦ update-environment[0] ¦ command-alias[9] ¦ monitor-activity ¦ visual-bell ¦ m
pane-border-style ¦ display-time ¦ default-terminal ¦ exit-empty ¦ set-clipboard ¦ clock-mode-style ¦ activity-action`);
const VALUES = [
  '',
  ...wordsIn(String.raw`on ¦ off ¦ 1 ¦ 0 ¦ 2 ¦ 50 ¦ 80% ¦ -1 ¦ abc ¦ fg=red ¦ fg=red,bg=blue,bold ¦ fg=nope ¦ C-a ¦ vi ¦ emacs ¦ 99999999999 ¦ #{session_name} ¦ #S
a b ¦ /bin/sh ¦ /nope ¦ latest ¦ manual ¦ failed ¦ both ¦ a=b ¦ it's ¦ yes`),
];
const FORMATS =
  wordsIn(String.raw`#S:#I.#P #D #W #F ¦ #{session_name}#{window_index} ¦ #{?pane_active,yes,no} ¦ #{?#{==:#S,a},one,#{?pane_dead,x,y}} ¦ #{=3:session_name}
#{=-3:window_name} ¦ #{=/3/...:window_layout} ¦ #{p8:session_name}| ¦ #{p-8:session_name}| ¦ #{t:session_created}#{n:session_name}
#{w:window_name} ¦ #{l:#S} ¦ #{q:window_name} ¦ #{q/e:window_name} ¦ #{q/h:#S} ¦ #{b:pane_start_path} ¦ #{d:pane_start_path}
#{s/a/b/:session_name} ¦ #{s/(.)b/\1x/i:session_name} ¦ #{m:a*,#S} ¦ #{m/r:^a,#S} ¦ #{m/ri:^A,#S} ¦ #{C:nope} ¦ #{E:status-left}
#{T:status-left} ¦ #{S:#S,} ¦ #{W:#I ,[#I] } ¦ #{P:#P ,[#P] } ¦ #{e|+|:#{window_width},2} ¦ #{e|/|f|2:7,2} ¦ #{e|m|:7,3} ¦ #{e|<|:1,2}
#{e|/|:1,0} ¦ #{e|*|f:1.5,2} ¦ #{e|x|:1,2} ¦ #{||:0,1} ¦ #{&&:1,#{pane_active}} ¦ #{!=:a,b} ¦ #{<:a,b} ¦ #{>=:b,a} ¦ ##S ¦ #, ¦ #} ¦ #{
#{} ¦ #{?} ¦ #{?a} ¦ #{a:65} ¦ #{a:x} ¦ #{c:red} ¦ #{c/f:blue} ¦ #{N:a} ¦ #{N/s:a} ¦ #{N/w:w} ¦ #{@x} ¦ #{history_limit} #{status}
#{window_layout} #{window_visible_layout} ¦ #{pane_at_top}#{pane_at_left}#{pane_left},#{pane_top} ¦ #{nosuch}|#{R:x,3}
#[fg=red]x#[default] ¦ #{?x,a,b,c} ¦ #{?1,#,,#}} ¦ #{=|3|:#S} ¦ #{=3:#{window_name}abcdef} ¦ #{s|a|b|;=2:#S} ¦ #{i:x}
#{window_end_flag}#{window_start_flag}#{window_linked} ¦ #{session_windows} #{window_panes} #{pane_width}x#{pane_height}
#{session_group}#{session_grouped}#{session_stack} ¦ #{pane_marked}#{pane_synchronized}#{pane_input_off}#{pane_pipe} ¦ %H ¦ #{buffer_name}
#{version} #{session_id} ¦ #{window_stack_index}#{window_last_flag}#{window_raw_flags} ¦ #{p3:#{=1:#W}}|`);
const SIZES = ['5', '10', '20', '3', '1', '0', '50%', '30%', '100%', '110%', '-1', 'abc', '2000', ''];
const LAYOUTS = wordsIn(
  String.raw`even-horizontal ¦ even-vertical ¦ main-horizontal ¦ main-vertical ¦ tiled ¦ even-h ¦ t ¦ 9999,80x24,0,0,0`,
);
const BUFFERS = ['one', 'two', 'buffer0', 'nope', ''];
const DIRECTIONS = ['-U', '-D', '-L', '-R'];

/** What stands for a drawn word in a pattern below; `?` before a word drops it half of the time. */
const SLOTS: Readonly<Record<string, readonly string[]>> = {
  T: TARGETS,
  S: SESSIONS,
  W: WINDOWS,
  O: OPTIONS,
  V: VALUES,
  F: FORMATS,
  N: SIZES,
  L: LAYOUTS,
  B: BUFFERS,
  X: DIRECTIONS,
  G: ['-g', '-w', '-p', '-s', '-gw', '-u', '-U', '-a', '-q', '-o', '-gu', '-ga', '-F', '-wq', '-pu', '-gq', '-A'],
  Q: ['-v', '-g', '-gv', '-w', '-gw', '-s', '-sv', '-p', '-A', '-Av', '-q', '-qv', '-H', '-gwv'],
  I: ['0', '1', '2', '7', '-1', 'x'],
  E: ['NAME', 'A=B', '', 'OTHER', 'HOME'],
};

const MAKES = [
  'new-session -d ?-s+S -x 80 -y 24 ?-n+W SLEEP',
  'new-window -d -t T ?-n+W SLEEP',
  'new-window -t T ?-a ?-k -P -F F SLEEP',
  'new-window -d ?-S ?-n+W ?-b SLEEP',
  'split-window ?-h ?-d ?-b ?-f -t T ?-l+N SLEEP',
  'split-window ?-h -t T ?-p+N -P SLEEP',
];

const CHANGES = [
  'rename-session ?-t+T S',
  'rename-window ?-t+T W',
  'select-window -t T',
  'select-window ?-t+T ?-l ?-n ?-p ?-T',
  'next-window ?-t+T ?-a',
  'previous-window ?-t+T',
  'last-window ?-t+T',
  'select-pane ?-t+T ?-l ?X ?-Z',
  'select-pane -t T -T W',
  'select-pane -t T ?-m ?-M ?-d ?-e',
  'last-pane ?-t+T ?-Z',
  'select-layout ?-t+T L',
  'select-layout ?-t+T ?-n ?-p ?-E ?-o',
  'next-layout ?-t+T',
  'previous-layout ?-t+T',
  'resize-pane ?-t+T X ?N',
  'resize-pane ?-t+T ?-x+N ?-y+N',
  'resize-pane ?-t+T -Z',
  'resize-window ?-t+T ?-x+N ?-y+N',
  'resize-window ?-t+T X ?N',
  'rotate-window ?-t+T ?-D ?-Z',
  'swap-pane ?-s+T ?-t+T ?-d ?-Z',
  'swap-pane ?-t+T ?-U ?-D',
  'swap-window ?-s+T -t T ?-d',
  'move-window ?-s+T -t T ?-k ?-d ?-a ?-b',
  'move-window -r ?-t+T',
  'link-window -s T -t T ?-k ?-a',
  'unlink-window -t T',
  'break-pane ?-d -s T ?-t+T ?-n+W ?-P ?-a ?-b',
  'join-pane ?-h ?-d ?-b ?-f -s T -t T ?-l+N',
  'move-pane ?-h -s T -t T',
  'kill-pane -t T',
  'kill-pane ?-a -t T',
  'kill-window -t T',
  'respawn-pane -t T ?-k SLEEP',
  'respawn-window -t T ?-k SLEEP',
  'set-option ?G ?G ?-t+T O V',
  'set-option ?G O',
  'set-window-option ?G ?-t+T O V',
  'set-environment ?-g ?-t+T ?-h ?-u ?-r E ?V',
  'set-buffer ?-b+B ?-a V',
  'set-buffer -b B ?-n+B',
  'delete-buffer ?-b+B',
  'set-hook ?-g ?-t+T after-new-window display',
  'copy-mode ?-t+T ?-q',
];

const READS = [
  'has-session -t T',
  'list-sessions -F F ?-f+F',
  'list-windows ?-a ?-t+T -F F ?-f+F',
  'list-panes ?-a ?-s ?-t+T -F F ?-f+F',
  'list-windows ?-t+T',
  'list-panes -s ?-t+T -F F',
  'display-message -p ?-t+T F',
  'display-message -p ?-t+T F',
  'display-message -p ?-t+T F',
  'show-options ?Q ?Q ?-t+T O',
  'show-options ?Q O',
  'show-window-options ?-v ?-g ?-t+T O',
  'show-environment ?-g ?-s ?-h ?-t+T ?E',
  'show-buffer ?-b+B',
  'list-buffers -F F',
  'show-hooks ?-g ?-t+T after-new-window',
  'list-clients ?-t+T',
  'send-keys -t T -N I -l x',
  'send-keys -t T -H 4 zz',
  'wait-for ?-S ?-U B',
  'list-commands ?V',
  'if-shell -F F has-session',
];

/** Wrong flags and numbers of words, of any verb. */
const WRONG = ['-Q', '-t', '-F', 'one two three four', '--', '-', '-x', '-tt'];

export function drawLine(random: Random): string[] {
  const kind = random();
  const from = kind < 0.25 ? MAKES : kind < 0.65 ? CHANGES : READS;
  const words = pick(random, from)
    .split(' ')
    .flatMap((word) => (word.startsWith('?') && random() < 0.6 ? [] : word.replace('?', '').split('+')))
    .map((word) => (word === 'SLEEP' ? 'exec sleep 1000' : pick(random, SLOTS[word] ?? [word])));
  if (random() < 0.03) words.splice(1 + Math.floor(random() * words.length), 0, ...pick(random, WRONG).split(' '));
  return words;
}
