import '../../test/e2e/small-heap.test.js';
