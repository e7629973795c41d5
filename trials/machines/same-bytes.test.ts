import '../../test/e2e/same-bytes.test.js';
