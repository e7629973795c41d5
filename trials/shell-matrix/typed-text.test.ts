import '../../test/e2e/typed-text.test.js';
