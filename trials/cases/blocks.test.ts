import '../../test/page/blocks.test.js';
