import '../../test/e2e/entries.test.js';
