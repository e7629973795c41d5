/** Looks of a picture. */
import type { SizeProfile } from './cell-size.js';
import type { Theme } from './theme.js';
import type { ViewRegion } from './view.js';

export interface PictureOptions extends SizeProfile {
  readonly cursor: boolean;
  readonly theme: Theme;
  /** Contrast (WCAG) that text reaches on its background, 4.5 by default; 1 leaves colours alone. */
  readonly minimumContrast?: number | undefined;
  /** Bold text in colours 0 to 7 takes 8 to 15. */
  readonly boldAsBright?: boolean | undefined;
  /** False draws the cursor hollow. */
  readonly focused?: boolean | undefined;
  /** Only this part of the screen. */
  readonly region?: ViewRegion | undefined;
  /** Row and column numbers of the grid at the left and the top; they take cells of their own. */
  readonly rulers?: boolean | undefined;
  /** Boxes around these cells of the grid. */
  readonly marks?: readonly ViewRegion[] | undefined;
  /** Rows of the grid that stand back, because nothing in them is new. */
  readonly unchangedRows?: ReadonlySet<number> | undefined;
}
