/** Native packages without a build for the machine: requests that need them fail with instructions, all others work. */
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { copiedPackage, type CopiedPackage } from '../support/copied-package.js';
import { startOwnDaemon } from '../support/own-daemon.js';
import { rawRequest } from '../support/raw.js';
import { findingsOf, problemsOf, runIn } from '../support/sandboxes.js';
import { inTrial } from '../support/trial.js';

const PLATFORM = `${process.platform}-${process.arch}`;

type Ask = (fields: object) => Promise<Record<string, unknown>>;

async function daemonOf(installed: CopiedPackage, env: Record<string, string> = {}): Promise<Ask> {
  const { daemonEntry, socketPath, home } = installed;
  const own = { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, ...env };
  await startOwnDaemon(daemonEntry, socketPath, { cwd: home, env: own });
  return async (fields) => (await rawRequest(socketPath, fields)).header;
}

function wayToBuild({ installed }: CopiedPackage): string {
  return `cd ${installed('node-pty')} && npm_config_build_from_source=true npm run install`;
}

const doctorOf = ({ cli, home }: CopiedPackage, env: Record<string, string> = {}) =>
  runIn(['env'], [process.execPath, cli, 'doctor', '--json'], { cwd: home, env: { HOME: home, ...env } });

test('a missing or broken build of node-pty is reported with instructions until it is replaced', async () => {
  const own = copiedPackage('node-pty');
  const build = own.installed('node-pty', 'prebuilds', PLATFORM);
  const ask = await daemonOf(own);
  const refused = (error: unknown) => ({
    ok: false,
    code: 'spawn_failed',
    error,
    hint: expect.stringContaining(wayToBuild(own)) as string,
  });

  renameSync(`${build}/pty.node`, `${build}/pty.away`);
  expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toEqual(
    refused(`node-pty's build for ${PLATFORM} is missing: ${build}/pty.node.`),
  );
  expect(await ask({ cmd: 'run', cmd_args: ['true'] })).toMatchObject({ code: 'spawn_failed' });

  writeFileSync(`${build}/pty.node`, 'no program at all, and long enough to be looked into '.repeat(100));
  const broken = new RegExp(`^node-pty's build for ${PLATFORM} does not load here: \\S[^\\n]*pty\\.node[^\\n]*\\.$`);
  expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toEqual(refused(expect.stringMatching(broken)));
  expect(await ask({ cmd: 'ping' })).toMatchObject({ ok: true });

  renameSync(`${build}/pty.away`, `${build}/pty.node`);
  expect(await ask({ cmd: 'run', cmd_args: ['echo', 'hi'] })).toMatchObject({ lines: ['hi'], exit_code: 0 });
});

