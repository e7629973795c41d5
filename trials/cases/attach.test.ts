import '../../test/attach/attach.test.js';
