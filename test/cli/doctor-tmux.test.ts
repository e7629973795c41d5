/** What the doctor says of the `tmux` on the PATH. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { examineTmuxDoor } from '../../src/cli/doctor/tmux-door.js';
import { tempDir } from '../support/temp-dir.js';
import { DOOR, SCRIPT } from '../support/tmux.js';

test('it names the door by its folder and by a link, another tmux, and none', () => {
  const [linked, other, none] = [tempDir(), tempDir(), tempDir()];
  symlinkSync(DOOR, linked.join('tmux'));
  writeFileSync(other.join('tmux'), '');
  const says = (...folders: string[]): string =>
    examineTmuxDoor({ PATH: folders.join(':') }, join(dirname(SCRIPT), '../cli.cjs')).says;
  expect(says(none.path, dirname(DOOR), other.path)).toBe(`${DOOR} is the door`);
  expect(says(linked.path, other.path)).toBe(`${linked.join('tmux')} is the door`);
  expect(says(other.path, linked.path)).toContain(`${other.join('tmux')} is not the door`);
  expect(says(none.path)).toContain('no tmux is on PATH');
});
