import '../../test/e2e/delivered-by-chance.test.js';
