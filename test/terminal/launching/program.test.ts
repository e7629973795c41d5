import { chmodSync, mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { resolveProgram } from '../../../src/terminal/launching/program.js';
import { T4aError } from '../../../src/protocol/errors.js';

const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
afterAll(() => rmSync(dir, { recursive: true }));

function script(name: string, text: string, mode = 0o755): string {
  const file = path.join(dir, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function codeOf(
  command: string[] | undefined,
  cwd = dir,
  env: Record<string, string> = { PATH: '/usr/bin:/bin' },
): string {
  try {
    resolveProgram(command, cwd, env);
    return 'found';
  } catch (error) {
    if (error instanceof T4aError) return error.code;
    throw error;
  }
}

describe('finding the program', () => {
  it('searches the PATH of the child, not of the daemon', () => {
    script('only-here', '#!/bin/sh\n');
    expect(codeOf(['only-here'])).toBe('program_not_found');
    expect(resolveProgram(['only-here', 'x'], '/', { PATH: `/nowhere:${dir}` })).toEqual({
      file: path.join(dir, 'only-here'),
      args: ['x'],
      cwd: '/',
    });
  });

  it('takes a name with a slash relative to the working directory', () => {
    script('tool', '#!/bin/sh\n');
    expect(resolveProgram(['./tool'], dir, {}).file).toBe(path.join(dir, 'tool'));
  });

  it('starts $SHELL by default, else bash, else sh', () => {
    for (const folder of ['with-bash', 'without']) mkdirSync(path.join(dir, folder));
    script('with-bash/bash', '#!/bin/sh\n');
    script('without/bash', 'not a program', 0o644);
    script('without/sh', '#!/bin/sh\n');
    const [withBash, without] = [path.join(dir, 'with-bash'), path.join(dir, 'without')];
    const started = (env: Record<string, string>): string => resolveProgram(undefined, '/', env).file;
    expect(started({ PATH: withBash, SHELL: '/bin/sh' })).toBe('/bin/sh');
    expect(started({ PATH: `${without}:${withBash}` })).toBe(path.join(withBash, 'bash'));
    expect(started({ PATH: without })).toBe(path.join(without, 'sh'));
  });

  it.each([
    ['a name that is nowhere', ['no-such-program'], 'program_not_found'],
    ['a path that is not there', ['./no-such-file'], 'program_not_found'],
    ['an empty name', [''], 'program_not_found'],
    ['a directory', ['./folder'], 'program_not_executable'],
    ['a file without the x bit', ['./plain'], 'program_not_executable'],
    ['a script whose interpreter is missing', ['./orphan'], 'program_not_found'],
  ])('refuses %s', (_, command, code) => {
    mkdirSync(path.join(dir, 'folder'), { recursive: true });
    script('plain', 'text', 0o644);
    script('orphan', '#!/no/such/interpreter -x\n');
    expect(codeOf(command)).toBe(code);
  });

  describe('with unsearchable entries of the PATH', () => {
    const unreachable = { file: path.join(dir, 'plain'), loop: path.join(dir, 'loop'), long: `/${'x'.repeat(300)}` };
    const entries: readonly (readonly [what: string, entry: string])[] = [
      ['a file', unreachable.file],
      ['a file and a slash', `${unreachable.file}/`],
      ['a loop of links', unreachable.loop],
      ['a name that is too long', unreachable.long],
      ['a path that is too long', '/x'.repeat(3000)],
    ];
    function prepare(): void {
      script('plain', 'text', 0o644);
      rmSync(unreachable.loop, { force: true });
      symlinkSync(unreachable.loop, unreachable.loop);
    }

    it.each(entries)('skips %s', (_, entry) => {
      prepare();
      expect(resolveProgram(['sh'], dir, { PATH: `${entry}:/bin` }).file).toBe('/bin/sh');
      expect(codeOf(['no-such-program'], dir, { PATH: `${entry}:/bin` })).toBe('program_not_found');
    });

    it.each(entries)('finds nothing under %s by its full path', (_, entry) => {
      prepare();
      expect(codeOf([`${entry}/sh`])).toBe('program_not_found');
    });

    it('treats a script whose interpreter is in one of them as one without an interpreter', () => {
      prepare();
      script('behind', `#!${unreachable.loop}/sh\n`);
      expect(codeOf(['./behind'])).toBe('program_not_found');
    });

    // Root searches every directory.
    it.skipIf(process.getuid?.() === 0)('reports an unsearchable entry only if there is no program', () => {
      const locked = path.join(dir, 'locked');
      mkdirSync(locked, { recursive: true });
      script('locked/tool', '#!/bin/sh\n');
      script('locked-interpreter', `#!${locked}/tool\n`);
      script('not-executable', 'text', 0o644);
      chmodSync(locked, 0o600);
      try {
        const env = { PATH: `${locked}:${dir}:/bin` };
        expect(resolveProgram(['sh'], dir, env).file).toBe('/bin/sh');
        expect(() => resolveProgram(['tool'], '/', { PATH: `/bin:${locked}` })).toThrow(
          `No program "tool" on the PATH, of which "${locked}" may not be searched.`,
        );
        expect(codeOf(['not-executable'], dir, env)).toBe('program_not_executable');
        expect(codeOf(['./locked/tool'])).toBe('program_not_executable');
        expect(() => resolveProgram(['./locked-interpreter'], dir, env)).toThrow('that may not be reached');
      } finally {
        chmodSync(locked, 0o700);
      }
    });
  });

  it.each([['ls -la'], ['./ls -la'], ['/bin/ls -la /']])('says what to do with a line of a shell: %s', (line) => {
    expect(() => resolveProgram([line], dir, { PATH: '/bin' })).toThrow(
      expect.objectContaining({
        code: 'program_not_found',
        details: expect.objectContaining({ hint: expect.stringContaining('a shell line') as string }) as object,
      }) as Error,
    );
  });

  it.each([
    ['/no/such/directory', 'does not exist'],
    ['/etc/passwd', 'is not a directory'],
    // It is one of the daemon's own.
    ['.', 'is not an absolute path'],
  ])('refuses the working directory %s, which %s', (cwd, why) => {
    expect(codeOf(['sh'], cwd)).toBe('cwd_not_found');
    expect(() => resolveProgram(['sh'], cwd, { PATH: '/bin' })).toThrow(`The working directory "${cwd}" ${why}.`);
  });

  it('searches the usual directories without a PATH, and the working directory for an empty entry', () => {
    expect(resolveProgram(['sh'], '/', {}).file).toMatch(/^\/(?:usr\/(?:local\/)?)?bin\/sh$/);
    expect(resolveProgram(undefined, '/', { PATH: '/bin', SHELL: '' }).file).toMatch(/^\/bin\/(?:ba)?sh$/);
    script('in-cwd', '#! /bin/sh\n');
    expect(resolveProgram(['in-cwd'], dir, { PATH: ':/bin' }).file).toBe(path.join(dir, 'in-cwd'));
  });

  it.each([
    ['./folder', '"./folder" is a directory.', 'Name a program in it.'],
    ['./plain', '"./plain" may not be executed.', `chmod +x ${path.join(dir, 'plain')}`],
    ['/dev/null', '"/dev/null" may not be executed.', 'ls -l /dev/null'],
  ])('reports why %s is no program, with the next step', (name, message, hint) => {
    mkdirSync(path.join(dir, 'folder'), { recursive: true });
    script('plain', 'text', 0o644);
    expect(() => resolveProgram([name], dir, {})).toThrow(
      expect.objectContaining({
        code: 'program_not_executable',
        message,
        details: { field: 'cmd_args', hint },
      }) as Error,
    );
  });

  it('skips files of the PATH without execute permission, and reports that if there is no other', () => {
    mkdirSync(path.join(dir, 'first'), { recursive: true });
    script('first/twice', 'text', 0o644);
    script('twice', '#!/bin/sh\n');
    const first = path.join(dir, 'first');
    expect(resolveProgram(['twice'], '/', { PATH: `${first}:${dir}` }).file).toBe(path.join(dir, 'twice'));
    expect(codeOf(['twice'], '/', { PATH: first })).toBe('program_not_executable');
    expect(codeOf(['first'], '/', { PATH: dir })).toBe('program_not_found');
  });

  it.each([['no-such-program'], ['./no-such-file'], ['./orphan'], ['./folder']])(
    'names the field at fault: %s',
    (name) => {
      mkdirSync(path.join(dir, 'folder'), { recursive: true });
      script('orphan', '#!/no/such/interpreter -x\n');
      expect(() => resolveProgram([name], dir, { PATH: '/bin' })).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ field: 'cmd_args' }) as object }) as Error,
      );
    },
  );
});
