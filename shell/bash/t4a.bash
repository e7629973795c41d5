# Tells the terminal where each command starts and ends (OSC 133) and which directory it is in (OSC 7).
#
# bash reads this file in place of ~/.bashrc (--rcfile), or as $ENV in POSIX mode for a login shell, which reads no
# --rcfile, and wherever the environment asks for that mode. It reads the user's own files first, exactly those that bash would have read. It needs bash 4.4 (PS0).
#
# What it leaves alone: $?, $_, PIPESTATUS (but for a PROMPT_COMMAND of the user's after a pipeline whose last status is 2
# or more, of which it has the last one), the history, and what is shown. It runs no command of its own before the user's; PS0
# alone says that one starts. A PROMPT_COMMAND of the user's gets a line before it, which says that the command has ended: what
# it prints is not the command's. PS1 gets an invisible mark at its end, unless it is exported: a program that
# inherits it would show or repeat it. Then the mark comes before the prompt. PS2 gets one at its start, as bytes, since
# `read` prints PS2 as it stands. A DEBUG trap of the user's sees one more command of PROMPT_COMMAND, which prints nothing then, but
# never as the last one; where there is no PROMPT_COMMAND, it sees none, and PS1 says everything. So it does where the user has
# dropped the script's PROMPT_COMMAND (unset, an array of theirs).
#
# What cannot be set (readonly) is left as it is. Where the end of a command cannot be told, its start is not told
# either: then the script says why, and nothing else.

# The seed of the proofs of its marks: used here alone, known to nothing that this shell starts.
__t4a_a= __t4a_b= __t4a_c= __t4a_d=
if [[ -n ${T4A_MARKS-} && -r $T4A_MARKS ]]; then
  IFS=' ' read -r __t4a_a __t4a_b __t4a_c __t4a_d < "$T4A_MARKS"
fi
unset T4A_MARKS

if [[ -n ${T4A_BASH_POSIX+x} ]]; then
  # POSIX mode was asked for (POSIXLY_CORRECT, SHELLOPTS): it stays, and of the user's files $ENV alone is read.
  if [[ -n ${T4A_BASH_ENV+x} ]]; then ENV=$T4A_BASH_ENV; else unset ENV; fi
  unset T4A_BASH_POSIX T4A_BASH_ENV
  if [[ -n ${ENV-} ]]; then
    __t4a_file=$ENV
    if [[ $ENV != *\"* ]]; then eval "__t4a_file=\"$ENV\""; fi
    if [[ -r $__t4a_file ]]; then . "$__t4a_file"; fi
    unset __t4a_file
  fi
elif [[ -n ${T4A_BASH_LOGIN+x} ]]; then
  set +o posix
  shopt -u inherit_errexit shift_verbose
  HISTFILE=~/.bash_history
  if [[ -n ${T4A_BASH_ENV+x} ]]; then ENV=$T4A_BASH_ENV; else unset ENV; fi
  unset T4A_BASH_LOGIN T4A_BASH_ENV
  if [[ -r /etc/profile ]]; then . /etc/profile; fi
  if [[ -r ~/.bash_profile ]]; then . ~/.bash_profile
  elif [[ -r ~/.bash_login ]]; then . ~/.bash_login
  elif [[ -r ~/.profile ]]; then . ~/.profile
  fi
elif [[ -r ~/.bashrc ]]; then
  . ~/.bashrc
fi
# /etc/profile sets PATH anew. A DEBUG trap of the user's is not heard for this.
{ if [[ -n ${T4A_PATH_FIRST-} ]]; then
  if [[ $PATH != "$T4A_PATH_FIRST":* ]]; then PATH=$T4A_PATH_FIRST:$PATH; fi
  \builtin unset T4A_PATH_FIRST
fi; } >/dev/null 2>&1

# The functions below write to descriptor 3, the terminal itself, wherever the output of the shell goes, with their own output
# turned off: a DEBUG or RETURN trap of the user's that prints, or sets the title, is not heard for them.

# What is defined below means what it says, whatever aliases there are, and is not exported.
{ case $- in *a*) __t4a_all=1 ;; *) __t4a_all= ;; esac; \builtin set +a; } >/dev/null 2>&1
{ \builtin shopt -q expand_aliases && __t4a_aliases=-s || __t4a_aliases=-u; \builtin shopt -u expand_aliases; } >/dev/null 2>&1

