/** Agents without a model: what each draws is written into a FIFO, so that their own work costs nothing, and all draw at once. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { BenchDaemon } from '../support/bench-daemon.js';

const LINE = '─'.repeat(60);
const MARKS = ['✻', '✶', '✳', '✢'];
const TEXT = Array.from({ length: 12 }, (_, i) => `  line ${i} of what the agent has said, and of its files`);

/** As the profile "claude" knows it: at work, or with a question. */
export function agentScreen({ turn = 0, asks }: { readonly turn?: number; readonly asks?: string }): string {
  const now =
    asks === undefined
      ? [statusRow(turn)]
      : [' Bash command', '', '   rm -rf build', '   Removes it', '', ` ${asks}`, ' ❯ 1. Yes', '   2. No'];
  return `\x1b[H\x1b[2J${[...TEXT, '', ...now, '', LINE, '❯ ', LINE].join('\r\n')}`;
}

function statusRow(turn: number): string {
  return `${MARKS[turn % MARKS.length]} Thinking… (${Math.floor(turn / 10)}s · esc to interrupt)`;
}

export class FifoAgents {
  readonly first = 'agent-0';
  readonly #files: readonly number[];

  private constructor(files: readonly number[]) {
    this.#files = files;
  }

  static async start({ client, dir }: BenchDaemon, count: number): Promise<FifoAgents> {
    const files: number[] = [];
    for (let i = 0; i < count; i++) {
      const fifo = path.join(dir, `fifo-${i}`);
      execFileSync('mkfifo', [fifo]);
      // For both: it neither waits for the reader, nor does the reader see an end.
      files.push(openSync(fifo, 'r+'));
      const name = `agent-${i}`;
      await client.call('create', {
        cmd_args: ['sh', '-c', 'stty raw -echo; exec cat "$1"', 'sh', fifo],
        name,
        rules: 'claude',
        labels: {
          // The first has started the others.
          'crew.session': 'agent-0',
          'crew.kind': 'agent',
          'crew.name': name,
          'crew.project': realpathSync(dir),
        },
        ...(i === 0 ? {} : { parent: 'agent-0' }),
      });
    }
    const agents = new FifoAgents(files);
    for (let i = 0; i < count; i++) agents.write(i, agentScreen({}));
    await client.call('wait', { id: `agent-${count - 1}`, until: { text: 'esc to interrupt' }, timeout_ms: 20_000 });
    return agents;
  }

  write(index: number, text: string): void {
    writeSync(this.#files[index] ?? -1, text);
  }

  /** As a spinner does: one row. */
  updateAll(turn: number, first = 0): void {
    for (let i = first; i < this.#files.length; i++) {
      this.write(i, `\x1b7\x1b[${TEXT.length + 2};1H${statusRow(turn)}\x1b[K\x1b8`);
    }
  }

  async updateFor(turns: number, everyMs: number): Promise<void> {
    let turn = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        this.updateAll(turn++);
        if (turn < turns) return;
        clearInterval(timer);
        resolve();
      }, everyMs);
    });
  }

  close(): void {
    for (const file of this.#files) closeSync(file);
  }
}
