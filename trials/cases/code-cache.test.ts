/** Kept code that was changed at any place of its file. */
import '../../test/boot/code-cache.test.js';
