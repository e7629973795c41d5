import '../../test/search/regex.test.js';
