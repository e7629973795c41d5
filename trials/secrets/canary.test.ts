import '../../test/e2e/canary.test.js';
