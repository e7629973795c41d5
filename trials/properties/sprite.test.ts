import '../../test/render/sprites/sprite.test.js';
