import '../../test/cookbook.test.js';
