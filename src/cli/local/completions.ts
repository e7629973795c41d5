/** Completion scripts: each hands the words to `t4a complete`, so that they never grow old. */
import { T4aError } from '../../protocol/errors.js';
import type { LocalCommand } from './local-command.js';

export const printCompletions: LocalCommand = ({ options }, host) => {
  const script = SCRIPTS[String(options['shell'])];
  if (script === undefined) {
    throw new T4aError('usage', `There are no completions for ${String(options['shell'])}.`, {
      hint: `One of: ${Object.keys(SCRIPTS).join(', ')}.`,
    });
  }
  host.out(script);
  return 0;
};

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# eval "$(t4a completions bash)"
_t4a() {
  COMPREPLY=()
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done \\
    < <(t4a complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _t4a t4a
`,
  zsh: `#compdef t4a
# eval "$(t4a completions zsh)"
_t4a() {
  local -a candidates
  candidates=("\${(@f)$(t4a complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=(\${candidates:#})
  if (( \${#candidates} )); then compadd -M 'm:{a-zA-Z}={A-Za-z}' -a candidates; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -D }
compdef _t4a t4a
`,
  fish: `# t4a completions fish | source
# Files are offered only where t4a has nothing to offer.
function __t4a_has_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -g __t4a_candidates (t4a complete -- $words[2..-1] 2>/dev/null)
    test (count $__t4a_candidates) -gt 0
end
complete -c t4a -n __t4a_has_candidates -f -a '$__t4a_candidates'
`,
};
