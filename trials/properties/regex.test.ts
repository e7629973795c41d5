import '../../test/events/search/regex.test.js';
