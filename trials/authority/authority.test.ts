import '../../test/e2e/authority.test.js';
