import '../../test/vt/keyframe.test.js';
