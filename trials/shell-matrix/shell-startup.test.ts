import '../../test/e2e/shell-startup.test.js';
