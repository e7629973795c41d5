import '../../test/e2e/npx.test.js';
