import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_CONFIG } from '../../src/protocol/commands/config.js';
import { configShape } from '../../src/protocol/config-shape.js';
import { MAX_INPUT_BYTES, MAX_LINE_BYTES } from '../../src/protocol/limits.js';

describe('the configuration', () => {
  it('has default values that are valid', () => {
    expect(z.strictObject(configShape).parse(DEFAULT_CONFIG)).toEqual(DEFAULT_CONFIG);
  });

  it('has the documented default values', () => {
    expect(DEFAULT_CONFIG).toEqual({
      lc_ctype: process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8',
      persist: '',
      program_status: 'answer',
      term_program: '',
      history_bytes: 8_388_608,
      history_total_bytes: 268_435_456,
      record: 'off',
      activity: 'memory',
      idle_timeout_ms: 2000,
      scrollback: 10_000,
      log_level: 'info',
      max_terminals: 500,
      max_terminals_per_owner: 0,
      max_trigger_runs: 0,
      redact: { patterns: [], variables: [], known: false, replies: false },
      theme: 'dark',
      themes: {},
      max_scrollback: 1_000_000,
      output_buffer_bytes: 524_288,
      input_buffer_bytes: 2_162_688,
      ended_ttl_ms: 86_400_000,
      ended_max: 200,
      kill_grace_ms: 3000,
      max_connections: 1024,
      client_buffer_bytes: 8_388_608,
      max_requests_in_flight: 256,
      max_line_bytes: 10_485_760,
      event_queue: 1024,
      max_waits: 256,
      max_image_side: 16_384,
      atlas_bytes: 16_777_216,
      max_memory_bytes: 0,
    });
  });

  it('has room for two of the largest inputs at once', () => {
    expect(MAX_INPUT_BYTES).toBe(1_048_576);
    expect(DEFAULT_CONFIG.input_buffer_bytes).toBeGreaterThan(2 * MAX_INPUT_BYTES);
    // As base64, and as JSON of which every byte is escaped.
    expect(MAX_LINE_BYTES).toBeGreaterThan(6 * MAX_INPUT_BYTES);
  });
});
