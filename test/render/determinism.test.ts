import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { casesOf } from '../support/trial.js';
import { FONTS_DIR } from './support/test-renderer.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Within the project, so that the bundle finds the packages that it leaves out.
const directory = mkdtempSync(join(root, '.digest-'));
const bundle = join(directory, 'digest.mjs');

let usual: string;
beforeAll(async () => {
  const entry = fileURLToPath(new URL('support/print-digest.ts', import.meta.url));
  const common = { bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' } as const;
  await build({ ...common, entryPoints: [entry], outfile: bundle, external: ['@napi-rs/canvas', 'sharp'] });
  usual = digest({});
});
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));

test('pictures are byte for byte the same with the fonts of the host, without them, and in another locale', () => {
  const emptyFontconfig = join(directory, 'fonts.conf');
  writeFileSync(
    emptyFontconfig,
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>',
  );
  expect(usual).toMatch(/^[0-9a-f]{64}$/);
  const withoutFonts = { FONTCONFIG_FILE: emptyFontconfig, DISABLE_SYSTEM_FONTS_LOAD: '1', HOME: directory };
  const elsewhere = { LANG: 'ja_JP.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' };
  expect(digest({ ...withoutFonts, ...elsewhere })).toBe(usual);
});

test('pictures are byte for byte the same under another Node that T4A_NODE_BINARIES lists', () => {
  const others = (process.env['T4A_NODE_BINARIES'] ?? '').split(':').filter((file) => file !== '');
  for (const node of others.length === 0 ? [] : casesOf(others, (file) => file === others.at(-1)))
    expect(digest({}, node), node).toBe(usual);
});

function digest(environment: Readonly<Record<string, string>>, node = process.execPath): string {
  const env = { ...process.env, ...environment };
  return execFileSync(node, [bundle, FONTS_DIR], { encoding: 'utf8', env }).trim();
}
