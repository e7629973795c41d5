import '../../test/vt/xterm/payload-buffer.test.js';
