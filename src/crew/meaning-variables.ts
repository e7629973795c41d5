/**
 * Variables that change what a program is, or what it runs besides: trust in a preset says nothing of it with others. Prefixes end in
 * "*". A program may have further ones of its own, which a preset that is trusted is then one of.
 */
const CHANGES_MEANING: readonly string[] = [
  // Where programs, their libraries and their settings are found.
  ...[
    'PATH',
    'HOME',
    'SHELL',
    'XDG_*',
    'CDPATH',
    'LD_*',
    'DYLD_*',
    'GLIBC_TUNABLES',
    'GCONV_PATH',
    'LOCPATH',
    'OPENSSL_*',
  ],
  // What shells run by themselves.
  ...[
    'ENV',
    'BASH_*',
    'BASHOPTS',
    'SHELLOPTS',
    'PROMPT_COMMAND',
    'PS0',
    'PS1',
    'PS2',
    'PS4',
    'IFS',
    'ZDOTDIR',
    'FPATH',
  ],
  // What interpreters and build tools load or run.
  ...['NODE_*', 'NPM_*', 'YARN_*', 'PNPM_*', 'BUN_*', 'DENO_*', 'PYTHON*', 'PIP_*', 'UV_*', 'VIRTUAL_ENV', 'CONDA_*'],
  ...['PERL*', 'RUBY*', 'GEM_*', 'BUNDLE_*', 'PHP*', 'LUA_*', 'R_*', 'JULIA_*', 'TCL*', 'ERL_*', 'ELIXIR_*', 'GUILE_*'],
  ...['JAVA_*', '_JAVA_*', 'JDK_*', 'CLASSPATH', 'MAVEN_*', 'GRADLE_*', 'DOTNET_*', 'CORECLR_*', 'GO*', 'CGO_*'],
  ...['CARGO_*', 'RUST*', 'CC', 'CXX', 'CPP', 'LD', 'AR', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'MAKE*', 'CMAKE_*'],
  // What other programs start.
  ...[
    'GIT_*',
    'SSH_*',
    'SUDO_*',
    'EDITOR',
    'VISUAL',
    '*_EDITOR',
    'PAGER',
    '*PAGER',
    'LESS',
    'LESS*',
    'BROWSER',
    'MAILER',
  ],
  ...[
    'DOCKER_*',
    'KUBECONFIG',
    'TAR_OPTIONS',
    'RSYNC_RSH',
    'CVS_RSH',
    'TMUX_*',
    'SCREENRC',
    'VIMINIT',
    'EXINIT',
    'EMACS*',
  ],
  // Whose terminal, and which daemon and crew it is of.
  'T4A_*',
];

const PATTERNS = CHANGES_MEANING.map((name) => new RegExp(`^${name.replaceAll('*', '.*')}$`, 'i'));

/** Those of them that do, whichever case they are written in: what reads them may not care. */
export function meaningVariables(env: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(env).filter((name) => PATTERNS.some((pattern) => pattern.test(name)));
}
