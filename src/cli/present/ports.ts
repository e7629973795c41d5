/** Ports as host:port with their process, and URLs. */
import { printable } from '../output/printable.js';
import type { Present } from './presenter.js';

export const presentPorts: Present<'ports'> = ({ reply: { listeners, urls } }, host) => {
  for (const { address, port, process, pid } of listeners) {
    const place = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
    host.out(`${place} ${printable(process ?? 'unknown')} (pid ${pid})\n`);
  }
  for (const url of urls) host.out(`${printable(url)}\n`);
  if (listeners.length + urls.length === 0) host.note('No ports, and no URLs on the screen.\n');
};
