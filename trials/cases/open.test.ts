import '../../test/e2e/open.test.js';
