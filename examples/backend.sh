# t4a as the backend of an orchestrator: fifteen operations, each a line of shell. Source it in a POSIX shell; jq reads the JSON.
# The orchestrator names the terminals. Each operation ends with 0 if it was done; errors go to standard error, with the next step.
# jq reads with -s, since jq 1.6 ends with 0 where a reply is missing.

# backend_available: whether terminals can be had here. The first backend_create starts the daemon.
backend_available() { t4a list --json >/dev/null; }

# backend_create NAME DIRECTORY PROGRAM [ARGUMENT…]: fails if NAME lives already.
backend_create() ( name=$1 directory=$2; shift 2; t4a create --name "$name" --cwd "$directory" -- "$@" )

# backend_list: names of the terminals whose program lives, one a line.
backend_list() { t4a list --json | jq -rs '.[0].terminals[] | select(.alive) | .id'; }

# backend_capture NAME [LINES]: the screen, or the last lines with text, the scrollback included.
backend_capture() { t4a text "$1" ${2:+--last "$2"}; }

# backend_key NAME KEY…: keys by name, as Enter, Ctrl+C, Escape, F5, Up. A name that is wrong sends none of them.
backend_key() { t4a press "$@"; }

# backend_text NAME TEXT: text without Enter.
backend_text() { t4a type "$1" -- "$2"; }

# backend_line NAME TEXT: text, then Enter in a write of its own.
backend_line() { t4a type "$1" --submit -- "$2"; }

# backend_submit NAME PROMPT [KEY]: a prompt for an agent. The reply has the verdict in "outcome"; the status is 0 for "submitted"
# alone. The same KEY again sends nothing more, so that a lost reply can be asked for again. BACKEND_SUBMIT_MS bounds the wait for the box.
backend_submit() { t4a deliver "$1" --json --timeout-ms "${BACKEND_SUBMIT_MS:-30000}" ${3:+--key "$3"} -- "$2"; }

# backend_cwd NAME: directory of the shell, else of the program.
backend_cwd() { t4a status "$1" --json | jq -ers '.[0] | .shell_cwd // .cwd'; }

# backend_command NAME: the program in front, as "vim" in a shell.
backend_command() { t4a status "$1" --json | jq -ers '.[0].foreground'; }

# backend_pids NAME: processes of the session, one a line.
backend_pids() { ps -o pid= -s "$(t4a status "$1" --json | jq -ers '.[0].pid')"; }

# backend_state NAME: working, waiting, idle, done, error, exited or unknown, then what a person is needed for, or "-".
backend_state() { t4a status "$1" --json | jq -ers '.[0].doing | values | "\(.is) \(.needs_you // "-")"'; }

# backend_option NAME OPTION=VALUE: keeps a value with the terminal. backend_option NAME OPTION: prints it, or fails.
backend_option() { case $2 in *=*) t4a label "$1" --set "$2" >/dev/null ;; *) t4a status "$1" --json | jq -ers --arg name "$2" '.[0].labels[$name]' ;; esac; }

# backend_pipe NAME: raw output from now on, until the program has ended.
backend_pipe() { t4a output "$1" --follow --since "$(t4a status "$1" --json | jq -ers '.[0].output_bytes')"; }

# backend_kill NAME: ends the program and all that it started, and removes the terminal.
backend_kill() { t4a kill "$1"; }
