// `npm pack` and `npm publish` run this first: node-pty is packed with t4a, and what it carries for Windows, 24 of its 26 MB, is
// removed from node_modules. `npm ci` brings it back. Nothing of it is read on Linux or macOS, where alone t4a runs.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodePty = fileURLToPath(new URL('../node_modules/node-pty', import.meta.url));

const builds = join(nodePty, 'prebuilds');
const forWindows = readdirSync(builds).filter((platform) => platform.startsWith('win32-'));
for (const platform of forWindows) rmSync(join(builds, platform), { recursive: true });

// ConPTY and winpty; the sources of a build for Windows, and what is loaded there.
const onWindows = readdirSync(join(nodePty, 'lib')).filter((name) => /^(windows|conpty_)/.test(name));
const left = ['third_party', 'src/win', 'README.md', 'scripts/prebuild.js', 'lib/worker', 'lib/shared'];
for (const name of [...left, ...onWindows.map((file) => `lib/${file}`)])
  rmSync(join(nodePty, name), { recursive: true, force: true });

// What is not needed for a build. A build that was made here is not among the files of node-pty, and stays out of the package.
const headers = fileURLToPath(new URL('../node_modules/node-addon-api', import.meta.url));
for (const name of ['tools', 'README.md', 'package-support.json'])
  rmSync(join(headers, name), { recursive: true, force: true });
