#!/usr/bin/env bash
# `npm run macos`, on a Mac: everything that a change must pass, as .ci/run on Debian, but for programs that are not installed and
# features that need /proc. Installs nothing outside of the checkout. Runs in the bash 3.2 that macOS has.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -s)" != Darwin ]; then
  echo "scripts/macos.sh: this is $(uname -s), not macOS. For Debian: .ci/run; the tests alone: npm test." >&2
  exit 2
fi

# An inherited socket would be that of the person's own daemon. TMPDIR of macOS is too long for the path of a socket.
unset T4A_SOCKET
TMPDIR=$(mktemp -d /tmp/t4a-macos.XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

sw_vers
node --version
npm ci --no-audit --no-fund
npm run check
npx t4a --socket "$TMPDIR/s" doctor || true
npx t4a --socket "$TMPDIR/s" run --screenshot "$TMPDIR/hello.png" -- ls -la --color
npx t4a --socket "$TMPDIR/s" shutdown
node scripts/test-again.mjs
