#!/bin/sh
# The native client of this architecture, if it is here and may run; else Node.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
done
here=${self%/*} arch=
{ read -r arch </proc/sys/kernel/arch; } 2>/dev/null || arch=$(uname -sm)
case $arch in x86_64 | Linux\ x86_64) arch=x64 ;; aarch64 | Linux\ aarch64) arch=arm64 ;; esac
[ -x "$here/native/$arch/t4a" ] && exec "$here/native/$arch/t4a" "$@"
exec node "$here/cli.cjs" "$@"
