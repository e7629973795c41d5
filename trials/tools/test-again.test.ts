import '../../test/runs/test-again.test.js';
