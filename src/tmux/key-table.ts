/** The keys of tmux 3.3a: of each table a line for a key, with `r` for one that repeats, its note and its command, parted by `|`. */
const PANE_MENU = String.raw` "#{?#{m/r:(copy|view)-mode,#{pane_mode}},Go To Top,}" < { send-keys -X history-top } "#{?#{m/r:(copy|view)-mode,#{pane_mode}},Go To Bottom,}" > { send-keys -X history-bottom } '' "#{?mouse_word,Search For #[underscore]#{=/9/...:mouse_word},}" C-r { if-shell -F "#{?#{m/r:(copy|view)-mode,#{pane_mode}},0,1}" "copy-mode -t=" ; send-keys -X -t = search-backward "#{q:mouse_word}" } "#{?mouse_word,Type #[underscore]#{=/9/...:mouse_word},}" C-y { copy-mode -q ; send-keys -l "#{q:mouse_word}" } "#{?mouse_word,Copy #[underscore]#{=/9/...:mouse_word},}" c { copy-mode -q ; set-buffer "#{q:mouse_word}" } "#{?mouse_line,Copy Line,}" l { copy-mode -q ; set-buffer "#{q:mouse_line}" } '' "Horizontal Split" h { split-window -h } "Vertical Split" v { split-window -v } '' "#{?#{>:#{window_panes},1},,-}Swap Up" u { swap-pane -U } "#{?#{>:#{window_panes},1},,-}Swap Down" d { swap-pane -D } "#{?pane_marked_set,,-}Swap Marked" s { swap-pane } '' Kill X { kill-pane } Respawn R { respawn-pane -k } "#{?pane_marked,Unmark,Mark}" m { select-pane -m } "#{?#{>:#{window_panes},1},,-}#{?window_zoomed_flag,Unzoom,Zoom}" z { resize-pane -Z }`;
const WINDOW_MENU = String.raw` "#{?#{>:#{session_windows},1},,-}Swap Left" l { swap-window -t :-1 } "#{?#{>:#{session_windows},1},,-}Swap Right" r { swap-window -t :+1 } "#{?pane_marked_set,,-}Swap Marked" s { swap-window } '' Kill X { kill-window } Respawn R { respawn-window -k } "#{?pane_marked,Unmark,Mark}" m { select-pane -m } Rename n { command-prompt -F -I "#W" { rename-window -t "#{window_id}" "%%" } } '' "New After" w { new-window -a } "New At End" W { new-window }`;

