import '../../test/vt/xterm/hostile-output.test.js';
