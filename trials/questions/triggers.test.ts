import '../../test/e2e/triggers.test.js';
