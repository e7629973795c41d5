# zsh reads this file in place of ~/.zshenv, because ZDOTDIR says so. It puts ZDOTDIR back, reads the user's file, and
# from there on zsh finds the user's other files by itself.
#
# Tells the terminal where each command starts and ends (OSC 133) and which directory it is in (OSC 7), from hook
# functions, which see and leave $?, $_ and pipestatus as they are. Prompts are not touched.

if [[ -n ${T4A_ZSH_ZDOTDIR+x} ]]; then
  ZDOTDIR=$T4A_ZSH_ZDOTDIR
else
  unset ZDOTDIR
fi
unset T4A_ZSH_ZDOTDIR

# In a function, `return` and `local` at the top of the user's file would mean something else.
if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
  . "${ZDOTDIR-$HOME}/.zshenv"
fi

if [[ -o interactive ]]; then
  # The options that the functions are written for, whatever the user sets, and no trace of them.
  emulate zsh -o no_xtrace -o no_err_exit -o no_err_return -o no_unset -o extended_glob -c '
    typeset -gi __t4a_ran=0 __t4a_installed=0 __t4a_has_line_init=0

    __t4a_preexec() {
      [[ -t 1 ]] || return 0
      __t4a_ran=1
      local line=${1[1,4096]}
      () {
        setopt local_options no_multibyte
        line=${line//(#m)[^A-Za-z0-9_.\/:~-]/%${(l:2::0:)$(([##16]#MATCH))}}
      }
      print -nr -- $'"'\\e]133;C;aid='"'$$";cmdline_url=$line"$'"'\\a'"'
      return 0
    }

    __t4a_precmd() {
      local -i code=$?
      [[ -t 1 ]] || return 0
      (( __t4a_installed )) || __t4a_install
      (( __t4a_ran )) && print -nr -- $'"'\\e]133;D;'"'"$code;aid=$$"$'"'\\a'"'
      __t4a_ran=0
      print -nr -- $'"'\\e]7;kitty-shell-cwd://'"'"${HOST-}${PWD//[[:cntrl:]]/?}"$'"'\\a\\e]133;A;aid='"'$$$'"'\\a'"'
      (( __t4a_has_line_init )) || __t4a_line_init
      return 0
    }

    # Also run for the further lines of a command, and for vared, which are no prompts of a command.
    __t4a_line_init() {
      [[ ${CONTEXT-start} == start ]] || return 0
      print -nr -- $'"'\\e]133;B;aid='"'$$$'"'\\a'"'
      return 0
    }

    # Late, so that a widget of the user is kept beside it. Without zle the mark comes before the prompt.
    __t4a_install() {
      __t4a_installed=1
      autoload -Uz add-zle-hook-widget 2>/dev/null &&
        add-zle-hook-widget line-init __t4a_line_init 2>/dev/null && __t4a_has_line_init=1
      return 0
    }
  '
  precmd_functions=(__t4a_precmd ${precmd_functions-})
  preexec_functions=(__t4a_preexec ${preexec_functions-})
  print -nr -- $'\e]7777;shell;zsh\a'
fi
