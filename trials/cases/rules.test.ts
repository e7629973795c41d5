import '../../test/page/rules.test.js';
