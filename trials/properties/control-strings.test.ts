import '../../test/vt/xterm/control-strings.test.js';
