import '../../test/e2e/paste.test.js';
