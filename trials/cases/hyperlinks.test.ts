import '../../test/vt/xterm/hyperlinks.test.js';
