// `node ink.mjs DIR`: the rows of a shell in Ink, which is no dependency: DIR has `npm install ink react`. Frames are on standard input,
// one change each; on standard output is the processor time of a frame, in microseconds.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

process.env.NODE_ENV = 'production';
const installed = createRequire(pathToFileURL(`${process.argv[2]}/index.js`));
const { default: React } = await import(pathToFileURL(installed.resolve('react')).href);
const { Box, render, Text } = await import(pathToFileURL(installed.resolve('ink')).href);

const { cols, screenCols, frames, warmUp } = JSON.parse(readFileSync(0, 'utf8'));
const h = React.createElement;

const stdout = Object.assign(new EventEmitter(), { columns: cols, rows: frames[0].screen.length + 3, isTTY: true });
let writes = 0;
stdout.write = () => {
  writes++;
  return true;
};

/** Rows that stand are not rendered again, as one would write it for speed. */
const Row = React.memo(({ text }) => h(Text, { wrap: 'truncate' }, text === '' ? ' ' : text));
const column = (rows) => rows.map((text, row) => h(Row, { key: row, text }));

function app({ tabs, screen, rail, status }) {
  return h(
    Box,
    { flexDirection: 'column', width: cols },
    h(
      Box,
      {},
      h(Box, { flexDirection: 'column', width: screenCols }, ...column([tabs, ...screen])),
      h(Box, { flexDirection: 'column', width: cols - screenCols }, ...column(rail)),
    ),
    h(Row, { text: status }),
  );
}

// "debug" draws each change at once, and leaves out the comparison with the rows before.
const instance = render(app(frames[0]), { stdout, debug: true, patchConsole: false, exitOnCtrlC: false });
for (const frame of frames.slice(0, warmUp)) instance.rerender(app(frame));
const drawnBefore = writes;
const before = process.cpuUsage();
for (const frame of frames.slice(warmUp)) instance.rerender(app(frame));
const { user, system } = process.cpuUsage(before);
const drawn = writes - drawnBefore;
if (drawn < frames.length - warmUp) throw new Error(`Ink drew ${drawn} of ${frames.length - warmUp} frames`);
console.log((user + system) / (frames.length - warmUp));
process.exit(0);
