import '../../test/vt/xterm/scrollback-limit.test.js';
