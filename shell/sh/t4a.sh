# Tells the terminal its prompts, the status of what ran before them (OSC 133) and its directory (OSC 7).
#
# dash, busybox's ash, mksh, ksh93 and bash as sh read this file as $ENV, after the profile if it is a login shell. It
# reads the user's own file first: the one that $ENV named, or the one that the shell reads without an $ENV.
#
# These shells have no hook before a command, so no start is told ("starts=none"): who reads the marks sees it on the
# screen. PS1 and PS2 get invisible marks around them, which the shell itself expands, and are exported no more. A PS1
# that is set later has no marks, and tells nothing; what is put before it (a virtual environment) is told with the end of a
# command, as it stands in PS1 up to the first control character.

# The seed of the proofs of its marks: used here alone, known to nothing that this shell starts. It is never set again, so that
# a later `set -a` exports none of it.
__t4a_all=
case $- in *a*) set +a; __t4a_all=1 ;; esac
__t4a_d=
if [ -n "${T4A_MARKS-}" ] && [ -r "$T4A_MARKS" ]; then
  IFS=' ' read -r __t4a_a __t4a_b __t4a_c __t4a_d <"$T4A_MARKS" || :
fi
unset T4A_MARKS
if [ -n "$__t4a_all" ]; then set -a; fi

if [ -n "${T4A_SH_ENV+x}" ]; then
  ENV=$T4A_SH_ENV
  case $ENV in
    *\"*) __t4a_file=$ENV ;;
    *) eval "__t4a_file=\"$ENV\"" ;;
  esac
else
  unset ENV
  case ${KSH_VERSION-} in
    *MIRBSD* | *LEGACY*) __t4a_file=${HOME-}/.mkshrc ;;
    # ksh93, which tells its programs nothing of it.
    ?*) ENV=${HOME-}/.kshrc __t4a_file=${HOME-}/.kshrc ;;
    *) __t4a_file= ;;
  esac
fi
__t4a_name=${T4A_SH-sh}
unset T4A_SH T4A_SH_ENV

# "command": a mistake in that file ends the file, and not this one, too.
if [ -r "$__t4a_file" ] && [ ! -d "$__t4a_file" ]; then command . "$__t4a_file" || :; fi

# The profile sets PATH anew. A DEBUG trap of the user's is not heard for this.
{ if \[ -n "${T4A_PATH_FIRST-}" ]; then
  case $PATH in "$T4A_PATH_FIRST":*) ;; *) PATH=$T4A_PATH_FIRST:$PATH ;; esac
  \unset T4A_PATH_FIRST
fi; } >/dev/null 2>&1

# In a subshell: to set what is readonly would end this file. ESC, BEL, SOH, CR.
__t4a_bytes=$(\unset PS1 PS2 2>/dev/null && \printf '\033\007\001\015:') || :
if \[ -z "$__t4a_bytes" ]; then
  \printf '\033]7777;shell;%s;off=PS1 or PS2 is readonly\007' "$__t4a_name" >&2 || :
