/** One line of the doctor's report: what was looked at, how it is, and what to do if it is not well. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failure';
  readonly says: string;
  readonly advice?: string;
}

export function passed(check: string, says: string): Finding {
  return { check, state: 'ok', says };
}

export function warning(check: string, says: string, advice: string): Finding {
  return { check, state: 'warning', says, advice };
}

export function failed(check: string, says: string, advice: string): Finding {
  return { check, state: 'failure', says, advice };
}
