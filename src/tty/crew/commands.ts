/** The palette, and what its lines do. */
import { systemClock } from '../../base/clock.js';
import { Picker, type PickerWords } from '../picker.js';
import type { TtyApp } from '../tty-app.js';
import type { Preset, PresetKind } from '../../crew/preset.js';
import type { Clicks } from './clicks.js';
import { rootsOf } from './end-with.js';
import { PresetLaunch } from './launch.js';
import type { Leader } from './leader.js';
import type { Notes } from './notes.js';
import { type Act, type PaletteOffer, offers, starts } from './palette.js';
import { Reading } from './reading.js';
import type { Scene } from './scene.js';
import type { ShellCrew } from './shell-crew.js';

export interface CommandsOptions {
  readonly crew: ShellCrew;
  readonly app: TtyApp;
  readonly notes: Notes;
  readonly clicks: Clicks;
  readonly leader: Leader;
  readonly scene: () => Scene;
  /** Arrows and Enter are for the rail. */
  readonly walk: () => void;
  /** All keys are for the program. */
  readonly passKeys: () => void;
  readonly scrollBack: () => void;
  /** The crew ends with the shell. */
  readonly endsCrew: boolean;
  readonly end: (note: string) => void;
}

const PALETTE = { label: 'Crew:', enter: 'do it', none: 'nothing of that name' };
const NEW = { label: 'Start:', enter: 'start it', none: 'no preset of that name' };

export class CrewCommands {
  readonly #options: CommandsOptions;
  readonly #launch: PresetLaunch;

  constructor(options: CommandsOptions) {
    this.#options = options;
    const { app, crew } = options;
    this.#launch = new PresetLaunch({
      app,
      crew,
      start: (kind, preset, text) => this.#start(kind, preset, text),
    });
  }

  openPalette(): void {
    this.#pickFrom(this.#offered, PALETTE);
  }

  /** @param id of a line of the palette, as it is shown */
  doLine(id: string): void {
    const line = this.#offered.find((one) => one.id === id);
    if (line === undefined) this.#options.app.say(`The palette has no "${id}" at this moment.`);
    else this.do(line.act);
  }

  get #offered(): readonly PaletteOffer[] {
    const { crew, notes, scene, leader } = this.#options;
    const { members, needs, stage } = scene();
    return offers({
      members,
      needs,
      scratchpads: notes.names,
      nowMs: systemClock.wallNow(),
      presets: crew.presets(),
      shown: stage.id,
      leader: leader.name,
    });
  }

  #pickFrom(offered: readonly PaletteOffer[], words: PickerWords): void {
    const pick = (id: string): void => {
      const picked = offered.find((one) => one.id === id);
      if (picked !== undefined) this.do(picked.act);
    };
    this.#options.app.open(new Picker(offered, pick, words));
  }

  do(act: Act): void {
    const { app, crew, scene, clicks, walk, passKeys, scrollBack } = this.#options;
    switch (act.kind) {
      case 'go':
        return void app.during(() => scene().show(act.id));
      case 'answer':
        return void app.during(() => scene().answer(act.id));
      case 'close':
        return app.ask({ label: `End ${act.id} and all that it has started? (y/n)`, isOneKey: true }, async (key) => {
          if (key === 'y') await this.#close(act.id);
        });
      case 'start':
        return this.#launch.begin(act.preset);
      case 'new':
        return this.#pickFrom(starts(crew.presets()), NEW);
      case 'scratchpad':
        return this.#read(act.name);
      case 'rail':
        return walk();
      case 'keys':
        return passKeys();
      case 'above':
        return scrollBack();
      case 'take':
        return void app.during(() => scene().take());
      case 'give':
        return void app.during(() => scene().giveBack());
      case 'mouse':
        return app.say(clicks.toggle() ? 'The mouse is left to your own terminal.' : 'The mouse is taken back.');
      default:
        return this.leave();
    }
  }

  leave(): void {
    const { app, scene, end, endsCrew } = this.#options;
    const { length } = scene().living;
    if (length === 0) return end('');
    const count = `${length} ${length === 1 ? 'goes' : 'go'}`;
    const label = endsCrew
      ? `Leave? Enter: end all. k: ${count} on. Esc: stay.`
      : `Leave? Enter: ${count} on. e: end all. Esc: stay.`;
    app.ask({ label, isOneKey: true }, async (key) => {
      if (key === (endsCrew ? '\r' : 'e')) {
        await this.#closeAll();
        end('The crew has ended.');
      } else if (key === (endsCrew ? 'k' : '\r')) {
        await scene().release();
        end(goesOn(length));
      }
    });
  }

  async #start(kind: PresetKind, preset: Preset, text: string): Promise<void> {
    const { app, crew, scene } = this.#options;
    const { id, warning } = await crew.start(kind, preset, app.size);
    await scene().started(id);
    if (warning !== undefined) app.say(`${id}: ${warning}`);
    if (text === '') return;
    crew.deliver(id, text, preset).then(
      (why) => {
        if (why !== undefined) app.say(`${id}: Enter was not pressed: ${why}.`);
      },
      (problem: unknown) => app.report(problem),
    );
  }

  #read(name: string): void {
    const { app, notes } = this.#options;
    notes.choose(name);
    app.open(new Reading(name, notes.lines(name), () => app.size));
  }

  async #close(id: string): Promise<void> {
    const { app, crew, scene } = this.#options;
    const isShown = scene().stage.id === id;
    await crew.close(id);
    if (isShown) await scene().show(undefined);
    app.say(`Ended ${id}.`);
  }

  async #closeAll(): Promise<void> {
    for (const { id } of rootsOf(this.#options.scene().living)) await this.#options.crew.close(id);
  }
}

export function goesOn(members: number): string {
  return members === 0 ? '' : `The crew goes on: ${members}. "t4a crew list" shows it.`;
}
