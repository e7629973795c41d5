import '../../test/render/determinism.test.js';
