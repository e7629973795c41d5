import '../../test/e2e/forged-marks.test.js';
