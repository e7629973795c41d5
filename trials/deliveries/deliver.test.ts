import '../../test/e2e/deliver.test.js';
