import type { Terminal } from '@xterm/headless';
import { afterAll, expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { type Internals, openInternals } from '../../../src/vt/xterm/internals.js';

/** The library's object with some of its parts replaced; those that are undefined are missing. */
function withParts<T extends object>(owner: T, parts: Readonly<Record<string, unknown>>): T {
  return new Proxy(owner, {
    get: (target, name) => (name in parts ? parts[String(name)] : Reflect.get(target, name)),
    has: (target, name) => (name in parts ? parts[String(name)] !== undefined : Reflect.has(target, name)),
  });
}

type Parts = Readonly<Record<string, unknown>>;

const withBuffers = (core: Internals, parts: Parts): Internals =>
  withParts(core, { buffers: withParts(core.buffers, parts) });
const withActive = (core: Internals, parts: Parts): Internals =>
  withBuffers(core, { active: withParts(core.buffers.active, parts) });
const withLines = (core: Internals, parts: Parts): Internals =>
  withActive(core, { lines: withParts(core.buffers.active.lines, parts) });
const withLine = (core: Internals, parts: Parts): Internals => {
  const line = core.buffers.active.lines.get(0);
  return withLines(core, { get: () => line && withParts(line, parts) });
};
const withInput = (core: Internals, parts: Parts): Internals =>
  withParts(core, { _inputHandler: withParts(core._inputHandler, parts) });
const withParser = (core: Internals, parts: Parts): Internals =>
  withInput(core, { _parser: withParts(core._inputHandler._parser, parts) });
const withPen = (core: Internals, parts: Parts): Internals =>
  withInput(core, { _curAttrData: withParts(core._inputHandler._curAttrData, parts) });
const withOsc = (core: Internals, parts: Parts): Internals =>
  withParser(core, { _oscParser: withParts(core._inputHandler._parser._oscParser, parts) });
const withDcs = (core: Internals, parts: Parts): Internals =>
  withParser(core, { _dcsParser: withParts(core._inputHandler._parser._dcsParser, parts) });

const LACKING: readonly (readonly [part: string, lack: (core: Internals) => Internals])[] = [
  ...['ybase', 'ydisp', 'x', 'y', 'scrollTop', 'scrollBottom'].map(
    (name) => ['buffer positions', (core: Internals) => withActive(core, { [name]: undefined })] as const,
  ),
  ['buffer set', (core) => withBuffers(core, { alt: null })],
  ['buffer set', (core) => withBuffers(core, { alt: undefined })],
  ['buffer set', (core) => withBuffers(core, { normal: core.buffers.alt })],
  ['scrollback limit', (core) => withParts(core, { optionsService: undefined })],
  ['line lists', (core) => withLines(core, { maxLength: undefined })],
  ['line lists', (core) => withLines(core, { trimStart: undefined })],
  ['saved row', (core) => withActive(core, { savedY: undefined })],
  ['trim events', (core) => withLines(core, { onTrim: undefined })],
  ['line words', (core) => withLine(core, { _data: [] })],
  ...['copyFrom', 'clone', 'resize'].map(
    (name) => ['line copies', (core: Internals) => withLine(core, { [name]: undefined })] as const,
  ),
  ['joined characters', (core) => withLine(core, { addCodepointToCell: undefined })],
  ['insertion', (core) => withLine(core, { insertCells: undefined })],
  ['insertion', (core) => withLine(core, { setCellFromCodepoint: undefined })],
  ['combined cells', (core) => withLine(core, { _combined: null })],
  ['combined cells', (core) => withLine(core, { _combined: 'text' })],
  ['extended attributes', (core) => withLine(core, { _extendedAttrs: undefined })],
  ['current attributes', (core) => withPen(core, { extended: { urlId: 0 } })],
  ['hyperlink ids', (core) => withPen(core, { extended: { _ext: 0 } })],
  ['pen', (core) => withPen(core, { updateExtended: undefined })],
  ['cursor visibility', (core) => withParts(core, { coreService: undefined })],
  ['cursor style', (core) => withParts(core, { coreService: { decPrivateModes: {} } })],
  ['parser fallbacks', (core) => withParser(core, { setCsiHandlerFallback: undefined })],
  ['OSC parser', (core) => withOsc(core, { _start: undefined })],
  ['OSC parser', (core) => withOsc(core, { _active: undefined })],
  ['OSC parser', (core) => withOsc(core, { _handlers: {} })],
  ['DCS parser', (core) => withDcs(core, { hook: undefined })],
  ['DCS parser', (core) => withDcs(core, { _active: {} })],
  ['DCS parser', (core) => withDcs(core, { _handlers: { 1: [{}] } })],
  ['transitions', (core) => withParser(core, { _transitions: {} })],
  ['counted operations', (core) => withInput(core, { repeatPrecedingCharacter: undefined })],
  ['printing', (core) => withInput(core, { print: undefined })],
  ['printing', (core) => withParts(core, { cols: undefined })],
  ['erasing', (core) => withInput(core, { eraseInDisplay: undefined })],
  ['erasing', (core) => withInput(core, { eraseInLine: undefined })],
  ['saved cursor', (core) => withInput(core, { saveCursor: undefined })],
  ['saved cursor', (core) => withInput(core, { restoreCursor: undefined })],
  ['saved pen', (core) => withActive(core, { savedCurAttrData: undefined })],
  ['print handler', (core) => withParser(core, { setPrintHandler: undefined })],
  ['join state', (core) => withParser(core, { precedingJoinState: undefined })],
  ['character sets', (core) => withInput(core, { _charsetService: {} })],
  ['insert mode', (core) => withParts(core, { coreService: { modes: {} } })],
  ['write buffer', (core) => withParts(core, { _writeBuffer: {} })],
];

const emulator = new Emulator({ cols: 20, rows: 2, scrollback: 0 });
afterAll(() => emulator.dispose());

/** A release of the library that is built otherwise. */
function terminalOf(core: Internals | undefined): Terminal {
  return { _core: core } as unknown as Terminal;
}

test.each(LACKING)('a library without its %s is refused with the name of the part (case %#)', (part, lack) => {
  const { internals } = emulator;
  expect(openInternals(terminalOf(internals))).toBe(internals);
  let message = '';
  try {
    openInternals(terminalOf(lack(internals)));
  } catch (error) {
    message = String(error);
  }
  const [, lacking = ''] = /lacks (.*);/.exec(message) ?? [];
  expect(lacking.split(', ')).toContain(part);
});

test('a library that hides its internals lacks all parts', () => {
  expect(() => openInternals(terminalOf(undefined))).toThrow(/lacks buffer positions, buffer set, .*write buffer/);
  expect(() => openInternals(terminalOf({} as Internals))).toThrow(
    /lacks buffer positions, buffer set, .*write buffer/,
  );
});
