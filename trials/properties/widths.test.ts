import '../../test/vt/xterm/widths.test.js';
