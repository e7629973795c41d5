/** A file of the person's own machine, sent to `t4a web` in parts, and played. Loaded when one is dropped or chosen. */
import type { DaemonLink } from './daemon-link.js';
import type { Desk } from './desk.js';
import { MAX_UPLOAD_BYTES, UPLOAD_PART_BYTES, type OpenedRecording } from './served.js';

/** Parts on their way. */
const MOST_PARTS = 8;

/** @throws Error with a sentence for the person */
export async function playFile(desk: Desk, file: File): Promise<void> {
  const { model } = desk;
  const daemon = model.chosenDaemon ?? [...model.daemons.values()].find(({ isOpen }) => isOpen);
  if (daemon === undefined) throw new Error('No daemon answers yet.');
  const tooLarge = `${file.name} has ${Math.ceil(file.size / 1024 / 1024)} MiB, and a page plays files up to 16.`;
  if (file.size > MAX_UPLOAD_BYTES) return model.notice(tooLarge);
  if (file.size === 0) return model.notice(`${file.name} is empty.`);
  const { id, complete } = await sent(daemon.link, file);
  desk.play(daemon.name, id, { name: file.name, isComplete: complete });
}

async function sent(link: DaemonLink, file: File): Promise<OpenedRecording> {
  const under = new Set<Promise<unknown>>();
  let last: Partial<OpenedRecording> = {};
  for (let at = 0; at < file.size; at += UPLOAD_PART_BYTES) {
    const part = inBase64(await file.slice(at, at + UPLOAD_PART_BYTES).arrayBuffer());
    const asked = link.served('web_upload', { part, ...(at === 0 ? { name: file.name, size: file.size } : {}) });
    // The first that fails is thrown; the others fail after it.
    const one = asked.then((reply) => (last = reply)).finally(() => under.delete(one));
    under.add(one);
    if (under.size >= MOST_PARTS || at + UPLOAD_PART_BYTES >= file.size) await Promise.all(under);
  }
  const { id, duration_ms = 0, complete = true } = last;
  if (id === undefined) throw new Error('The file was not taken.');
  return { id, duration_ms, complete };
}

function inBase64(bytes: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}
