/** Random recordings with secrets in them: no export of any format holds one. */
import { writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordedClip, framesOf } from '../../src/playback/clip.js';
import { recordedColors } from '../../src/playback/colors.js';
import { type ExportFormat, exportRecording } from '../../src/playback/export.js';
import { loadRecording, maskedRecording } from '../../src/playback/recording.js';
import { Redactor } from '../../src/redaction/redactor.js';
import { RowMask } from '../../src/redaction/row-mask.js';
import { rowText } from '../../src/vt/rows/row-text.js';
import { graphemeAt, type Snapshot } from '../../src/vt/snapshot.js';
import { tempDir } from '../support/temp-dir.js';
import { runsOf, seedOfRun } from '../support/trial.js';
import { foundIn, planted, type Planted, SECRETS, SETTINGS, VARIABLES } from './planted.js';

function cast({ cols, parts }: Planted): string {
  const header = { version: 3, term: { cols, rows: 10 }, title: `of ${SECRETS[0]}`, command: `login ${SECRETS[1]}` };
  const events = parts.map((part) => [0.02, 'o', part]);
  const all = [
    header,
    ...events.slice(0, 3),
    [0, 'm', `mark ${SECRETS[2]}`],
    ...Array.from(SECRETS[3]).map((letter) => [0, 'i', letter]),
    ...events.slice(3),
  ];
  return all.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** What a reader of the file has: of casts the texts of its events, of pages their rows without marks of HTML. */
function textOf(format: ExportFormat, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (format === 'text') return text;
  if (format === 'html') {
    const film = /<script id="film" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
    const { rows } = JSON.parse(film) as { rows: string[] };
    const bare = rows.map((row) => row.replaceAll(/<[^>]*>/g, ''));
    return [text, ...bare].join('\n');
  }
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as [number, string, string]);
  return [
    header,
    ...['o', 'i', 'm'].map((kind) => events.flatMap(([, code, part]) => (code === kind ? [part] : [])).join('')),
  ].join('\n');
}

const FORMATS = ['asciicast-v2', 'asciicast-v3', 'text', 'html'] as const;

test('no export of a recording with secrets holds one, in any format', async () => {
  const file = tempDir().join('a.cast');
  await fc.assert(
    fc.asyncProperty(planted, async (drawn) => {
      writeFileSync(file, cast(drawn));
      for (const format of FORMATS) {
        const { chunks, masked } = await exportRecording({
          path: file,
          format,
          redact: SETTINGS,
          variables: VARIABLES,
        });
        expect({ format, found: foundIn(textOf(format, Buffer.concat(chunks))) }).toEqual({ format, found: [] });
        expect(masked).toBeGreaterThan(0);
      }
    }),
    { numRuns: runsOf({ suite: 60, trial: 3000 }), seed: seedOfRun() },
  );
}, 120_000);

/** Read across the ends of rows. */
const screenText = ({ lines, title }: Snapshot): string =>
  [
    title,
    lines.map((row) => rowText(row, { trim: false })).join(''),
    ...lines.flatMap(({ links }) => [...(links?.values() ?? [])]),
  ].join('\n');

test('no screen holds one that a player draws by an exported recording', async () => {
  const file = tempDir().join('a.cast');
  await fc.assert(
    fc.asyncProperty(planted, async (drawn) => {
      writeFileSync(file, cast(drawn));
      const { recording } = maskedRecording(await loadRecording(file), new Redactor(SETTINGS, [VARIABLES]));
      const clip = new RecordedClip(recording, { speed: 1, colors: recordedColors('dark') });
      for await (const { snapshot } of framesOf(clip, 50)) expect(foundIn(screenText(snapshot))).toEqual([]);
      clip.dispose();
    }),
    { numRuns: runsOf({ suite: 60, trial: 3000 }), seed: seedOfRun() },
  );
}, 120_000);

test('no cell, title or link of a picture of a film holds one', async () => {
  const file = tempDir().join('a.cast');
  const redactor = new Redactor(SETTINGS, [VARIABLES]);
  await fc.assert(
    fc.asyncProperty(planted, async (drawn) => {
      writeFileSync(file, cast(drawn));
      const { recording } = maskedRecording(await loadRecording(file), redactor);
      const clip = new RecordedClip(recording, {
        speed: 1,
        colors: recordedColors('dark'),
        mask: new RowMask(redactor),
      });
      for await (const { snapshot } of framesOf(clip, 50)) expect(foundIn(screenText(snapshot))).toEqual([]);
      clip.dispose();
    }),
    { numRuns: runsOf({ suite: 60, trial: 3000 }), seed: seedOfRun() },
  );
}, 120_000);

test('a secret that is drawn from its end to its beginning is masked in the cells of a film', async () => {
  const file = tempDir().join('a.cast');
  const letters = Array.from(SECRETS[0])
    .map((letter, i) => `\u001b[3;${i + 5}H${letter}`)
    .toReversed();
  writeFileSync(
    file,
    [{ version: 3, term: { cols: 40, rows: 5 } }, ...letters.map((text) => [0.1, 'o', text])]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const redactor = new Redactor(SETTINGS, []);
  const { recording, masked } = maskedRecording(await loadRecording(file), redactor);
  expect(masked).toBe(1);
  const clip = new RecordedClip(recording, { speed: 1, colors: recordedColors('dark'), mask: new RowMask(redactor) });
  const frames: Snapshot[] = [];
  for await (const { snapshot } of framesOf(clip, 50)) frames.push(snapshot);
  const row = frames.at(-1)?.lines[2];
  expect(row && Array.from({ length: 24 }, (_, col) => graphemeAt(row, col) || ' ').join('')).toBe(
    `    ${'*'.repeat(20)}`,
  );
  clip.dispose();
});
