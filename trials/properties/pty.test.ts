import '../../test/terminal/pty/pty.test.js';
