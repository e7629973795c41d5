/** The programs of examples/, run in a project that has t4a installed. */
import { expect, onTestFinished } from 'vitest';
import { CLI } from './support/cli.js';
import { consumer, readRoot, ROOT, type Consumer } from './support/consumer.js';
import { endDaemonAt } from './support/end-daemon.js';
import { itNeeds } from './support/programs.js';

function projectWithDaemon(): Consumer {
  const project = consumer();
  onTestFinished(() => endDaemonAt(project.socketPath));
  return project;
}

itNeeds('python3')('the harness loop in TypeScript gets its answer, past a mistyped name', async () => {
  const project = projectWithDaemon();
  for (const name of ['harness-loop', 'scripted-model'])
    await project.add(`${name}.js`, readRoot(`examples/${name}.ts`));
  const { status, output } = await project.run(process.execPath, ['harness-loop.js']);
  expect(status, output).toBe(0);
  expect(output).toContain('t4a_screenshot {"id":"repl"}: [image/png] 80x24 cells');
  expect(output.trim().split('\n').at(-1)).toBe('model: The answer is 42.');
});

itNeeds('python3', 'bash')(
  'the harness loop in Python uses every field of every tool, and gets its answer past a mistyped name',
  async () => {
    const project = projectWithDaemon();
    const { status, output } = await project.run('python3', ['-B', `${ROOT}examples/harness_loop.py`], {
      PYTHONPATH: `${ROOT}clients/python`,
      T4A_COMMAND: JSON.stringify([process.execPath, CLI]),
    });
    expect(status, output).toBe(0);
    expect(output).toContain('t4a_type {"id": "rpel", "text": "6 * 7"} -> error');
    expect(output.match(/-> error/g)).toHaveLength(1);
    expect(output.trim().split('\n').at(-1)).toBe('model: The answer is 42.');
  },
);
