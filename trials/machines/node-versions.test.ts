import '../../test/e2e/node-versions.test.js';
