/** What a proof costs: from a box that is ready to the proof of a prompt, by an agent that echoes at once, beside text and Enter alone. */
import path from 'node:path';
import { startBenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const PROMPTS = 15;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    const { client } = daemon;
    const program = path.join(root, 'test/support/programs/box-agent.mjs');
    const { id } = await client.call('create', {
      cmd_args: [process.execPath, program],
      rules: 'claude',
      wait: { until: { settled_ms: 500 } },
    });
    const proved: number[] = [];
    const typed: number[] = [];
    for (let i = 0; i < PROMPTS; i++) {
      const start = performance.now();
      const { outcome } = await client.call('deliver', { id, text: `prompt ${i}` });
      proved.push(performance.now() - start);
      if (outcome !== 'submitted') throw new Error(`prompt ${i}: ${outcome}`);
      const before = performance.now();
      await client.call('type', { id, text: `line ${i}`, submit: true });
      typed.push(performance.now() - before);
      await client.call('wait', { id, until: { settled_ms: 300 } });
    }
    await client.call('kill', { id });
    return [
      {
        name: 'a prompt from a box that is ready to its proof, at the median',
        value: median(proved),
        unit: 'ms',
        limit: 300,
      },
      { name: 'that, times type --submit', value: median(proved) / median(typed) },
    ];
  } finally {
    await daemon.stop();
  }
}
