import '../../test/render/incremental.test.js';
