import '../../test/e2e/users.test.js';
