import '../../test/e2e/broken-daemon.test.js';
