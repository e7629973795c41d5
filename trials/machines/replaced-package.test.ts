import '../../test/e2e/replaced-package.test.js';
