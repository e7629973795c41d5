/** The process of the host. */
import { type ImportModule, lazyBundles } from '../main.js';
import { serveClients } from './serve.js';

/** @param build of the program, by which a client knows its own */
export async function serveHost(importModule: ImportModule, socketPath: string, build: string): Promise<void> {
  await serveClients({ socketPath, build, env: { ...process.env }, bundles: lazyBundles(importModule) });
  process.exit();
}