const TABLES: Readonly<Record<string, string>> = {
  'copy-mode': String.raw`
C-Space ||send-keys -X begin-selection
C-a ||send-keys -X start-of-line
C-b ||send-keys -X cursor-left
C-c ||send-keys -X cancel
C-e ||send-keys -X end-of-line
C-f ||send-keys -X cursor-right
C-g ||send-keys -X clear-selection
C-k ||send-keys -X copy-pipe-end-of-line-and-cancel
C-n ||send-keys -X cursor-down
C-p ||send-keys -X cursor-up
C-r ||command-prompt -i -I "#{pane_search_string}" -T search -p "(search up)" { send-keys -X search-backward-incremental "%%" }
C-s ||command-prompt -i -I "#{pane_search_string}" -T search -p "(search down)" { send-keys -X search-forward-incremental "%%" }
C-v ||send-keys -X page-down
C-w ||send-keys -X copy-pipe-and-cancel
Escape ||send-keys -X cancel
Space ||send-keys -X page-down
, ||send-keys -X jump-reverse
; ||send-keys -X jump-again
F ||command-prompt -1 -p "(jump backward)" { send-keys -X jump-backward "%%" }
N ||send-keys -X search-reverse
P ||send-keys -X toggle-position
R ||send-keys -X rectangle-toggle
T ||command-prompt -1 -p "(jump to backward)" { send-keys -X jump-to-backward "%%" }
X ||send-keys -X set-mark
f ||command-prompt -1 -p "(jump forward)" { send-keys -X jump-forward "%%" }
g ||command-prompt -p "(goto line)" { send-keys -X goto-line "%%" }
n ||send-keys -X search-again
q ||send-keys -X cancel
r ||send-keys -X refresh-from-pane
t ||command-prompt -1 -p "(jump to forward)" { send-keys -X jump-to-forward "%%" }
MouseDown1Pane ||select-pane
MouseDrag1Pane ||select-pane \; send-keys -X begin-selection
MouseDragEnd1Pane ||send-keys -X copy-pipe-and-cancel
WheelUpPane ||select-pane \; send-keys -X -N 5 scroll-up
WheelDownPane ||select-pane \; send-keys -X -N 5 scroll-down
DoubleClick1Pane ||select-pane \; send-keys -X select-word \; run-shell -d 0.3 \; send-keys -X copy-pipe-and-cancel
TripleClick1Pane ||select-pane \; send-keys -X select-line \; run-shell -d 0.3 \; send-keys -X copy-pipe-and-cancel
Home ||send-keys -X start-of-line
End ||send-keys -X end-of-line
NPage ||send-keys -X page-down
PPage ||send-keys -X page-up
Up ||send-keys -X cursor-up
Down ||send-keys -X cursor-down
Left ||send-keys -X cursor-left
Right ||send-keys -X cursor-right
M-C-b ||send-keys -X previous-matching-bracket
M-C-f ||send-keys -X next-matching-bracket
M-1 ||command-prompt -N -I 1 -p (repeat) { send-keys -N "%%" }
M-2 ||command-prompt -N -I 2 -p (repeat) { send-keys -N "%%" }
M-3 ||command-prompt -N -I 3 -p (repeat) { send-keys -N "%%" }
M-4 ||command-prompt -N -I 4 -p (repeat) { send-keys -N "%%" }
M-5 ||command-prompt -N -I 5 -p (repeat) { send-keys -N "%%" }
M-6 ||command-prompt -N -I 6 -p (repeat) { send-keys -N "%%" }
M-7 ||command-prompt -N -I 7 -p (repeat) { send-keys -N "%%" }
M-8 ||command-prompt -N -I 8 -p (repeat) { send-keys -N "%%" }
M-9 ||command-prompt -N -I 9 -p (repeat) { send-keys -N "%%" }
M-< ||send-keys -X history-top
M-> ||send-keys -X history-bottom
M-R ||send-keys -X top-line
M-b ||send-keys -X previous-word
M-f ||send-keys -X next-word-end
M-m ||send-keys -X back-to-indentation
M-r ||send-keys -X middle-line
M-v ||send-keys -X page-up
M-w ||send-keys -X copy-pipe-and-cancel
M-x ||send-keys -X jump-to-mark
M-{ ||send-keys -X previous-paragraph
M-} ||send-keys -X next-paragraph
M-Up ||send-keys -X halfpage-up
M-Down ||send-keys -X halfpage-down
C-Up ||send-keys -X scroll-up
C-Down ||send-keys -X scroll-down
`,
  'copy-mode-vi': String.raw`
C-b ||send-keys -X page-up
C-c ||send-keys -X cancel
C-d ||send-keys -X halfpage-down
C-e ||send-keys -X scroll-down
C-f ||send-keys -X page-down
C-h ||send-keys -X cursor-left
C-j ||send-keys -X copy-pipe-and-cancel
Enter ||send-keys -X copy-pipe-and-cancel
C-u ||send-keys -X halfpage-up
C-v ||send-keys -X rectangle-toggle
C-y ||send-keys -X scroll-up
Escape ||send-keys -X clear-selection
Space ||send-keys -X begin-selection
# ||send-keys -FX search-backward "#{copy_cursor_word}"
$ ||send-keys -X end-of-line
% ||send-keys -X next-matching-bracket
* ||send-keys -FX search-forward "#{copy_cursor_word}"
, ||send-keys -X jump-reverse
/ ||command-prompt -T search -p "(search down)" { send-keys -X search-forward "%%" }
0 ||send-keys -X start-of-line
1 ||command-prompt -N -I 1 -p (repeat) { send-keys -N "%%" }
2 ||command-prompt -N -I 2 -p (repeat) { send-keys -N "%%" }
3 ||command-prompt -N -I 3 -p (repeat) { send-keys -N "%%" }
4 ||command-prompt -N -I 4 -p (repeat) { send-keys -N "%%" }
5 ||command-prompt -N -I 5 -p (repeat) { send-keys -N "%%" }
6 ||command-prompt -N -I 6 -p (repeat) { send-keys -N "%%" }
7 ||command-prompt -N -I 7 -p (repeat) { send-keys -N "%%" }
8 ||command-prompt -N -I 8 -p (repeat) { send-keys -N "%%" }
9 ||command-prompt -N -I 9 -p (repeat) { send-keys -N "%%" }
: ||command-prompt -p "(goto line)" { send-keys -X goto-line "%%" }
; ||send-keys -X jump-again
? ||command-prompt -T search -p "(search up)" { send-keys -X search-backward "%%" }
A ||send-keys -X append-selection-and-cancel
B ||send-keys -X previous-space
D ||send-keys -X copy-pipe-end-of-line-and-cancel
E ||send-keys -X next-space-end
F ||command-prompt -1 -p "(jump backward)" { send-keys -X jump-backward "%%" }
G ||send-keys -X history-bottom
H ||send-keys -X top-line
J ||send-keys -X scroll-down
K ||send-keys -X scroll-up
L ||send-keys -X bottom-line
M ||send-keys -X middle-line
N ||send-keys -X search-reverse
P ||send-keys -X toggle-position
T ||command-prompt -1 -p "(jump to backward)" { send-keys -X jump-to-backward "%%" }
V ||send-keys -X select-line
W ||send-keys -X next-space
X ||send-keys -X set-mark
^ ||send-keys -X back-to-indentation
b ||send-keys -X previous-word
e ||send-keys -X next-word-end
f ||command-prompt -1 -p "(jump forward)" { send-keys -X jump-forward "%%" }
g ||send-keys -X history-top
h ||send-keys -X cursor-left
j ||send-keys -X cursor-down
k ||send-keys -X cursor-up
l ||send-keys -X cursor-right
n ||send-keys -X search-again
o ||send-keys -X other-end
q ||send-keys -X cancel
r ||send-keys -X refresh-from-pane
t ||command-prompt -1 -p "(jump to forward)" { send-keys -X jump-to-forward "%%" }
v ||send-keys -X rectangle-toggle
w ||send-keys -X next-word
{ ||send-keys -X previous-paragraph
} ||send-keys -X next-paragraph
MouseDown1Pane ||select-pane
MouseDrag1Pane ||select-pane \; send-keys -X begin-selection
MouseDragEnd1Pane ||send-keys -X copy-pipe-and-cancel
WheelUpPane ||select-pane \; send-keys -X -N 5 scroll-up
WheelDownPane ||select-pane \; send-keys -X -N 5 scroll-down
DoubleClick1Pane ||select-pane \; send-keys -X select-word \; run-shell -d 0.3 \; send-keys -X copy-pipe-and-cancel
TripleClick1Pane ||select-pane \; send-keys -X select-line \; run-shell -d 0.3 \; send-keys -X copy-pipe-and-cancel
BSpace ||send-keys -X cursor-left
NPage ||send-keys -X page-down
PPage ||send-keys -X page-up
Up ||send-keys -X cursor-up
Down ||send-keys -X cursor-down
Left ||send-keys -X cursor-left
Right ||send-keys -X cursor-right
M-x ||send-keys -X jump-to-mark
C-Up ||send-keys -X scroll-up
C-Down ||send-keys -X scroll-down
`,
  prefix: String.raw`
C-b |Send the prefix key|send-prefix
C-o |Rotate through the panes|rotate-window
C-z |Suspend the current client|suspend-client
Space |Select next layout|next-layout
! |Break pane to a new window|break-pane
" |Split window vertically|split-window
# |List all paste buffers|list-buffers
$ |Rename current session|command-prompt -I "#S" { rename-session "%%" }
% |Split window horizontally|split-window -h
& |Kill current window|confirm-before -p "kill-window #W? (y/n)" kill-window
' |Prompt for window index to select|command-prompt -T window-target -p index { select-window -t ":%%" }
( |Switch to previous client|switch-client -p
) |Switch to next client|switch-client -n
, |Rename current window|command-prompt -I "#W" { rename-window "%%" }
- |Delete the most recent paste buffer|delete-buffer
. |Move the current window|command-prompt -T target { move-window -t "%%" }
/ |Describe key binding|command-prompt -k -p key { list-keys -1N "%%" }
0 |Select window 0|select-window -t :=0
1 |Select window 1|select-window -t :=1
2 |Select window 2|select-window -t :=2
3 |Select window 3|select-window -t :=3
4 |Select window 4|select-window -t :=4
5 |Select window 5|select-window -t :=5
6 |Select window 6|select-window -t :=6
7 |Select window 7|select-window -t :=7
8 |Select window 8|select-window -t :=8
9 |Select window 9|select-window -t :=9
: |Prompt for a command|command-prompt
; |Move to the previously active pane|last-pane
< ||display-menu -T "#[align=centre]#{window_index}:#{window_name}" -x W -y W@WINDOW
= |Choose a paste buffer from a list|choose-buffer -Z
> ||display-menu -T "#[align=centre]#{pane_index} (#{pane_id})" -x P -y P@PANE
? |List key bindings|list-keys -N
C |Customize options|customize-mode -Z
D |Choose a client from a list|choose-client -Z
E |Spread panes out evenly|select-layout -E
L |Switch to the last client|switch-client -l
M |Clear the marked pane|select-pane -M
[ |Enter copy mode|copy-mode
] |Paste the most recent paste buffer|paste-buffer -p
c |Create a new window|new-window
d |Detach the current client|detach-client
f |Search for a pane|command-prompt { find-window -Z "%%" }
i |Display window information|display-message
l |Select the previously current window|last-window
m |Toggle the marked pane|select-pane -m
n |Select the next window|next-window
o |Select the next pane|select-pane -t :.+
p |Select the previous window|previous-window
q |Display pane numbers|display-panes
r |Redraw the current client|refresh-client
s |Choose a session from a list|choose-tree -Zs
t |Show a clock|clock-mode
w |Choose a window from a list|choose-tree -Zw
x |Kill the active pane|confirm-before -p "kill-pane #P? (y/n)" kill-pane
z |Zoom the active pane|resize-pane -Z
{ |Swap the active pane with the pane above|swap-pane -U
} |Swap the active pane with the pane below|swap-pane -D
~ |Show messages|show-messages
DC r|Reset so the visible part of the window follows the cursor|refresh-client -c
PPage |Enter copy mode and scroll up|copy-mode -u
Up r|Select the pane above the active pane|select-pane -U
Down r|Select the pane below the active pane|select-pane -D
Left r|Select the pane to the left of the active pane|select-pane -L
Right r|Select the pane to the right of the active pane|select-pane -R
M-1 |Set the even-horizontal layout|select-layout even-horizontal
M-2 |Set the even-vertical layout|select-layout even-vertical
M-3 |Set the main-horizontal layout|select-layout main-horizontal
M-4 |Set the main-vertical layout|select-layout main-vertical
M-5 |Select the tiled layout|select-layout tiled
M-n |Select the next window with an alert|next-window -a
M-o |Rotate through the panes in reverse|rotate-window -D
M-p |Select the previous window with an alert|previous-window -a
M-Up r|Resize the pane up by 5|resize-pane -U 5
M-Down r|Resize the pane down by 5|resize-pane -D 5
M-Left r|Resize the pane left by 5|resize-pane -L 5
M-Right r|Resize the pane right by 5|resize-pane -R 5
C-Up r|Resize the pane up|resize-pane -U
C-Down r|Resize the pane down|resize-pane -D
C-Left r|Resize the pane left|resize-pane -L
C-Right r|Resize the pane right|resize-pane -R
S-Up r|Move the visible part of the window up|refresh-client -U 10
S-Down r|Move the visible part of the window down|refresh-client -D 10
S-Left r|Move the visible part of the window left|refresh-client -L 10
S-Right r|Move the visible part of the window right|refresh-client -R 10
`,
  root: String.raw`
MouseDown1Pane ||select-pane -t = \; send-keys -M
MouseDown1Status ||select-window -t =
MouseDown2Pane ||select-pane -t = \; if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { paste-buffer -p }
MouseDown3Pane ||if-shell -F -t = "#{||:#{mouse_any_flag},#{&&:#{pane_in_mode},#{?#{m/r:(copy|view)-mode,#{pane_mode}},0,1}}}" { select-pane -t = ; send-keys -M } { display-menu -T "#[align=centre]#{pane_index} (#{pane_id})" -t = -x M -y M@PANE }
MouseDown3Status ||display-menu -T "#[align=centre]#{window_index}:#{window_name}" -t = -x W -y W@WINDOW
MouseDown3StatusLeft ||display-menu -T "#[align=centre]#{session_name}" -t = -x M -y W Next n { switch-client -n } Previous p { switch-client -p } '' Renumber N { move-window -r } Rename n { command-prompt -I "#S" { rename-session "%%" } } '' "New Session" s { new-session } "New Window" w { new-window }
MouseDrag1Pane ||if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { copy-mode -M }
MouseDrag1Border ||resize-pane -M
WheelUpPane ||if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { copy-mode -e }
WheelUpStatus ||previous-window
WheelDownStatus ||next-window
DoubleClick1Pane ||select-pane -t = \; if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { copy-mode -H ; send-keys -X select-word ; run-shell -d 0.3 ; send-keys -X copy-pipe-and-cancel }
TripleClick1Pane ||select-pane -t = \; if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { copy-mode -H ; send-keys -X select-line ; run-shell -d 0.3 ; send-keys -X copy-pipe-and-cancel }
M-MouseDown3Pane ||display-menu -T "#[align=centre]#{pane_index} (#{pane_id})" -t = -x M -y M@PANE
`,
};

export interface Binding {
  readonly repeats: boolean;
  readonly note: string;
  /** Command as `list-keys` shows it. */
  readonly command: string;
}

/** Bindings by table and key, in the order of tmux. */
export function defaultBindings(): Map<string, Map<string, Binding>> {
  const tables = Object.entries(TABLES).map(([name, text]): [string, Map<string, Binding>] => [
    name,
    new Map(text.trim().split('\n').map(bindingOf)),
  ]);
  return new Map(tables);
}

function bindingOf(line: string): [string, Binding] {
  const [, key = '', repeats, note = '', text = ''] = /^(\S+) (r?)\|([^|]*)\|(.*)$/.exec(line) ?? [];
  const command = text.replace('@PANE', () => PANE_MENU).replace('@WINDOW', () => WINDOW_MENU);
  return [key, { repeats: repeats === 'r', note, command }];
}
