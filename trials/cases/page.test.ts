import '../../test/page/page.test.js';
