# zsh reads this file in place of ~/.zshenv, because ZDOTDIR says so. It puts ZDOTDIR back, reads the user's file, and
# from there on zsh finds the user's other files by itself.
#
# Tells the terminal where each command starts and ends (OSC 133) and which directory it is in (OSC 7), from hook
# functions, which see and leave $?, $_ and pipestatus as they are. The marks go to the terminal itself, wherever the output of the
# shell goes. Prompts are not touched. While a command runs, its end
# stands in PROMPT_EOL_MARK, which zsh expands before any hook of the user's: what such a hook prints is not the command's.

if [[ -n ${T4A_ZSH_ZDOTDIR+x} ]]; then
  ZDOTDIR=$T4A_ZSH_ZDOTDIR
else
  unset ZDOTDIR
fi
unset T4A_ZSH_ZDOTDIR

# The seed of the proofs of its marks: used here alone, known to nothing that this shell starts.
if [[ -n ${T4A_MARKS-} && -r $T4A_MARKS ]]; then
  () {
    setopt local_options no_all_export
    IFS=' ' read -r __t4a_a __t4a_b __t4a_c __t4a_d < $T4A_MARKS
  }
fi
unset T4A_MARKS

# In a function, `return` and `local` at the top of the user's file would mean something else.
if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
  . "${ZDOTDIR-$HOME}/.zshenv"
fi