inTrial(() => {
  test('a locally made build of node-pty is named if it does not load', async () => {
    const own = copiedPackage('node-pty');
    mkdirSync(own.installed('node-pty', 'build/Release'), { recursive: true });
    const made = own.installed('node-pty', 'build/Release/pty.node');
    cpSync(own.installed('node-pty', 'prebuilds', PLATFORM, 'pty.node'), made);
    rmSync(own.installed('node-pty', 'prebuilds'), { recursive: true });
    const ask = await daemonOf(own);
    writeFileSync(made, 'x'.repeat(5000));
    expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toMatchObject({
      error: expect.stringContaining(`${made}: `) as string,
    });
  });

  /** A Node for musl, as far as a program can see: it has no version of glibc to report, and musl's loader is there. */
  const LIKE_MUSL = `
const fs = require('node:fs');
const had = fs.existsSync;
fs.existsSync = (path) => String(path).startsWith('/lib/ld-musl-') || had(path);
process.report.getReport = () => ({ header: {}, sharedObjects: [] });`;

  test.runIf(process.platform === 'linux')(
    'on musl the build for glibc is not loaded, and the doctor explains how to make one',
    async () => {
      const own = copiedPackage('node-pty');
      writeFileSync(`${own.home}/like-musl.cjs`, LIKE_MUSL);
      const env = { NODE_OPTIONS: `--require ${own.home}/like-musl.cjs` };
      const ask = await daemonOf(own, env);
      const says = 'node-pty has no build for Linux with musl (Alpine).';
      const hint = `Build it: apk add python3 make g++ && ${wayToBuild(own)}`;
      expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toEqual({
        ok: false,
        code: 'spawn_failed',
        error: says,
        hint,
      });
      const examined = await doctorOf(own, env);
      expect([examined.status, problemsOf(examined)['terminal']]).toEqual([
        1,
        { state: 'failure', says, advice: hint },
      ]);
      // One that was made here is for the C library that is here.
      mkdirSync(own.installed('node-pty', 'build/Release'), { recursive: true });
      cpSync(
        own.installed('node-pty', 'prebuilds', PLATFORM, 'pty.node'),
        own.installed('node-pty', 'build/Release/pty.node'),
      );
      expect(await ask({ cmd: 'run', cmd_args: ['echo', 'hi'] })).toMatchObject({ lines: ['hi'], exit_code: 0 });
    },
  );

  test('a platform without a build of node-pty is reported with instructions', async () => {
    const own = copiedPackage('node-pty');
    writeFileSync(`${own.home}/other.cjs`, `Object.defineProperty(process, 'arch', { value: 'riscv64' });`);
    const ask = await daemonOf(own, { NODE_OPTIONS: `--require ${own.home}/other.cjs` });
    expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toMatchObject({
      code: 'spawn_failed',
      error: `node-pty has no build for ${process.platform}-riscv64.`,
      hint: `Build it; it needs python3, make and a C++ compiler: ${wayToBuild(own)}`,
    });
  });
});

test('without a build of the canvas only PNG pictures are refused, and the doctor continues', async () => {
  const own = copiedPackage('@napi-rs/canvas');
  const ask = await daemonOf(own);
  await ask({ cmd: 'create', name: 'one', cmd_args: ['printf', 'words'], wait: { until: { exit: true } } });
  const refusal = {
    ok: false,
    code: 'render_failed',
    error: `This picture needs the package @napi-rs/canvas, whose build for ${PLATFORM} is not installed.`,
    hint: 'Reinstall t4a, with its optional packages (npm install --include=optional), or ask for svg.',
    field: 'format',
  };
  expect(await ask({ cmd: 'screenshot', id: 'one', inline: true })).toEqual(refusal);
  expect(await ask({ cmd: 'screenshot', id: 'one', inline: true, format: 'svg' })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'text', id: 'one' })).toMatchObject({
    ok: true,
    lines: expect.arrayContaining([expect.stringMatching(/^words *$/)]) as string[],
  });
  expect(await ask({ cmd: 'wait', id: 'one', until: { text: 'words' } })).toMatchObject({ outcome: 'matched' });
  const examined = await doctorOf(own);
  expect(findingsOf(examined)['shell']).toBeDefined();
  expect(problemsOf(examined)['fonts']).toEqual({ state: 'failure', says: refusal.error, advice: refusal.hint });

  rmSync(own.installed('@napi-rs'), { recursive: true });
  expect(await ask({ cmd: 'screenshot', id: 'one', inline: true })).toMatchObject({
    error: 'This picture needs the package @napi-rs/canvas, which is not installed.',
  });
});

inTrial(() => {
  test('a broken build of the canvas is reported with the error of the loader', async () => {
    const own = copiedPackage('@napi-rs');
    const ask = await daemonOf(own);
    const [build = ''] = readdirSync(own.installed('@napi-rs')).filter((name) => name !== 'canvas');
    const [file = ''] = readdirSync(own.installed('@napi-rs', build)).filter((name) => name.endsWith('.node'));
    writeFileSync(own.installed('@napi-rs', build, file), 'no program at all '.repeat(500));
    await ask({ cmd: 'create', name: 'one', cmd_args: ['printf', 'words'], wait: { until: { exit: true } } });
    const why = new RegExp(
      `^This picture needs .*canvas, whose build for ${PLATFORM} does not load here: \\S[^\\n]*${file}[^\\n]*\\.$`,
    );
    expect(await ask({ cmd: 'screenshot', id: 'one', inline: true })).toMatchObject({
      error: expect.stringMatching(why) as string,
    });
  });
});
