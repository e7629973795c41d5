/** Of the tasks of `npm run bench -- tools`: that their scripts solve them with the tools of today. All twenty in a trial. */
import { describe, expect, onTestFinished } from 'vitest';
import { McpAgent } from '../../bench/tasks/mcp-agent.js';
import { runTask } from '../../bench/tasks/run-task.js';
import { TASKS } from '../../bench/tasks/tasks.js';
import { CLI } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

const SHORT = ['stage one of two changes with git add -p', 'a question by surprise'];

/** Not those of a model: only that something is counted. */
const countWords = (text: string): number => text.split(/\s+/).length;

describe('a script in place of a model solves the task', () => {
  for (const task of casesOf(TASKS, ({ name }) => SHORT.includes(name))) {
    itNeeds(...task.programs)(task.name, { timeout: 60_000 }, async () => {
      const { socketPath } = tempDir();
      onTestFinished(() => endDaemonAt(socketPath));
      const start = (directory: string): Promise<McpAgent> =>
        McpAgent.start(countWords, { cli: CLI, socketPath, directory });
      const { calls, written, read, offered } = await runTask(task, start, task.mcp);
      // npm init asks ten questions.
      expect(calls).toBeLessThanOrEqual(12);
      expect(Math.min(calls, written, read, offered)).toBeGreaterThan(0);
    });
  }
});
