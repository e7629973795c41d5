/** An installation of another version: the built files, with other numbers in them. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { CLI } from './cli.js';
import { ROOT } from './consumer.js';
import type { AtEnd } from './of-file.js';
import { tempDir } from './temp-dir.js';

export interface Installation {
  readonly cli: string;
  readonly daemonEntry: string;
}

export function installation(
  replacements: Readonly<Record<string, string>>,
  atEnd: AtEnd = onTestFinished,
): Installation {
  const dir = tempDir(atEnd);
  const replaced = new Set<string>();
  cpSync(path.join(ROOT, 'dist'), dir.join('dist'), { recursive: true });
  for (const name of ['fonts', 'shell', 'node_modules', 'package.json'])
    symlinkSync(path.join(ROOT, name), dir.join(name));
  for (const name of ['daemon-program.cjs', 'mcp.js', 'cli-program.cjs', 'cli-common.cjs']) {
    const file = dir.join('dist', name);
    const before = readFileSync(file, 'utf8');
    let code = before;
    for (const [from, to] of Object.entries(replacements)) {
      code = code.replaceAll(onAnyLines(from), () => {
        replaced.add(from);
        return to;
      });
    }
    writeFileSync(file, code);
  }
  const missing = Object.keys(replacements).filter((from) => !replaced.has(from));
  if (missing.length > 0) throw new Error(`the built files have no ${missing.join(', ')}`);
  return { cli: dir.join('dist', path.basename(CLI)), daemonEntry: dir.join('dist/daemon.cjs') };
}

/** The build begins a new line every 160 characters, wherever that is. */
function onAnyLines(text: string): RegExp {
  const characters = Array.from(text, (each) => each.replace(/[^\w"]/, String.raw`\$&`));
  return new RegExp(characters.join(String.raw`\n?`), 'g');
}
