import '../../test/render/film/film.test.js';