# In a subshell, when a command has been read and before it runs; behind what PS0 of the user's prints. Its line is the last one of the history, if the history
# has one more than at the prompt: a line may be kept out of it. With erasedups the numbers tell nothing.
__t4a_start() {
  # What PS0 prints goes where the errors of the shell go.
  if [[ -t 4 ]]; then __t4a_tell_start; else __t4a_tell_start 3>/dev/tty; fi
}

__t4a_tell_start() {
  local line
  # With a function of this name nothing of the script would be told; this is a subshell.
  if declare -F builtin; then unset -f builtin; fi >/dev/null 2>&1
  line=$(HISTTIMEFORMAT= builtin history 1)
  builtin printf '\e]133;C;aid=%s' "$$" >&3
  if [[ -n $__t4a_proofs ]]; then builtin printf ';proof=%s.%s' "$((__t4a_a^__t4a_c))" "$((__t4a_b^__t4a_d))" >&3; fi
  if [[ $line =~ ^\ *([0-9]+)[*\ ]\ (.*)$ && ${BASH_REMATCH[1]} != "$__t4a_number" &&
    ${HISTCONTROL-} != *erasedups* && -o history ]]; then
    builtin printf ';cmdline=%q' "${BASH_REMATCH[2]:0:4096}" >&3
  fi
  builtin printf '\a' >&3
}

