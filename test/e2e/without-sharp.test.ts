/** An installation without the optional package sharp: only WebP and JPEG are refused, with a hint to install it. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/client.js';
import { ROOT } from '../support/consumer.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { tempDir } from '../support/temp-dir.js';

test('without sharp PNG and SVG are drawn, and WebP and JPEG are refused with a hint', async () => {
  const dir = tempDir();
  cpSync(path.join(ROOT, 'dist'), dir.join('dist'), { recursive: true });
  writeFileSync(dir.join('package.json'), '{"type":"module"}');
  for (const name of ['fonts', 'shell']) symlinkSync(path.join(ROOT, name), dir.join(name));
  mkdirSync(dir.join('node_modules'));
  for (const name of ['node-pty', '@napi-rs']) {
    symlinkSync(path.join(ROOT, 'node_modules', name), dir.join('node_modules', name));
  }
  const client = await connect({ socketPath: dir.socketPath, daemonEntry: dir.join('dist/daemon.cjs') });
  onTestFinished(() => endDaemonAt(dir.socketPath));
  onTestFinished(() => client.close());
  const { id } = await client.call('create', { cmd_args: ['cat'] });
  expect((await client.call('screenshot', { id })).format).toBe('png');
  expect((await client.call('screenshot', { id, format: 'svg' })).format).toBe('svg');
  for (const format of ['webp', 'jpeg'] as const) {
    await expect(client.call('screenshot', { id, format })).rejects.toMatchObject({
      code: 'render_failed',
      message: expect.stringMatching(
        `A ${format} needs the package sharp, which cannot be loaded: Cannot find module 'sharp'`,
      ) as string,
      details: { hint: 'npm install sharp, or ask for png.' },
    });
  }
});
