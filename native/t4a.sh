#!/bin/sh
# The native client of this processor, if it is here and may run; else Node. The names are no variables of the caller.
t4a_self=$0
case $t4a_self in */*) ;; *) t4a_self=./$t4a_self ;; esac
while [ -h "$t4a_self" ]; do
  t4a_link=$(readlink "$t4a_self")
  case $t4a_link in /*) t4a_self=$t4a_link ;; *) t4a_self=${t4a_self%/*}/$t4a_link ;; esac
done
t4a_self=${t4a_self%/*}
{ read -r t4a_arch </proc/sys/kernel/arch; } 2>/dev/null || t4a_arch=$(uname -sm)
case $t4a_arch in x86_64 | 'Linux x86_64') t4a_arch=x64 ;; aarch64 | 'Linux aarch64') t4a_arch=arm64 ;; esac
[ -x "$t4a_self/native/$t4a_arch/t4a" ] && exec "$t4a_self/native/$t4a_arch/t4a" "$@"
command -v node >/dev/null || { echo 't4a: This needs Node, and no "node" is on the PATH.' >&2 && exit 127; }
exec node "$t4a_self/cli.cjs" "$@"
