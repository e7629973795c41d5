import '../../test/vt/xterm/sliced-layout.test.js';
