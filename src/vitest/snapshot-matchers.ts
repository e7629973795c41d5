/** The screen of this instant beside a snapshot in a file: its text, or its pixels. */
import type { Terminal, TerminalOptions } from '../client/index.js';
import { kept, terminalOf, type AssertionVerdict } from './assertion.js';
import { keepFiles } from './failure-files.js';
import { pictureDifference, pictureSnapshot } from './picture-difference.js';
import { SnapshotFile, type SnapshotAssertion } from './snapshot-file.js';

export interface PictureSnapshotOptions {
  /** Pixels that may differ. Default: 0, as the same version of t4a draws the same on every machine. */
  readonly tolerance?: number;
  /** Fields of the picture, such as `region` or `cursor: false`. */
  readonly picture?: Omit<TerminalOptions<'screenshot', 'inline' | 'if_rev'>, 'format'>;
}

export async function matchText(
  assertion: SnapshotAssertion,
  received: unknown,
  name?: string,
): Promise<AssertionVerdict> {
  const terminal = terminalOf(received, 'toMatchTerminalText');
  const file = new SnapshotFile(assertion, 'toMatchTerminalText', { ...nameField(name), ending: 'txt' });
  const shown = `${await terminal.text()}\n`;
  const expected = (await file.read())?.toString();
  const differs = expected === shown ? undefined : { words: 'the texts differ' };
  const came = await compared({ terminal, file, shown, isMissing: expected === undefined, differs });
  return kept(terminal, came.pass || expected === undefined ? came : { ...came, actual: shown, expected }, assertion);
}

export async function matchPicture(
  assertion: SnapshotAssertion,
  received: unknown,
  named?: string | PictureSnapshotOptions,
  given: PictureSnapshotOptions = {},
): Promise<AssertionVerdict> {
  const terminal = terminalOf(received, 'toMatchTerminalPicture');
  const [name, { tolerance = 0, picture = {} }] = typeof named === 'object' ? [undefined, named] : [named, given];
  if (!Number.isInteger(tolerance) || tolerance < 0)
    throw new TypeError(`tolerance is ${String(tolerance)}: expected a number of pixels, from 0.`);
  if ('format' in picture) throw new TypeError('A snapshot of a picture is a PNG: leave out its format.');
  const file = new SnapshotFile(assertion, 'toMatchTerminalPicture', { ...nameField(name), ending: 'png' });
  const drawn = await terminal.screenshot({ ...picture, format: 'png' });
  const shown = pictureSnapshot(drawn, terminal.client.daemon.version);
  const expected = await file.read();
  const differs = expected === undefined ? undefined : pictureDifference(expected, shown, tolerance);
  const came = await compared({ terminal, file, shown, isMissing: expected === undefined, differs });
  if (came.pass || expected === undefined) return kept(terminal, came, assertion);
  const pictures = {
    'actual.png': shown,
    'expected.png': expected,
    ...(differs?.diff && { 'diff.png': differs.diff }),
  };
  const files = await keepFiles(
    { name: `${assertion.currentTestName} ${name ?? ''}`, file: assertion.testPath },
    pictures,
  );
  return kept(terminal, { ...came, message: () => `${came.message()}${files}` }, assertion);
}

interface Compared {
  readonly terminal: Terminal;
  readonly file: SnapshotFile;
  readonly shown: string | Uint8Array;
  readonly isMissing: boolean;
  readonly differs: { readonly words: string } | undefined;
}

/** Writes the snapshot where that is wanted. */
async function compared({ terminal, file, shown, isMissing, differs }: Compared): Promise<AssertionVerdict> {
  const pass = { pass: true, message: () => `${terminal.id} shows ${file.path}.` };
  if (!isMissing && differs === undefined) {
    file.count('matched');
    return pass;
  }
  if (isMissing ? file.mayAdd : file.mayReplace) {
    await file.write(shown);
    file.count(isMissing ? 'added' : 'updated');
    return pass;
  }
  file.count('unmatched');
  const words = isMissing
    ? `There is no snapshot ${file.path}: vitest -u writes it.`
    : `${terminal.id} does not show ${file.path}: ${differs?.words ?? ''}. If it is right, vitest -u writes it.`;
  return { pass: false, message: () => words };
}

function nameField(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name };
}
