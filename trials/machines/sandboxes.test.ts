import '../../test/e2e/sandboxes.test.js';
