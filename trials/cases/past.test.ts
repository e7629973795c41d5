import '../../test/page/past.test.js';
