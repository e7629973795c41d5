export interface Room {
  readonly name: string;
  readonly half: 'both' | 'serving' | 'asking';
  readonly mayImport: readonly string[];
}

export interface InnerRoom {
  readonly outer: string;
  readonly name: string;
  readonly mayImport: readonly string[];
}

export function readRooms(root: string): Room[];
export function readInnerRooms(root: string): InnerRoom[];
