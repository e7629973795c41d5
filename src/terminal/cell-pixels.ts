/** Cell size in pixels as reported to programs: that of the default picture. */
export const CELL_WIDTH = 8;
export const CELL_HEIGHT = 16;
