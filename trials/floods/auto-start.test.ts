import '../../test/e2e/auto-start.test.js';
