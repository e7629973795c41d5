import '../../test/render/cell-decoder.test.js';
