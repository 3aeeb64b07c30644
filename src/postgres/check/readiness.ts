import { StoreUnavailable } from '../../roster/errors.ts';
import { planCauses } from '../../roster/page-shapes.ts';
import { checkPlans } from './plans.ts';

/**
 * Checks before the service is first ready that each page has its index: it would hold up all others. Once that is so, the check
 * costs nothing. The function throws `StoreUnavailable`.
 */
export function plansReadiness(url: string): () => Promise<void> {
  let isReady = false;
  return async () => {
    if (isReady) return;
    const [cause, ...more] = planCauses((await checkPlans(url, 1)) ?? [], String);
    if (cause) {
      const others = more.length > 0 ? `, and ${more.length} more` : '';
      throw new StoreUnavailable(`PostgreSQL: ${cause.problem}${others}: run "keyroster check"`);
    }
    isReady = true;
  };
}
