import '../../test/e2e/no-native-build.test.js';