# Before a PROMPT_COMMAND of the user's, which gets the $? and, by __t4a_pipes, the PIPESTATUS that it would have.
__t4a_first() {
  local status=$? pipes=("${PIPESTATUS[@]}") at list=
  local -
  # Nothing of it is exported.
  builtin set +a
  __t4a_one= __t4a_pipes=0
  __t4a_tell_end "$status"
  __t4a_told=1
  if [[ -n $__t4a_early ]]; then __t4a_prompt; fi
  if (( ${#pipes[@]} < 2 || status > 1 )); then return "$status"; fi
  for at in "${!pipes[@]}"; do list+=",PIPESTATUS[$at]=${pipes[at]}"; done
  __t4a_pipes=0$list
  if (( status )); then __t4a_one=one; fi
}

# $1: the status of what ran.
__t4a_tell_end() {
  local status=$1
  __t4a_prompt_proof=
  if [[ -n $__t4a_proofs ]]; then
    __t4a_prompt_proof=$((__t4a_proofs))
    __t4a_prompt_proof=";proof=$__t4a_k1.$__t4a_k2"
  fi
  if [[ -t 3 ]]; then
    local ran=
    # A start that PS0 could not tell (promptvars is off, or PS0 was set): the number of the commands has grown.
    if (( ! __t4a_ran )) && [[ ${__t4a_hash@P} != "$__t4a_count" ]]; then __t4a_ran=1 ran=';alone'; fi
    if (( __t4a_ran )); then builtin printf '\e]133;D;%s;aid=%s%s%s\a' "$status" "$$" "$__t4a_prompt_proof" "$ran" >&3
    # Nothing ran, and the status is another: bash could not read the line.
    # A line that it has kept in the history says so, too.
    elif (( status == 2 )) && { (( __t4a_last != 2 )) || [[ ${HISTCMD-} == +([0-9]) && $(( HISTCMD - 1 )) != "$__t4a_number" ]]; }; then builtin printf '\e]133;D;2;aid=%s%s;refused\a' "$$" "$__t4a_prompt_proof" >&3
    fi
  fi
  __t4a_last=$status
  __t4a_ran=0
  __t4a_count=${__t4a_hash@P}
}

__t4a_prompt() {
  local status=$? -
  builtin set +a
  if (( ! __t4a_told )); then __t4a_tell_end "$status"; fi
  __t4a_told=0
  # HISTCMD is the number of the next line. \! is so too, outside of a prompt only before bash 5.2.
  if [[ ${HISTCMD-} == +([0-9]) ]]; then __t4a_number=$(( HISTCMD - 1 )); else __t4a_number=$(( ${__t4a_bang@P} - 1 )); fi
  if [[ -t 3 ]]; then
    builtin printf '\e]7;kitty-shell-cwd://%s%s\a\e]133;A;aid=%s%s\a' "$HOSTNAME" "${PWD//[[:cntrl:]]/?}" "$$" "$__t4a_prompt_proof" >&3
  fi
  __t4a_mark_prompts
  if [[ -t 3 && ${PS1-} != *"$__t4a_suffix" ]]; then builtin printf '\e]133;B;aid=%s%s;early\a' "$$" "$__t4a_prompt_proof" >&3; fi
  # It is set anew at the prompt, or by itself.
  if [[ -z $__t4a_early && -n ${PROMPT_COMMAND-} && $PROMPT_COMMAND != *__t4a_* ]]; then __t4a_go_first; fi
  return 0
}

# Where it cannot be set, what it prints counts as the command's.
__t4a_go_first() {
  if __t4a_can_set PROMPT_COMMAND; then PROMPT_COMMAND=$__t4a_before$'\n'${PROMPT_COMMAND-}; fi
}

__t4a_ps1_is_shared() {
  [[ -z ${PS1+x} || ${PS1@a} == *x* ]]
}

# Themes set PS1 anew, people set PS0: what is missing is put back.
__t4a_mark_prompts() {
  local ps1=${PS1-} ps0=${PS0-}
  ps1=${ps1//"$__t4a_suffix"/}
  if [[ -n $__t4a_prefix ]]; then ps1=${ps1//"$__t4a_prefix"/}; fi
  if __t4a_ps1_is_shared; then :
  elif builtin shopt -q promptvars; then ps1=$__t4a_prefix$ps1$__t4a_suffix
  elif [[ -z $__t4a_proofs ]]; then ps1=$ps1$__t4a_suffix
  fi
  if [[ $ps1 != "${PS1-}" ]] && __t4a_can_set PS1; then PS1=$ps1; fi
  __t4a_mark_more
  if ! builtin shopt -q promptvars; then
    ps0=${ps0//"$__t4a_output"/}
  elif [[ $ps0 != *"$__t4a_output" ]]; then
    ps0=${ps0//"$__t4a_output"/}$__t4a_output
  fi
  if [[ $ps0 != "${PS0-}" ]] && __t4a_can_set PS0; then PS0=$ps0; fi
}

# The prompt for the rest of a command that follows one on the same line: the output of that one has ended.
__t4a_mark_more() {
  local ps2=${PS2-}
  ps2=${ps2//"$__t4a_more"/}
  if builtin shopt -q promptvars && [[ -n ${PS2+x} && ${PS2@a} != *x* ]]; then ps2=$__t4a_more$ps2; fi
  if [[ $ps2 != "${PS2-}" ]] && __t4a_can_set PS2; then PS2=$ps2; fi
}

# To set what is readonly would end all that runs; in a subshell it is tried out.
__t4a_can_set() {
  (builtin unset -v "$1") 2>/dev/null
}

# Why commands cannot be told, if so. $1: the DEBUG trap.
__t4a_obstacle() {
  if (( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404 )); then
    builtin printf 'bash %s is older than 4.4' "$BASH_VERSION"
  elif ! __t4a_can_set PS0; then
    builtin printf 'PS0 is readonly'
  elif [[ -z $1 || -n ${PROMPT_COMMAND[*]-} ]]; then
    if ! __t4a_can_set PROMPT_COMMAND; then builtin printf 'PROMPT_COMMAND is readonly'; fi
  elif ! __t4a_can_set PS1; then
    builtin printf 'PS1 is readonly, and there is a DEBUG trap'
  elif __t4a_ps1_is_shared; then
    builtin printf 'PS1 is exported, and there is a DEBUG trap'
  fi
}

# In a function the DEBUG trap does not show: it is the argument.
__t4a_install() {
  local obstacle proof= -
  builtin set +a
  # HalfSipHash, four rounds: the proof of the prompt's marks, and one more step for that of the start.
  __t4a_proofs= __t4a_proof=
  # Arrays are never exported: PS0 and PS1 set these where `set -a` may be on.
  __t4a_a=("$__t4a_a") __t4a_b=("$__t4a_b") __t4a_c=("$__t4a_c") __t4a_d=("$__t4a_d") __t4a_k1=() __t4a_k2=()
  __t4a_ran=(0) __t4a_number=('')
  if [[ -n $__t4a_d ]]; then
    __t4a_round='__t4a_a=(__t4a_a+__t4a_b)&0xffffffff,__t4a_b=((__t4a_b<<5|__t4a_b>>27)&0xffffffff)^__t4a_a'
    __t4a_round+=',__t4a_a=(__t4a_a<<16|__t4a_a>>16)&0xffffffff,__t4a_c=(__t4a_c+__t4a_d)&0xffffffff'
    __t4a_round+=',__t4a_d=((__t4a_d<<8|__t4a_d>>24)&0xffffffff)^__t4a_c,__t4a_a=(__t4a_a+__t4a_d)&0xffffffff'
    __t4a_round+=',__t4a_d=((__t4a_d<<7|__t4a_d>>25)&0xffffffff)^__t4a_a,__t4a_c=(__t4a_c+__t4a_b)&0xffffffff'
    __t4a_round+=',__t4a_b=((__t4a_b<<13|__t4a_b>>19)&0xffffffff)^__t4a_c'
    __t4a_round+=',__t4a_c=(__t4a_c<<16|__t4a_c>>16)&0xffffffff'
    __t4a_step='__t4a_round,__t4a_round,__t4a_round,__t4a_round'
    __t4a_proofs='__t4a_step,__t4a_k1=__t4a_a^__t4a_c,__t4a_k2=__t4a_b^__t4a_d,__t4a_step'
    __t4a_proof=';proof=${__t4a_k1}.${__t4a_k2}'
    proof=$((__t4a_proofs))
    proof=";proof=$__t4a_k1.$__t4a_k2"
  fi
  obstacle=$(__t4a_obstacle "$1")
  if [[ -n $obstacle ]]; then
    builtin printf '\e]7777;shell;bash%s;off=%s\a' "$proof" "$obstacle" >&3
    return 0
  fi
  __t4a_none=
  __t4a_bang='\!'
  __t4a_hash='\#'
  __t4a_count=("${__t4a_hash@P}") __t4a_last=(2) __t4a_at=(0)
  __t4a_told=0
  __t4a_early=
  __t4a_end=('' $'\e]133;D;@\a' $'\e]133;D;@;alone\a')
  __t4a_prefix=
  __t4a_suffix="\[\e]133;B;aid=$$$__t4a_proof\a\]"
  __t4a_more=$'\001\e]133;P;k=s;aid='$$$proof$'\a\002'
  __t4a_output='${__t4a_none:$((__t4a_ran=1)):0}$({ __t4a_start; } 3>&1 4>&2 >/dev/null 2>&1)'
  # As parameters: they expand to nothing in a shell that inherits PROMPT_COMMAND, but not the functions; quoted, whatever IFS is. Spelt as bash
  # spells commands itself, for traps that compare BASH_COMMAND with PROMPT_COMMAND. The last command must not be one that sets PIPESTATUS.
  __t4a_starting='__t4a_first'
  __t4a_hook='__t4a_prompt'
  __t4a_before='{ ${__t4a_starting:+"$__t4a_starting"} && case ${__t4a_one-}$((${__t4a_pipes-0})) in one*) ! case . in esac ;; esac; } 2> /dev/null 3> /dev/tty > /dev/null'
  __t4a_last_of_all='{ ${__t4a_hook:+"$__t4a_hook"}; } 2> /dev/null 3> /dev/tty > /dev/null'
  local version=$(( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] ))
  if [[ -n $1 ]]; then
    if [[ -z ${PROMPT_COMMAND[*]-} ]]; then
      __t4a_prefix='\[${__t4a_none:$((${__t4a_proofs:-0},0)):0}${__t4a_end[__t4a_ran]/@/$?;aid='$$$__t4a_proof'}'
      __t4a_prefix+='${__t4a_none:$((__t4a_ran=0)):0}${__t4a_none:$((__t4a_number=\!-1)):0}'
      __t4a_prefix+='\e]7;kitty-shell-cwd://$HOSTNAME${PWD//[[:cntrl:]]/?}\a\e]133;A;aid='$$$__t4a_proof'\a\]'
      __t4a_mark_prompts
    else
      __t4a_early=1
      PROMPT_COMMAND=$__t4a_before$'\n'$PROMPT_COMMAND
    fi
  elif [[ -z ${PROMPT_COMMAND+x} && version -ge 501 ]]; then
    PROMPT_COMMAND[1]=$__t4a_last_of_all
  elif [[ version -ge 501 && ${PROMPT_COMMAND@a} != *x* ]]; then
    if [[ -n ${PROMPT_COMMAND[*]-} ]]; then PROMPT_COMMAND=$__t4a_before$'\n'${PROMPT_COMMAND-}; fi
    PROMPT_COMMAND+=("$__t4a_last_of_all")
  else
    PROMPT_COMMAND=$__t4a_before$'\n'${PROMPT_COMMAND-}$'\n'$__t4a_last_of_all
  fi
  if [[ -z $__t4a_prefix ]]; then __t4a_watch_hook; fi
  builtin printf '\e]7777;shell;bash%s\a' "$proof" >&3
}

# PS1 sees whether the script's part of PROMPT_COMMAND is gone (`__t4a_kept` has no such key) and a command has run: then it says what that would have
# said. If PS0 is gone, too, the number of the commands has grown.
__t4a_watch_hook() {
  local places=("${!PROMPT_COMMAND[@]}") if_ran='${__t4a_none:$(((__t4a_ran=__t4a_ran?1:__t4a_count-\#?2:0)?(' or_not=',0):0)):0}'
  __t4a_at=${places[-1]-0}
  declare -gA __t4a_kept=([kp]=)
  __t4a_prefix='\[${__t4a_kept[k${PROMPT_COMMAND[__t4a_at]+p${PROMPT_COMMAND[__t4a_at]##*__t4a_*}}]-'
  __t4a_prefix+=$if_ran'${__t4a_proofs:-0},__t4a_number=\!-1,__t4a_count=\#,__t4a_last=$?'$or_not
  __t4a_prefix+='${__t4a_end[__t4a_ran]/@/$?;aid='$$$__t4a_proof'}${__t4a_end[__t4a_ran]:+'
  __t4a_prefix+='\e]7;kitty-shell-cwd://$HOSTNAME${PWD//[[:cntrl:]]/?}\a\e]133;A;aid='$$$__t4a_proof'\a}'
  __t4a_prefix+='${__t4a_none:$((__t4a_ran=0)):0}}\]'
}

# In a group, so that a DEBUG trap of the user's that prints is not heard.
{ __t4a_install "$(builtin trap -p DEBUG)"; } 2>/dev/null 3>/dev/tty >/dev/null
{ builtin shopt "$__t4a_aliases" expand_aliases; builtin unset -v __t4a_aliases; } >/dev/null 2>&1
{ if [[ -n $__t4a_all ]]; then builtin set -a; fi; builtin unset -v __t4a_all; } >/dev/null 2>&1
