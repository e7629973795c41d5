import '../../test/crew/one-truth.test.js';
