import '../../test/render/fonts/combining-marks.test.js';
