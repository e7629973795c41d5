import '../../test/vt/xterm/plain-print.test.js';
