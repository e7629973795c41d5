import '../../test/playback/stage.test.js';
