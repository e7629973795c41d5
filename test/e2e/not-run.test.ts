/** Of a line that has run, `run` never says `not_run`, and a wait never `nothing_ran`: also where its marks are gone. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { needs, requireProgram } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

/** In a home that can be written zsh asks a new user what its files shall say. */
const NO_HOME = '/dev/null/home';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: NO_HOME, XDG_CONFIG_HOME: NO_HOME } });
});
afterAll(() => daemon.stop());

/** Typed first: each takes marks away, or sends them elsewhere. */
const POSIX = ["PS1='$ '", "PS1=''", 'exec 2>/dev/null', 'exec > /dev/null 2>&1', 'set -x', 'set -v', 'stty -echo'];
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  bash: [
    ...POSIX,
    'PROMPT_COMMAND=',
    'unset PROMPT_COMMAND PS0',
    'unset PROMPT_COMMAND',
    'unset PROMPT_COMMAND PS0; PS1="> "',
    'unset PROMPT_COMMAND; shopt -u promptvars',
    'unset PROMPT_COMMAND PS0; set -o posix',
    "PROMPT_COMMAND='clear'",
    'shopt -u promptvars',
    'shopt -u promptvars; PROMPT_COMMAND=; PS0=',
    'trap - DEBUG; PS0=; PROMPT_COMMAND=; PS1="> "',
    'exec > >(cat)',
    'exec 2> >(cat >&1)',
    'set -o posix',
    'set +o emacs',
    'builtin() { return 1; }; printf() { :; }',
    'readonly PS1 PROMPT_COMMAND',
    'bind "set enable-bracketed-paste off"',
  ],
  zsh: [
    ...POSIX,
    'precmd_functions=() preexec_functions=()',
    "precmd_functions=() preexec_functions=() PS1='> '",
    'unsetopt zle',
    'emulate sh',
    'setopt hist_verify',
    'exec > >(cat)',
    'builtin() { return 1; }; print() { :; }; printf() { :; }',
    'zle-line-init() { zle redisplay }; zle -N zle-line-init',
  ],
  fish: [
    'functions -e fish_prompt',
    'function fish_prompt; end',
    "function fish_prompt; echo '> '; end",
    'for f in (functions -a | string match "*t4a*"); functions -e $f; end',
    'set -g fish_handle_reflow 0; stty -echo',
    'function printf; end; function echo; end',
  ],
  dash: POSIX,
  mksh: POSIX,
  ksh93: POSIX,
};

/** FILE is made by each. */
const LINES = [
  ': > FILE',
  'echo out; : > FILE',
  ': > FILE; false',
  '(: > FILE) &',
  ': > FILE; clear',
  ": > FILE; /usr/bin/printf '\\r\\033[K'",
  ": > FILE; /usr/bin/printf '\\033[A\\r\\033[J'",
  ": > FILE; /usr/bin/printf '$ '",
  ': > FILE; cd /',
  ': > FILE; sleep 0.2',
];
const FISH_LINES = LINES.map((line) =>
  line.replace(': > FILE', 'command touch FILE').replace('(command touch FILE) &', 'command touch FILE &'),
);

const IN_SUITE: readonly string[] = [
  'bash: unset PROMPT_COMMAND PS0',
  'bash: exec > >(cat)',
  'fish: function fish_prompt; end',
];

const cases = Object.entries(SETTINGS).flatMap(([shell, settings]) => settings.map((setting) => ({ shell, setting })));

it.each(casesOf(cases, ({ shell, setting }) => IN_SUITE.includes(`${shell}: ${setting}`)))(
  'what $shell has run after $setting is not denied',
  async ({ shell, setting }) => {
    needs(shell);
    const dir = tempDir();
    const denied: string[] = [];
    const ask = async (fields: object): Promise<Readonly<Record<string, unknown>>> =>
      (await rawRequest(daemon.socketPath, fields)).header;
    let made = 0;
    let tried = 0;
    for (const line of shell === 'fish' ? FISH_LINES : LINES) {
      const until = { until: { done: true }, timeout_ms: DEADLINE_MS };
      const { id } = await ask({ cmd: 'create', cmd_args: [requireProgram(shell)], wait: until });
      await ask({ cmd: 'run', id, command: setting, timeout_ms: DEADLINE_MS });
      for (const act of ['run', 'type']) {
        const file = dir.join(`f${tried++}`);
        const text = line.replace('FILE', file);
        const reply = await (act === 'run'
          ? ask({ cmd: 'run', id, command: text, timeout_ms: DEADLINE_MS })
          : ask({ cmd: 'type', id, text, submit: true, wait: until }));
        // A refusal runs nothing, and says so.
        const { outcome } = (reply['wait'] ?? reply) as { readonly outcome?: string };
        if (!existsSync(file)) continue;
        made++;
        if (outcome === 'not_run' || outcome === 'nothing_ran') denied.push(`${act} ${line}: ${outcome}`);
      }
      await ask({ cmd: 'kill', id, grace_ms: 0 });
    }
    expect(denied).toEqual([]);
    expect(made).toBeGreaterThan(0);
  },
  300_000,
);

/** Of a wait for a shell that marks nothing any more. */
const DEADLINE_MS = 2000;

it.each(casesOf(['unset PROMPT_COMMAND; shopt -u promptvars', "unset PROMPT_COMMAND PS0; PS1='> '"], () => true))(
  'bash whose prompt has lost its marks by %j counts as a command that reads keys, and can be typed at',
  async (setting) => {
    needs('bash');
    const ask = async (fields: object): Promise<Readonly<Record<string, unknown>>> =>
      (await rawRequest(daemon.socketPath, fields)).header;
    const { id } = await ask({ cmd: 'create', cmd_args: [requireProgram('bash')], wait: { until: { done: true } } });
    const ran = await ask({ cmd: 'run', id, command: setting });
    expect(ran).toMatchObject({ outcome: 'awaiting_input', awaiting_input: { process: 'bash', kind: 'raw' } });
    expect(await ask({ cmd: 'run', id, command: 'true' })).toMatchObject({ ok: false, code: 'shell_busy' });
    const typed = await ask({
      cmd: 'type',
      id,
      text: "echo ty''ped",
      submit: true,
      wait: { until: { text: 'typed' } },
    });
    expect(typed).toMatchObject({ wait: { outcome: 'matched' } });
    await ask({ cmd: 'kill', id, grace_ms: 0 });
  },
);
