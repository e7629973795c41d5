import '../../test/render/png/deflate.test.js';
