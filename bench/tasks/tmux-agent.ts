/**
 * A model with a shell and tmux, as it is done well: keys and the wait for their effect are one call, by a helper that polls the pane and
 * prints it without the blank lines below.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, type CountTokens } from './agent.js';

const SCREEN = `#!/bin/bash
same=0
for _ in $(seq 150); do
  now=$(tmux capture-pane -p -t "$1") || exit
  [ -n "$2" ] && grep -qE -- "$2" <<< "$now" && break
  if [ "$now" = "$last" ]; then same=$((same + 1)); else same=0; fi
  [ $same -ge 20 ] && break
  last=$now
  sleep 0.1
done
printf '%s\\n' "$now"
`;

const DESCRIPTION =
  'Run a command with bash; returns its output. For interactive programs use tmux: its session `w` has a shell, of 80x24. `screen w [PATTERN]` prints its pane as soon as a line matches the pattern (grep -E), or it has not changed for 2 s; after 15 s in any case.';

export class TmuxAgent extends Agent {
  readonly #directory: string;
  readonly #own: string;
  readonly offered = JSON.stringify([
    {
      name: 'bash',
      description: DESCRIPTION,
      inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    },
  ]);

  /** @param directory in which programs start */
  private constructor(count: CountTokens, directory: string) {
    super(count);
    this.#directory = directory;
    this.#own = mkdtempSync(path.join(tmpdir(), 't4a-'));
    writeFileSync(path.join(this.#own, 'screen'), SCREEN);
    chmodSync(path.join(this.#own, 'screen'), 0o755);
    // Not that of the person who runs this, whose prompt may be long.
    writeFileSync(path.join(this.#own, 'rc'), "PS1='$ '\nunset HISTFILE\n");
    const shell = `bash --rcfile ${path.join(this.#own, 'rc')}`;
    writeFileSync(path.join(this.#own, '.tmux.conf'), `set -g default-command "${shell}"\nset -g status off\n`);
  }

  /** Its session is there before the first call, and costs none. */
  static async start(count: CountTokens, directory: string): Promise<TmuxAgent> {
    const agent = new TmuxAgent(count, directory);
    await agent.#output("tmux new-session -d -s w -x 80 -y 24; screen w '^[$]$'");
    return agent;
  }

  bash(command: string): Promise<string> {
    return this.counted('bash', { command }, this.#output(command));
  }

  #output(command: string): Promise<string> {
    const env = {
      ...process.env,
      HOME: this.#own,
      PATH: `${this.#own}:${process.env['PATH']}`,
      TMUX: '',
      TMUX_TMPDIR: this.#own,
      LC_ALL: 'C.UTF-8',
    };
    return new Promise((resolve, reject) => {
      execFile('bash', ['-c', command], { cwd: this.#directory, env, timeout: 60_000 }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve(`${stdout}${stderr}`.trimEnd());
      });
    });
  }

  async close(): Promise<void> {
    await this.#output('tmux kill-server');
    // The server removes its socket a little later.
    rmSync(this.#own, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
