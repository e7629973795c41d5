import '../../test/e2e/long-reads.test.js';
