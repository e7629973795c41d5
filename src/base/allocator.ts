/**
 * What the C library's allocator is told by the environment of whoever starts the daemon. A picture passes through blocks
 * of megabytes on several threads. By itself glibc begins to keep such blocks in its heaps once it has seen a few, and
 * 300 WebP pictures leave 400 MB behind that nobody uses; with a fixed threshold each goes back to the system at once,
 * and 220 MB are left. Other C libraries do not know these names.
 */
export const ALLOCATOR_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
};