if [[ -o interactive ]]; then
  # The options that the functions are written for, whatever the user sets, and no trace of them: a DEBUG trap comes after each
  # command, and none after the one that takes it away until the function returns.
  emulate zsh -o no_xtrace -o no_err_exit -o no_err_return -o no_unset -o no_aliases -o no_all_export -o extended_glob -o local_traps -o no_debug_before_cmd -c '
    typeset -gi __t4a_ran=0 __t4a_installed=0 __t4a_has_line_init=0 __t4a_prompted=0 __t4a_off=0 __t4a_last=1 __t4a_code=0 __t4a_number=0
    typeset -g __t4a_proof="" __t4a_eol="" __t4a_users_eol=""
    typeset -gi __t4a_had_eol=0

    # HalfSipHash, four rounds.
    __t4a_step() {
      local -i round
      for (( round = 0; round < 4; round++ )); do
        (( __t4a_a=(__t4a_a+__t4a_b)&0xffffffff, __t4a_b=((__t4a_b<<5|__t4a_b>>27)&0xffffffff)^__t4a_a,
           __t4a_a=(__t4a_a<<16|__t4a_a>>16)&0xffffffff, __t4a_c=(__t4a_c+__t4a_d)&0xffffffff,
           __t4a_d=((__t4a_d<<8|__t4a_d>>24)&0xffffffff)^__t4a_c, __t4a_a=(__t4a_a+__t4a_d)&0xffffffff,
           __t4a_d=((__t4a_d<<7|__t4a_d>>25)&0xffffffff)^__t4a_a, __t4a_c=(__t4a_c+__t4a_b)&0xffffffff,
           __t4a_b=((__t4a_b<<13|__t4a_b>>19)&0xffffffff)^__t4a_c,
           __t4a_c=(__t4a_c<<16|__t4a_c>>16)&0xffffffff ))
      done
    }

    # The marks of one prompt have one proof, the start of a command has another.
    __t4a_prove() {
      [[ -n ${__t4a_d-} ]] || return 0
      __t4a_step
      __t4a_proof=";proof=$((__t4a_a^__t4a_c)).$((__t4a_b^__t4a_d))"
    }

    if [[ -n ${__t4a_d-} ]]; then typeset -gi __t4a_a __t4a_b __t4a_c __t4a_d; fi

    # The terminal itself: its output may go elsewhere (exec >file), and the name of a builtin may be that of a function.
    __t4a_mark() {
      if (( ${+functions[builtin]} )); then
        \disable -f builtin
        builtin print -nr -- "$1" >/dev/tty
        \enable -f builtin
      else
        builtin print -nr -- "$1" >/dev/tty
      fi
      return 0
    } 2>/dev/null

    __t4a_preexec() {
      builtin trap - DEBUG
      (( __t4a_off == 0 )) || return 0
      __t4a_ran=1
      local line=${1[1,4096]}
      () {
        builtin setopt local_options no_multibyte
        line=${line//(#m)[^A-Za-z0-9_.\/:~-]/%${(l:2::0:)$(([##16]#MATCH))}}
      }
      __t4a_prove
      __t4a_mark $'"'\\e]133;C;aid='"'$$"$__t4a_proof;cmdline_url=$line"$'"'\\a'"'
      __t4a_prove
      __t4a_set_eol
      return 0
    }

    # Not if it is exported: a shell that inherits it would show it.
    __t4a_set_eol() {
      __t4a_eol=""
      [[ ${(t)PROMPT_EOL_MARK-} != *(export|readonly)* ]] || return 0
      __t4a_had_eol=${+PROMPT_EOL_MARK}
      __t4a_users_eol=${PROMPT_EOL_MARK-}
      __t4a_eol=$'"'%{\\e]133;D;%?;aid='"'"$$$__t4a_proof"$'"'\\a%}'"'${PROMPT_EOL_MARK-%B%S%#%s%b}
      typeset -g PROMPT_EOL_MARK=$__t4a_eol
    }

    # Puts it back, and says whether zsh has shown it.
    __t4a_unset_eol() {
      [[ -n $__t4a_eol && ${PROMPT_EOL_MARK-} == "$__t4a_eol" ]] || return 1
      if (( __t4a_had_eol )); then PROMPT_EOL_MARK=$__t4a_users_eol; else unset PROMPT_EOL_MARK; fi
      __t4a_eol=""
      [[ -o prompt_sp && -o prompt_cr ]]
    }

    __t4a_precmd() {
      builtin trap - DEBUG ${${__t4a_code::=$?}:+}
      local -i code=$__t4a_code
      (( __t4a_installed )) || __t4a_install
      # One that was added at the prompt.
      [[ ${preexec_functions[-1]-} == __t4a_preexec ]] || __t4a_hook
      (( __t4a_off )) && return 0
      __t4a_prompted=1
      __t4a_tell_prompt $code
      if (( ! __t4a_has_line_init )) || [[ ! -o zle ]]; then __t4a_tell_line early
      # A widget that was made at the prompt has taken the place of all hooks.
      elif [[ ${widgets[zle-line-init]-} != user:azhw:zle-line-init ]]; then
        builtin zstyle -d zle-line-init widgets
        __t4a_hook_line
      fi
      return 0
    }

    # $1: exit code of the last command, if one has run; empty if it is not known.
    __t4a_tell_prompt() {
      # The end of a command has the proof that was made with its start.
      (( __t4a_ran )) || __t4a_prove
      if __t4a_unset_eol; then :
      elif (( __t4a_ran )); then
        __t4a_mark $'"'\\e]133;D;'"'"$1;aid=$$$__t4a_proof"$'"'\\a'"'
      # Nothing ran, and the status is another, or the history has one line more: zsh could not read the line.
      elif [[ $1 == 1 && $__t4a_last != 1 ]] || (( __t4a_number && HISTCMD != __t4a_number )); then
        __t4a_mark $'"'\\e]133;D;1;aid='"'"$$$__t4a_proof;refused"$'"'\\a'"'
      fi
      __t4a_ran=0
      __t4a_last=${1:-1}
      __t4a_number=${HISTCMD:-0}
      __t4a_mark $'"'\\e]7;kitty-shell-cwd://'"'"${HOST-}${PWD//[[:cntrl:]]/?}"$'"'\\a\\e]133;A;aid='"'"$$$__t4a_proof"$'"'\\a'"'
      return 0
    }

    # Also run for the further lines of a command, and for vared, which are no prompts of a command.
    __t4a_tell_line() {
      builtin trap - DEBUG
      [[ ${CONTEXT-start} == start && __t4a_off -eq 0 ]] || return 0
      # Somebody has taken the hooks away.
      if (( ! __t4a_prompted )); then
        __t4a_hook
        __t4a_tell_prompt ""
        (( __t4a_off )) && return 0
      fi
      __t4a_prompted=0
      local held=""
      # What the shell itself has put there: history that is to be verified, print -z, a widget.
      [[ -n ${BUFFER-} ]] && held=";held"
      [[ ${1-} == early ]] && held=";early"
      __t4a_mark $'"'\\e]133;B;aid='"'"$$$__t4a_proof$held"$'"'\\a'"'
      return 0
    }

    # Late, so that a widget of the user is kept beside it. Without zle the mark comes before the prompt.
    __t4a_install() {
      __t4a_installed=1
      # All files of the user have been read, which may have set PATH anew.
      if [[ -n ${T4A_PATH_FIRST-} && ${path[1]-} != "$T4A_PATH_FIRST" ]]; then path=("$T4A_PATH_FIRST" $path); fi
      builtin unset T4A_PATH_FIRST
      __t4a_hook
      if builtin autoload -Uz add-zle-hook-widget 2>/dev/null && __t4a_hook_line; then
        # Behind all hooks: one of the user that fails would end the list, and one that comes later may put text there.
        functions[__t4a_line_hooks]=$functions[azhw:zle-line-init]
        azhw:zle-line-init() {
          __t4a_line_hooks "$@"
          __t4a_tell_line
        }
        __t4a_has_line_init=1
      fi
      return 0
    }

    # Hooks of a line are there as long as the list of zsh has one.
    __t4a_hook_line() {
      add-zle-hook-widget line-init __t4a_line_init 2>/dev/null
    }

    __t4a_line_init() {
      return 0
    }

    # Where both hooks cannot be had, none tells anything, and the script says why.
    __t4a_hook() {
      local hook name
      local -a functions
      for hook in precmd preexec; do
        name=${hook}_functions
        functions=()
      (( ${(P)+name} )) && functions=("${(@P)name}")
          # What hooks of the user print before a command, and after it, is not the command.
        if [[ $hook == preexec ]]; then
          [[ ${functions[-1]-} == __t4a_preexec ]] && continue
        elif (( ${functions[(I)__t4a_$hook]} )); then continue
        fi
        if [[ ${(tP)name-} == *readonly* ]]; then
          __t4a_off=1
          __t4a_prove
          __t4a_mark $'"'\\e]7777;shell;zsh'"'"$__t4a_proof;off=$name is readonly"$'"'\\a'"'
          return 0
        fi
        if [[ $hook == preexec ]]; then functions=(${functions:#__t4a_preexec} __t4a_preexec)
        else functions=(__t4a_$hook $functions)
        fi
        builtin set -A $name "${functions[@]}"
      done
      return 0
    }

    # At the first prompt, after all files of the user, which may have set the hooks anew.
    __t4a_first() {
      builtin trap - DEBUG
      (( __t4a_installed || __t4a_off )) || __t4a_precmd
    }

    __t4a_prove
    __t4a_hook
    if (( ! __t4a_off )); then
      __t4a_mark $'"'\\e]7777;shell;zsh'"'"$__t4a_proof"$'"'\\a'"'
      builtin zmodload zsh/sched 2>/dev/null && builtin sched +0 __t4a_first
    fi
  '
fi
