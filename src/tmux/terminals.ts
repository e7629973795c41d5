/** The terminals of panes: creates, labels, looks at and ends them by calls of the daemon. It knows nothing of windows and layouts. */
import type { Client } from '../client/client.js';
import type { CallResult } from '../client/connection.js';
import { isT4aError } from '../protocol/errors.js';
import type { Params } from '../protocol/registry.js';
import type { LaunchFields } from './launch.js';
import type { Pane } from './model.js';
import { Refusal } from './options.js';

/** The ended terminal of a pane that has gone can be read for this long. */
const KEPT_MS = 60_000;

/** `list` takes no more. */
const MOST_IDS = 1000;

export type PaneFacts = CallResult<'list'>['terminals'][number] & { readonly scrollback_lines: number };

/** Facts that formats need of the daemon: what it lists of each pane, the rows of its screen, the character under its cursor. */
export type PaneNeeds = ReadonlyMap<Pane, ReadonlySet<PaneNeed>>;
export type PaneNeed = 'facts' | 'rows' | 'character';

export function needOfPane(pane: Pane, need: PaneNeed = 'facts'): PaneNeeds {
  return new Map([[pane, new Set([need])]]);
}

export class PaneTerminals {
  readonly client: Client;
  /** Facts by terminal, of the last call of {@link look}. */
  readonly facts = new Map<string, PaneFacts>();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #left = new Set<string>();
  #isClosing = false;

  constructor(client: Client) {
    this.client = client;
  }

  /** @param name gets a number if it is taken @param missing the exit status for a program that is not there @throws Refusal */
  async create(
    name: string,
    fields: LaunchFields & { labels: Record<string, string> },
    missing: number,
  ): Promise<{ id: string; pid: number }> {
    let { cwd, cmd_args: command } = fields;
    const gone = ['/bin/sh', '-c', `exit ${missing}`];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.client.call('create', {
          ...fields,
          cwd,
          cmd_args: command,
          name: attempt === 1 ? name : `${name}-${attempt}`,
        });
      } catch (error) {
        if (!isT4aError(error)) throw error;
        // As tmux does it: where the door was started, else in the root.
        if (error.code === 'cwd_not_found' && cwd !== '/') cwd = cwd === fields.cwd ? (fields.env['PWD'] ?? '/') : '/';
        // tmux notices it in the child, which ends at once.
        else if (error.code.startsWith('program_not_') && command !== gone) command = gone;
        else if (error.code !== 'name_taken') throw new Refusal(`create window failed: ${error.message}`);
      }
    }
  }

  /**
   * Asks what the daemon says of these panes now: all in one list, after a look at each, behind which nothing waits to be drawn.
   */
  async look(needs: PaneNeeds): Promise<void> {
    const asked = [...needs].filter(([{ terminal }]) => terminal !== '');
    const mains = await Promise.all(asked.map(([{ terminal: id }]) => this.#main(id)));
    const ids = asked.map(([{ terminal }]) => terminal);
    if (ids.length === 0) return;
    const { terminals } = await this.client.call('list', { where: ids.length > MOST_IDS ? {} : { id: ids } });
    const known = new Map(terminals.map((one) => [one.id, one]));
    await Promise.all(
      asked.map(async ([pane, of], at) => {
        const [main, facts] = [mains[at], known.get(ids[at] ?? '')];
        if (main === undefined || facts === undefined || pane.terminal !== facts.id) return;
        this.facts.set(facts.id, { ...facts, scrollback_lines: main.total_lines });
        if (facts.alt_screen) pane.savedCursor = main.cursor;
        if (facts.title !== pane.seenTitle) pane.title = facts.title;
        pane.seenTitle = facts.title;
        if (of.has('rows')) pane.rowsSeen = (await this.#text(facts.id, { region: 'viewport' }))?.lines ?? [];
        if (of.has('character')) pane.underCursor = await this.#character(pane, facts.cursor);
      }),
    );
  }

  /** @returns undefined for a terminal that has gone */
  async status(id: string): Promise<CallResult<'status'> | undefined> {
    return unlessGone(this.client.call('status', { id }));
  }

  async #text(id: string, of: Partial<Params<'text'>>): Promise<CallResult<'text'> | undefined> {
    return unlessGone(this.client.call('text', { id, ...of }));
  }

  /** History, and the cursor that waits behind an alternate screen. */
  #main(id: string): Promise<CallResult<'text'> | undefined> {
    return this.#text(id, { screen: 'main', region: 'scrollback', start: 0, end: 0 });
  }

  async #character({ terminal: id, rows }: Pane, { row, col }: PaneFacts['cursor']): Promise<string | undefined> {
    const fromBottom = Math.max(0, rows - 1 - row);
    const region = { region: 'viewport', start: fromBottom, end: fromBottom + 1 } as const;
    const { cells = [] } = (await this.#text(id, { format: 'cells', ...region })) ?? {};
    for (const run of cells[0] ?? []) {
      if (col < run.col || col >= run.col + run.cols) continue;
      const at = (col - run.col) / run.width;
      return Number.isInteger(at) ? Array.from(SEGMENTS.segment(run.text), ({ segment }) => segment)[at] : undefined;
    }
    return ' ';
  }

  /** The pane has gone. @param hasEnded it is kept for a while then */
  end(terminal: string, hasEnded = false): void {
    this.facts.delete(terminal);
    const kill = (): void => {
      this.#left.delete(terminal);
      this.later(this.client.call('kill', { id: terminal }));
    };
    if (!hasEnded || this.#isClosing) return kill();
    this.#left.add(terminal);
    setTimeout(kill, KEPT_MS).unref();
  }

  /** Work that no caller waits for; it is over before the door ends. */
  later(work: Promise<unknown>): void {
    const done = work.catch(() => {}).finally(() => this.#pending.delete(done));
    this.#pending.add(done);
  }

  /** Nothing is kept from now on. */
  closes(): void {
    this.#isClosing = true;
  }

  async close(): Promise<void> {
    for (const terminal of this.#left) this.later(this.client.call('kill', { id: terminal }));
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}

/** The daemon decides as it would of the end itself: a label that is not there is taken away. @throws Refusal */
export async function admittedEnd(client: Client, pane: Pane): Promise<void> {
  const { terminal: id } = pane;
  if (id !== '') await inWords(pane, () => client.call('label', { id, unset: [NO_LABEL] }));
}

const NO_LABEL = 'tmux.none';

async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!isT4aError(error) || error.code !== 'terminal_not_found') throw error;
    return undefined;
  }
}

/** Refusals of the daemon as those of the door; acts on a terminal that has gone are done. @throws Refusal */
export async function inWords({ id }: Pane, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isT4aError(error)) throw error;
    if (error.code === 'terminal_exited' || error.code === 'terminal_not_found') return;
    const why = error.code === 'control_held' ? `another has control of pane %${id}: ` : '';
    throw new Refusal(`${why}${error.message}`);
  }
}

const SEGMENTS = new Intl.Segmenter();
