import '../../test/daemon/pty/floods.test.js';
