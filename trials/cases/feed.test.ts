import '../../test/page/feed.test.js';
