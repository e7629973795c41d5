#!/bin/sh
# tmux, answered by t4a (docs/tmux.md). Perl starts in a sixth of the time of Node.
here=${0%/*}
if command -v perl >/dev/null 2>&1; then exec perl "$here/tmux.pl" "$@"; fi
exec node "$here/../cli.cjs" tmux "$@"
