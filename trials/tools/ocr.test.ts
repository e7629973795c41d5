import '../../test/render/ocr.test.js';
