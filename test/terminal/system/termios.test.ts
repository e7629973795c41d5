import { expect, test } from 'vitest';
import { parseTermios } from '../../../src/terminal/system/termios.js';

const GNU = `speed 38400 baud; rows 24; columns 80; line = 0;
intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;
eol2 = M-^?; swtch = <undef>; min = 1; time = 0;
-parenb cs8 hupcl cread
icrnl ixon -ixoff
opost nl0
isig -icanon iexten -echo echoe
`;
const GNU_SAVED = '500:5:bf:8a31:3:1c:7f:15:4:0:1:0:11:13:1a:0\n';

const BSD = `speed 9600 baud; 24 rows; 80 columns;
lflags: -icanon -isig iexten -echo echoe
iflags: -istrip icrnl
oflags: opost onlcr
cflags: cread cs8 -parenb
cchars: discard = ^O; dsusp = ^Y; eof = ^D; eol = <undef>; intr = ^C;
`;

test('the output of GNU stty is parsed', () => {
  expect(parseTermios(GNU, GNU_SAVED)).toEqual({
    mode: 'cbreak',
    flags: {
      parenb: false,
      cs8: true,
      hupcl: true,
      cread: true,
      icrnl: true,
      ixon: true,
      ixoff: false,
      opost: true,
      nl0: true,
      isig: true,
      icanon: false,
      iexten: true,
      echo: false,
      echoe: true,
    },
    characters: {
      intr: { text: '^C', byte: 3 },
      quit: { text: '^\\', byte: 28 },
      erase: { text: '^?', byte: 127 },
      kill: { text: '^U', byte: 21 },
      eof: { text: '^D', byte: 4 },
      eol: null,
      eol2: { text: 'M-^?', byte: 255 },
      swtch: null,
    },
    min: 1,
    time: 0,
    speed: 38_400,
    hex: { iflag: '0x500', oflag: '0x5', cflag: '0xbf', lflag: '0x8a31' },
  });
});

test('the output of BSD stty is parsed', () => {
  const { mode, flags, characters, hex } = parseTermios(BSD, 'gfmt1:cflag=4b00:iflag=6b02:lflag=200005cb:oflag=3\n');
  expect({ mode, hex }).toEqual({ mode: 'raw', hex: undefined });
  expect(flags).toMatchObject({ icanon: false, isig: false, echoe: true, icrnl: true, parenb: false });
  expect(characters).toMatchObject({ intr: { byte: 3 }, dsusp: { byte: 25 }, eol: null });
});
