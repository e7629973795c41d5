import { expect, test } from 'vitest';
import { ALLOCATOR_ENVIRONMENT } from '../../src/base/allocator.js';

test('the allocator is configured with whole numbers: blocks of 128 KiB and more are returned at once, and there is one heap', () => {
  expect(ALLOCATOR_ENVIRONMENT).toEqual({
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_ARENA_MAX: '1',
  });
});
