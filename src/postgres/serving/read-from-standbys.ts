import { StoreBusy } from '../../roster/errors.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { JoinedPage } from '../../roster/joined-page.ts';
import type { ListQuery } from '../../roster/list-query.ts';
import type { ReadPlace, StoreReader } from '../../roster/roster.ts';
import type { Standby } from './standby.ts';
import type { Standbys } from './standbys.ts';

/** A page that takes a standby longer is asked of the primary too: a lock that is replayed there may hold it up for seconds. */
const LATE_MS = 500;

/** One that lags may come and go with each look. */
const TOLD_AGAIN_AFTER_MS = 1_000;

/**
 * Pages of the primary's roster, read from standbys. Which one has an organization's pages depends on the organization alone, so a
 * walk stays on it. While that one isn't usable the primary has them, and no other standby. All that isn't a page is the primary's.
 */
export function readFromStandbys(primary: StoreReader, standbys: Standbys): StoreReader {
  const pages = new Map(['primary', ...standbys.all.map(({ name }) => name)].map(name => [name, 0]));
  const count = (name: string) => pages.set(name, (pages.get(name) ?? 0) + 1);
  const readPlaces = (): readonly ReadPlace[] => [
    { name: 'primary', pages: pages.get('primary') ?? 0, lagSeconds: null, problems: [] },
    ...standbys.all.map(standby => ({
      name: standby.name,
      pages: pages.get(standby.name) ?? 0,
      lagSeconds: standby.lagSeconds,
      problems: problemsOf(standby),
    })),
  ];
  return {
    ...primary,
    readPlaces,
    async listApiKeys(organization, query) {
      const standby = standbys.of(organization);
      const page = standby.isUsable ? await pageOf(standby, organization, query) : null;
      count(page ? standby.name : 'primary');
      return page ?? primary.listApiKeys(organization, query);
    },
    checkReadiness: async () => [...(await primary.checkReadiness()), ...standbys.all.flatMap(problemsOf)],
    watchReadiness(listener) {
      let [told, toldAt] = ['', Number.NEGATIVE_INFINITY];
      standbys.onLooked = async () => {
        const failing = readPlaces().filter(({ problems }) => problems.length > 0);
        const names = failing.map(({ name }) => name).join();
        if (names === told || performance.now() - toldAt < TOLD_AGAIN_AFTER_MS) return;
        toldAt = performance.now();
        const isTold = await listener().then(
          () => true,
          () => false,
        );
        if (isTold) told = names;
      };
    },
    async close() {
      await standbys.close();
      await primary.close();
    },
  };
}

/**
 * `null` where the primary has to answer: the standby fails, hangs, has too much to do, or doesn't know the cursor, which the primary
 * may. What is too much for the primary too, its lanes refuse.
 */
async function pageOf(
  standby: Standby,
  organization: OrganizationId,
  query: ListQuery,
): Promise<JoinedPage | null> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new StoreBusy('a page took longer than 0.5 s')), LATE_MS);
  try {
    return await Promise.race([standby.listApiKeys(organization, query), late.promise]);
  } catch (error) {
    standby.failed(error as Error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function problemsOf(standby: Standby): string[] {
  const { name, problem } = standby;
  if (problem !== null) return [`standby ${name}: ${problem}: its pages are read from the primary`];
  return standby.failures().map(each => `standby ${name}: ${each}`);
}
