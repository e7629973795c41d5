/** Answers of `t4a web` itself to one page, in place of its daemon. It begins with the first of these requests. */
import type { Header } from '../client/reply-reader.js';
import { errorReply, T4aError } from '../protocol/errors.js';
import { requestFields, type RequestFields } from '../protocol/request-line.js';
import { PageRecordings, type PageRecordingsOptions, type ServedReply } from './page-recordings.js';

type Reply = (header: Header, bytes: Uint8Array | undefined) => void;
type Req = string | number | undefined;

export class ServedPage {
  readonly #options: PageRecordingsOptions;
  readonly #reply: Reply;
  #recordings: PageRecordings | undefined;

  constructor(options: PageRecordingsOptions, reply: Reply) {
    this.#options = options;
    this.#reply = reply;
  }

  /** @param message a request @returns whether it is answered here, now or later */
  take(message: string, req: Req): boolean {
    if (!message.includes('"web_')) return false;
    this.#recordings ??= new PageRecordings(this.#options);
    const fields = requestFields(message) as RequestFields;
    const answer = this.#recordings.answer(fields);
    if (answer === undefined) return false;
    void this.#answer(answer, req);
    return true;
  }

  /** Ends with the page. */
  dispose(): void {
    this.#recordings?.dispose();
  }

  async #answer(answer: Promise<ServedReply>, req: Req): Promise<void> {
    const own = req === undefined ? {} : { req };
    let reply: ServedReply;
    try {
      const { header, ...bytes } = await answer;
      reply = { header: { ok: true, ...header, ...own }, ...bytes };
    } catch (error) {
      const known = error instanceof T4aError ? error : new T4aError('internal', String(error));
      reply = { header: { ...errorReply(known), ...own } };
    }
    this.#reply(reply.header, reply.bytes);
  }
}
