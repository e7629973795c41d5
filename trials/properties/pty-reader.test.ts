import '../../test/daemon/pty/reader.test.js';
