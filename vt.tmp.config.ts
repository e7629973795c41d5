import { defineConfig } from 'vitest/config';
export default defineConfig({ root: '/work/main', test: { include: ['test/**/*.test.ts'], testTimeout: 30000, pool: 'forks', maxWorkers: 2 } });
