import '../../test/e2e/foreign-processes.test.js';
