import { defineConfig } from 'vitest/config';

/** What `npm run check` reads without running it: the wording of texts, and that pages name what exists. */
export default defineConfig({ test: { include: ['lint/*.test.ts'], isolate: false } });
