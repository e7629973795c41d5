/** Pictures that programs print, of which the screen shows nothing. */
export type PictureProtocol = 'sixel' | 'kitty' | 'iTerm2';

export interface UnshownPicture {
  readonly protocol: PictureProtocol;
  /** Lasting number of the line of the cursor. */
  readonly line: number;
}

interface Form {
  readonly protocol: PictureProtocol;
  readonly kind: string;
  readonly head: RegExp;
}

/**
 * Forms of pictures. For kitty that is what transmits pixels or places them: queries (`a=q`), deletions and further pieces (`m=`)
 * are none.
 */
const FORMS: readonly Form[] = [
  { protocol: 'sixel', kind: 'dcs', head: /^q$/ },
  { protocol: 'kitty', kind: 'apc', head: /^G(?!(?:.*,)?a=[qdac](?:,|$))(?!m=[01]$)/ },
  { protocol: 'iTerm2', kind: 'osc', head: /^1337;(?:Multipart)?File=(?:[^:]*;)?inline=1/ },
];

/** Undefined for what is no picture. */
export function pictureProtocol(kind: string, text: string): PictureProtocol | undefined {
  return FORMS.find((form) => form.kind === kind && form.head.test(text))?.protocol;
}
