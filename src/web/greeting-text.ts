/** Text of a WebSocket before it carries requests: its first messages, and the reason of its end. Pure. */
import type { Admission } from '../page/greeting.js';

/** The reason of a closed WebSocket has at most 123 bytes. */
export function cutGreeting(text: string): string {
  return Buffer.from(text)
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD$/, '');
}

export type Greeting = Partial<Record<'code' | 'key_id' | 'nonce' | keyof Admission, unknown>>;

export function parsed(message: string): Greeting | undefined {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
