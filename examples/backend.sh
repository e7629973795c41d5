# t4a as the backend of an orchestrator: fifteen operations, each a line of shell. Source it in a POSIX shell; jq reads the JSON.
# The orchestrator names the terminals. Each operation ends with 0 if it was done; errors go to standard error, with the next step.
# jq reads with -s, since jq 1.6 ends with 0 where a reply is missing.

# `t4a` is a shell script that looks for the native client: it is asked once where that lies.
BACKEND_T4A=$(t4a client --path 2>/dev/null) || BACKEND_T4A=t4a
quick_t4a() { if [ -x "$BACKEND_T4A" ]; then "$BACKEND_T4A" "$@"; else t4a "$@"; fi; }

# backend_available: whether terminals can be had here. The first backend_create starts the daemon.
backend_available() { quick_t4a list --json >/dev/null; }

# backend_create NAME DIRECTORY PROGRAM [ARGUMENT…]: fails if NAME lives already.
backend_create() ( name=$1 directory=$2; shift 2; quick_t4a create --name "$name" --cwd "$directory" -- "$@" )

# backend_list: names of the terminals whose program lives, one a line.
backend_list() { quick_t4a list --json | jq -rs '.[0].terminals[] | select(.alive) | .id'; }

# backend_capture NAME [LINES]: the screen, or the last lines with text, the scrollback included.
backend_capture() { quick_t4a text "$1" ${2:+--last "$2"}; }

# backend_key NAME KEY…: keys by name, as Enter, Ctrl+C, Escape, F5, Up. A name that is wrong sends none of them.
backend_key() { quick_t4a press "$@"; }

# backend_text NAME TEXT: text without Enter.
backend_text() { quick_t4a type "$1" -- "$2"; }

# backend_line NAME TEXT: text, then Enter in a write of its own.
backend_line() { quick_t4a type "$1" --submit -- "$2"; }

# backend_submit NAME PROMPT [KEY]: a prompt for an agent. The reply has the verdict in "outcome"; the status is 0 for "submitted"
# alone. The same KEY again sends nothing more, so that a lost reply can be asked for again. BACKEND_SUBMIT_MS bounds the wait for the box.
backend_submit() { quick_t4a deliver "$1" --json --timeout-ms "${BACKEND_SUBMIT_MS:-30000}" ${3:+--key "$3"} -- "$2"; }

# backend_cwd NAME: directory of the shell, else of the program.
backend_cwd() { quick_t4a status "$1" --json | jq -ers '.[0] | .shell_cwd // .cwd'; }

# backend_command NAME: the program in front, as "vim" in a shell.
backend_command() { quick_t4a status "$1" --json | jq -ers '.[0].foreground'; }

# backend_pids NAME: processes of the session, one a line.
backend_pids() { ps -o pid= -s "$(quick_t4a status "$1" --json | jq -ers '.[0].pid')"; }

# backend_state NAME: working, waiting, idle, done, error, exited or unknown, then what a person is needed for, or "-".
backend_state() { quick_t4a status "$1" --json | jq -ers '.[0].doing | values | "\(.is) \(.needs_you // "-")"'; }

# backend_option NAME OPTION=VALUE: keeps a value with the terminal. backend_option NAME OPTION: prints it, or fails.
backend_option() { case $2 in *=*) quick_t4a label "$1" --set "$2" >/dev/null ;; *) quick_t4a status "$1" --json | jq -ers --arg name "$2" '.[0].labels[$name]' ;; esac; }

# backend_pipe NAME: raw output from now on, until the program has ended.
backend_pipe() { quick_t4a output "$1" --follow --since "$(quick_t4a status "$1" --json | jq -ers '.[0].output_bytes')"; }

# backend_kill NAME: ends the program and all that it started, and removes the terminal.
backend_kill() { quick_t4a kill "$1"; }
