import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What passes is told without details, as collecting them takes longer than the checks. */
const RUN = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";

/** What axe finds wrong in the page as it is: the rule, and the elements that break it. */
export async function violationsIn(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const violations = await page.evaluate<axe.Result[]>(RUN);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
}