else
  __t4a_osc=${__t4a_bytes%????}']'
  __t4a_bel=${__t4a_bytes#?}
  __t4a_bel=${__t4a_bel%???}
  # ksh93 sets its own after this file.
  if \[ -n "${PS1+x}" ]; then __t4a_ps1=$PS1
  elif \[ "$(id -u)" = 0 ]; then __t4a_ps1='# '
  else __t4a_ps1='$ '
  fi
  __t4a_ps2=${PS2-> }
  # What a line editor must not count, each in its own spelling.
  __t4a_lead= __t4a_open= __t4a_close=
  if \[ -n "${BASH_VERSION-}" ] || \[ "$__t4a_name" = busybox ]; then
    __t4a_open='\[' __t4a_close='\]'
  else
    case ${KSH_VERSION-} in
      *MIRBSD* | *LEGACY*)
        __t4a_lead=${__t4a_bytes#??}
        __t4a_lead=${__t4a_lead%:}
        __t4a_cr=${__t4a_lead#?}
        # The user's may have a delimiter of its own.
        case $__t4a_ps1 in
          ?"$__t4a_cr"*)
            __t4a_lead=${__t4a_ps1%"${__t4a_ps1#??}"}
            __t4a_ps1=${__t4a_ps1#??}
            ;;
        esac
        case $__t4a_ps2 in
          ?"$__t4a_cr"*) __t4a_ps2=${__t4a_ps2#??} ;;
        esac
        __t4a_open=${__t4a_lead%?}
        __t4a_close=$__t4a_open
        \unset __t4a_cr
        ;;
    esac
  fi
  # HalfSipHash of a count (one round, three more), in an option that says nothing: a pattern is expanded without being shown. What is
  # set at each prompt is exported after `set -a`: the count, the proof, and nothing that the seed could be computed from.
  __t4a_step= __t4a_proof=
  if \[ -n "$__t4a_d" ]; then
    __t4a_round='$((__t4a_w=(__t4a_w+__t4a_x)&0xffffffff))$((__t4a_x=((__t4a_x<<5|(__t4a_x>>27&31))&0xffffffff)^__t4a_w))'
    __t4a_round=$__t4a_round'$((__t4a_w=(__t4a_w<<16|(__t4a_w>>16&65535))&0xffffffff))'
    __t4a_round=$__t4a_round'$((__t4a_y=(__t4a_y+__t4a_z)&0xffffffff))'
    __t4a_round=$__t4a_round'$((__t4a_z=((__t4a_z<<8|(__t4a_z>>24&255))&0xffffffff)^__t4a_y))'
    __t4a_round=$__t4a_round'$((__t4a_w=(__t4a_w+__t4a_z)&0xffffffff))'
    __t4a_round=$__t4a_round'$((__t4a_z=((__t4a_z<<7|(__t4a_z>>25&127))&0xffffffff)^__t4a_w))'
    __t4a_round=$__t4a_round'$((__t4a_y=(__t4a_y+__t4a_x)&0xffffffff))'
    __t4a_round=$__t4a_round'$((__t4a_x=((__t4a_x<<13|(__t4a_x>>19&8191))&0xffffffff)^__t4a_y))'
    __t4a_round=$__t4a_round'$((__t4a_y=(__t4a_y<<16|(__t4a_y>>16&65535))&0xffffffff))'
    __t4a_step='$((__t4a_n=__t4a_n+1))$((__t4a_w=__t4a_a))$((__t4a_x=__t4a_b))$((__t4a_y=__t4a_c))$((__t4a_z=__t4a_d^__t4a_n))'
    __t4a_step=$__t4a_step$__t4a_round'$((__t4a_w=__t4a_w^__t4a_n))$((__t4a_y=__t4a_y^255))'
    __t4a_step=$__t4a_step$__t4a_round$__t4a_round$__t4a_round'$((__t4a_p=__t4a_w^__t4a_y))$((__t4a_q=__t4a_x^__t4a_z))'
    __t4a_step=$__t4a_step'$((__t4a_w=0))$((__t4a_x=0))$((__t4a_y=0))$((__t4a_z=0))'
    __t4a_step=$__t4a_osc'7777;prove;${__t4a_none#'$__t4a_step'}'$__t4a_bel
    __t4a_proof=';proof=$__t4a_p.$__t4a_q'
  fi
  # Not exported, so that the marks are nothing in another shell: dash goes on exporting a PS1 that it was given.
  __t4a_all=
  case $- in *a*) set +a; __t4a_all=1 ;; esac
  \unset PS1 PS2 __t4a_on __t4a_prompted
  __t4a_on= __t4a_none=: __t4a_n=0
  PS1=$__t4a_lead$__t4a_open'${__t4a_on+'$__t4a_step'${__t4a_prompted+'$__t4a_osc'133;D;$?;aid='$$$__t4a_proof';before=${PS1%%[[:cntrl:]]*}'$__t4a_bel'}${__t4a_prompted=}'
  PS1=$PS1$__t4a_osc'7;kitty-shell-cwd://${HOSTNAME-}${PWD##*[[:cntrl:]]*}'$__t4a_bel$__t4a_osc'133;A;aid='$$$__t4a_proof$__t4a_bel
  PS1=$PS1'}'$__t4a_close$__t4a_ps1$__t4a_open'${__t4a_on+'$__t4a_osc'133;B;aid='$$$__t4a_proof$__t4a_bel'}'$__t4a_close
  # ksh and mksh expand no PS2: they have no proofs there.
  case $__t4a_name in *ksh*)
    PS2=$__t4a_lead$__t4a_open$__t4a_osc'133;P;k=s;aid='$$$__t4a_bel$__t4a_close$__t4a_ps2
    PS2=$PS2$__t4a_open$__t4a_osc'133;P;k=s;at=end;aid='$$$__t4a_bel$__t4a_close
    ;;
  *)
    PS2=$__t4a_open'${__t4a_on+'$__t4a_step$__t4a_osc'133;P;k=s;aid='$$$__t4a_proof$__t4a_bel'}'$__t4a_close$__t4a_ps2
    PS2=$PS2$__t4a_open'${__t4a_on+'$__t4a_step$__t4a_osc'133;P;k=s;at=end;aid='$$$__t4a_proof$__t4a_bel'}'$__t4a_close
    ;;
  esac
  # Announced with a proof as well.
  if \[ -n "$__t4a_d" ]; then eval ": \"$__t4a_step\"; __t4a_proof=\"$__t4a_proof\""; fi
  \printf '\033]7777;shell;%s;starts=none;aid=%s%s\007' "$__t4a_name" "$$" "$__t4a_proof" >&2 || :
  \unset __t4a_step __t4a_round __t4a_proof __t4a_osc __t4a_bel __t4a_ps1 __t4a_ps2 __t4a_lead __t4a_open __t4a_close
  if \[ -n "$__t4a_all" ]; then set -a; fi
fi
\unset __t4a_bytes __t4a_name __t4a_file __t4a_all
