import '../../test/render/read-back.test.js';
