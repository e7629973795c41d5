import '../../test/e2e/shells.test.js';
