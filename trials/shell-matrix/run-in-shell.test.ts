import '../../test/e2e/run-in-shell.test.js';
