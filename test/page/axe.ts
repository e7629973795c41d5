/** What axe finds on a page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Serious findings. Its script comes by the debugger, which the policy of the page does not bind. */
export async function axe(page: Page): Promise<string[]> {
  const result = (await page.evaluate(`${AXE}; axe.run({ resultTypes: ['violations'] })`)) as AxeResult;
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** The looks that the suite has: one of each size and of each theme. */
export const isSampled = ([size, theme]: readonly [size: string, theme: string, ...unknown[]]): boolean =>
  size.endsWith('laptop') === (theme === 'light');
