import '../../test/terminal/pty/floods.test.js';
