import '../../test/e2e/endings.test.js';
