import '../../test/e2e/keys.test.js';
