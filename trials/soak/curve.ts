/** What the daemon held after each turn: whether it stays flat, and the picture of it. */

export interface Sample {
  readonly turn: number;
  readonly values: Readonly<Record<Held, number>>;
}

export const HELD = ['memory', 'descriptors', 'timers', 'listeners'] as const;

export type Held = (typeof HELD)[number];

/** Shares of the turns: what the end is compared with, and the end. */
const EARLY = { from: 0.05, to: 0.15 };
const LATE = { from: 0.95, to: 1 };

/**
 * So many turns it takes: memory rises until everything that is loaded and filled once has been, and each terminal at work
 * has some timers now and none then, which only many samples tell from a rise.
 */
const JUDGED_FROM: Readonly<Record<Held, number>> = { memory: 10_000, descriptors: 0, timers: 10_000, listeners: 0 };
const MAX_GROWTH = 1.05;
/** Of things that come in ones and twos, a twentieth says nothing. */
const FEW = 2;

export interface Growth {
  readonly early: number;
  readonly late: number;
  readonly tooMuch: boolean;
}

export function growthOf(samples: readonly Sample[], held: Held, turns: number): Growth {
  const early = median(part(samples, EARLY, turns), held);
  const late = median(part(samples, LATE, turns), held);
  const isJudged = turns >= JUDGED_FROM[held];
  const slack = held === 'memory' ? 0 : FEW;
  return { early, late, tooMuch: isJudged && late > Math.max(early * MAX_GROWTH, early + slack) };
}

function part(samples: readonly Sample[], { from, to }: typeof EARLY, turns: number): readonly Sample[] {
  return samples.filter(({ turn }) => turn >= from * turns && turn <= to * turns);
}

function median(samples: readonly Sample[], held: Held): number {
  const sorted = samples.map(({ values }) => values[held]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const WIDTH = 760;
const HEIGHT = 120;
const LEFT = 110;
const GAP = 30;
const COLOURS: Readonly<Record<Held, string>> = {
  memory: '#2f6fde',
  descriptors: '#b5502f',
  timers: '#3c8f4d',
  listeners: '#8a4fbf',
};

/** One curve below the other, each from zero. */
export function curvePicture(samples: readonly Sample[], turns: number): string {
  const height = HELD.length * (HEIGHT + GAP) + GAP;
  const curves = HELD.map((held, i) => curve(samples, held, turns, GAP / 2 + i * (HEIGHT + GAP)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 20} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...curves,
    `<text x="${LEFT + WIDTH}" y="${height - 8}" text-anchor="end" fill="#555555">${turns.toLocaleString('en')} turns</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function curve(samples: readonly Sample[], held: Held, turns: number, top: number): string {
  const highest = Math.max(1, ...samples.map(({ values }) => values[held]));
  const points = samples.map(({ turn, values }) => {
    const x = LEFT + (turn / turns) * WIDTH;
    const y = top + HEIGHT - (values[held] / highest) * HEIGHT;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const most = held === 'memory' ? `${Math.round(highest / 1e6)} MB` : String(highest);
  return [
    `<path d="M${LEFT} ${top}V${top + HEIGHT}H${LEFT + WIDTH}" fill="none" stroke="#bbbbbb"/>`,
    `<text x="${LEFT - 8}" y="${top + 10}" text-anchor="end" fill="#555555">${most}</text>`,
    `<text x="${LEFT - 8}" y="${top + HEIGHT / 2}" text-anchor="end" fill="${COLOURS[held]}">${held}</text>`,
    `<text x="${LEFT - 8}" y="${top + HEIGHT}" text-anchor="end" fill="#555555">0</text>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="${COLOURS[held]}" stroke-width="1.5"/>`,
  ].join('\n');
}
