import '../../test/terminal/pty/reader.test.js';
