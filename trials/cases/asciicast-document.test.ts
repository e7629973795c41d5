import '../../test/history/recording/asciicast-document.test.js';
