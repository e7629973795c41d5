/**
 * The command that CONTRIBUTING.md adds as an example loads and answers. `npm run trials -- tools` follows the whole recipe in a copy of the
 * tree, with every client.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ROOT } from './support/consumer.js';

interface Spec {
  readonly name: string;
  readonly params: { parse(value: unknown): unknown };
}

type Handler = (daemon: object) => (fields: object, call: object) => Promise<object>;

test('the command that the recipe adds has its name and default, and answers', async () => {
  const spec = await exported<Spec>('src/protocol/commands/title.ts');
  expect(spec.name).toBe('title');
  expect(spec.params.parse({ id: 't1' })).toEqual({ id: 't1', upper: false });
  const handler = await exported<Handler>('src/features/reading/title.ts');
  const terminal = { title: 'Deep Thought', settle: async () => {} };
  const title = handler({ terminals: { use: () => terminal } });
  expect(await title({ id: 't1', upper: false }, {})).toEqual({ title: 'Deep Thought' });
  expect(await title({ id: 't1', upper: true }, {})).toEqual({ title: 'DEEP THOUGHT' });
});

/** `title` of the block that begins with that path, beside the files of the tree. */
async function exported<T>(file: string): Promise<T> {
  const page = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const blocks = [...page.matchAll(/^ {3}```ts\n {3}\/\/ (\S+)\n([\s\S]*?)^ {3}```$/gm)];
  const contents = blocks.find(([, name]) => name === file)?.[2];
  const { outputFiles } = await build({
    stdin: { contents: contents ?? '', resolveDir: path.join(ROOT, path.dirname(file)), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  const module = { exports: {} as { title: T } };
  // eslint-disable-next-line no-implied-eval, no-new-func
  new Function('module', 'require', outputFiles[0]?.text ?? '')(module, createRequire(import.meta.url));
  return module.exports.title;
}
