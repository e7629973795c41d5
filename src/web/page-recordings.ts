/**
 * Answers of `t4a web` itself to one page: the recordings of its daemon, by numbers instead of paths, and what the page has opened.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { ShareOwner } from '../base/shares.js';
import type { Header } from '../client/reply-reader.js';
import { T4aError, quote } from '../protocol/errors.js';
import type { ListedRecording, ServedRequests } from '../page/served.js';
import type { PipeOptions } from './daemon-pipe.js';
import { DaemonRequests } from './daemon-requests.js';
import type { Way } from './daemons.js';
import type { Films } from './films.js';
import { Upload, type UploadPlaces } from './uploads.js';

export interface PageRecordingsOptions {
  readonly way: Way;
  readonly isReadOnly: boolean;
  readonly pipe: PipeOptions;
  readonly uploads: UploadPlaces;
  readonly films: Films;
  /** Owner whose share of both the page takes. */
  readonly owner: ShareOwner;
}

/** Most open recordings of one page; another closes the oldest. */
const MOST_OPEN = 4;

export interface ServedReply {
  readonly header: Header;
  readonly bytes?: Uint8Array;
}

type Fields = Readonly<Record<string, unknown>>;

export class PageRecordings {
  readonly #options: PageRecordingsOptions;
  readonly #daemon: DaemonRequests;
  readonly #opened: string[] = [];
  readonly #controller = new AbortController();
  #upload: Upload | undefined;
  /** One request after another. */
  #last: Promise<unknown> = Promise.resolve();

  readonly #commands: Readonly<Record<keyof ServedRequests, (fields: Fields) => Promise<ServedReply>>> = {
    web_recordings: async () => ({
      header: { recordings: [...(await this.#list()).values()].map(({ shown }) => shown) },
    }),
    web_open: (fields) => this.#open(fields),
    web_close: (fields) => this.#close(fields),
    web_upload: (fields) => this.#add(fields),
    web_film: (fields) => this.#film(fields),
  };

  constructor(options: PageRecordingsOptions) {
    this.#options = options;
    this.#daemon = new DaemonRequests(options.way, options.pipe);
  }

  /** Undefined for a command of the protocol. @throws T4aError with the promise */
  answer(fields: Fields): Promise<ServedReply> | undefined {
    const { cmd } = fields;
    if (typeof cmd !== 'string' || !Object.hasOwn(this.#commands, cmd)) return undefined;
    const answered = this.#last.then(() => this.#commands[cmd as keyof ServedRequests](fields));
    this.#last = answered.catch(() => {});
    return answered;
  }

  /** Closes what the page has opened, with the page. */
  dispose(): void {
    this.#controller.abort();
    this.#upload?.dispose();
    this.#upload = undefined;
    void this.#last
      .then(() => Promise.all(this.#opened.splice(0).map((id) => this.#daemon.ask('kill', { id }))))
      .catch(() => {
        // The daemon has gone, and they with it.
      })
      .finally(() => this.#daemon.close());
  }

  /** Recordings by their numbers. */
  async #list(): Promise<ReadonlyMap<string, { readonly path: string; readonly shown: ListedRecording }>> {
    const { recordings } = await this.#ask('recordings', {});
    const all = Array.isArray(recordings) ? (recordings as readonly Fields[]) : [];
    return new Map(
      all.flatMap((one) => {
        if (typeof one['path'] !== 'string') return [];
        const path = one['path'];
        const recording = createHash('sha256').update(path).digest('hex').slice(0, 24);
        const shown: ListedRecording = {
          recording,
          name: basename(path),
          title: textOf(one['title']),
          terminal: textOf(one['terminal']),
          started_at: typeof one['started_at'] === 'number' ? one['started_at'] : null,
          size: typeof one['size'] === 'number' ? one['size'] : 0,
          live: one['live'] === true,
        };
        return [[recording, { path, shown }] as const];
      }),
    );
  }

  async #open({ recording }: Fields): Promise<ServedReply> {
    const found = typeof recording === 'string' ? (await this.#list()).get(recording) : undefined;
    if (found === undefined) throw new T4aError('recording_not_found', 'That recording is not there any more.');
    return this.#opening(found.path);
  }

  async #opening(path: string, mustBeCast = false): Promise<ServedReply> {
    const { id, format, duration_ms, complete } = await this.#ask('open', { path });
    if (typeof id !== 'string') throw new T4aError('recording_invalid', 'The daemon gives it no name.');
    this.#opened.push(id);
    if (mustBeCast && !String(format).startsWith('asciicast')) {
      await this.#close({ id });
      throw new T4aError('recording_invalid', `${quote(path)} is no asciicast.`);
    }
    const [oldest] = this.#opened;
    if (this.#opened.length > MOST_OPEN) await this.#close({ id: oldest });
    return { header: { id, duration_ms, complete } };
  }

  /** Only what this page has opened. */
  async #close({ id }: Fields): Promise<ServedReply> {
    const index = typeof id === 'string' ? this.#opened.indexOf(id) : -1;
    if (index === -1) throw new T4aError('recording_not_found', 'This page has not opened it.');
    this.#opened.splice(index, 1);
    await this.#ask('kill', { id });
    return { header: {} };
  }

  async #add({ part, name, size }: Fields): Promise<ServedReply> {
    const { isReadOnly, way, uploads } = this.#options;
    if (isReadOnly) throw new T4aError('not_allowed', 'A page that only looks sends no files: play one of the daemon.');
    if (!('socketPath' in way)) {
      throw new T4aError(
        'not_allowed',
        'A dropped file plays beside a daemon of this machine: choose one of its terminals.',
      );
    }
    if (size !== undefined) {
      this.#upload?.dispose();
      this.#upload = undefined;
      this.#upload = new Upload(name, size, uploads, this.#options.owner);
    }
    const upload = this.#upload;
    if (upload === undefined) throw new T4aError('recording_invalid', 'The file has no beginning.');
    let isGoingOn = false;
    try {
      isGoingOn = !upload.add(part);
      if (isGoingOn) return { header: {} };
      if (!upload.looksLikeCast) throw new T4aError('recording_invalid', `${quote(upload.name)} is no asciicast.`);
      return await upload.use((path) => this.#named(upload.name, path));
    } finally {
      if (!isGoingOn) {
        upload.dispose();
        this.#upload = undefined;
      }
    }
  }

  /** Errors have the name that the person knows. */
  async #named(name: string, path: string): Promise<ServedReply> {
    try {
      return await this.#opening(path, true);
    } catch (error) {
      if (!(error instanceof T4aError)) throw error;
      throw new T4aError(error.code, error.message.replaceAll(quote(path), quote(name)).replaceAll(path, name));
    }
  }

  async #film({ id }: Fields): Promise<ServedReply> {
    if (typeof id !== 'string') throw new T4aError('terminal_not_found', 'A film is that of a terminal.');
    // It becomes an argument: what is no terminal of the daemon, as the name of a file, is refused here.
    await this.#ask('status', { id });
    if (!/^\w[\w-]*$/.test(id)) {
      throw new T4aError('not_allowed', `The name ${quote(id)} might be that of a file: t4a export`);
    }
    const { way, owner } = this.#options;
    const bytes = await this.#options.films.gif(way, id, this.#controller.signal, owner);
    return { header: { len: bytes.length }, bytes };
  }

  /** @throws T4aError that the daemon gave */
  async #ask(cmd: string, fields: object): Promise<Header> {
    const header = await this.#daemon.ask(cmd, fields);
    if (header['ok'] === true) return header;
    throw new T4aError(String(header['code']) as T4aError['code'], String(header['error']));
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 200) : null;
}
