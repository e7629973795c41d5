import '../../test/daemon/pty/pty.test.js';
