import '../../test/e2e/sh.test.js';
