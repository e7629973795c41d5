import '../../test/render/same-bytes.test.js';
