/** What the overview of the web console shows, and what it has to show. */
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { CreatorId, WorkspaceId } from '../../src/roster/identifier.ts';
import { formatTimestamp, type Timestamp } from '../../src/roster/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

/** Keys and active keys of a bar. */
type Numbers = readonly [label: string, keys: number, active?: number];

export interface ShownOverview {
  readonly figures: readonly number[];
  /** By the title of the chart. */
  readonly charts: Readonly<Record<string, readonly Numbers[]>>;
  /** Names and days. */
  readonly oldest: readonly (readonly [name: string, date: string, days: number])[];
}

/** Opens the overview by its link, and waits for the end of its count. */
export async function openOverview(
  page: Page,
  keys: number,
  options: { readonly timeout?: number } = {},
): Promise<void> {
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText(`${keys.toLocaleString('en')} keys, as of`).waitFor(options);
}

/** As text, as someone has it who can't see the bars. */
export async function shownOverview(page: Page): Promise<ShownOverview> {
  const number = (text = '') => Number.parseInt(text.replaceAll(',', ''), 10);
  const [figures, charts, oldest] = await Promise.all([
    page.locator('.figure-number').allInnerTexts(),
    Promise.all(
      (await page.locator('section.card').all()).map(
        async card =>
          [
            await card.getAttribute('aria-label'),
            await card
              .locator('.bar-row:not(.bar-head)')
              .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent))),
          ] as const,
      ),
    ),
    page
      .locator('.oldest-keys tbody tr')
      .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent))),
  ]);
  return {
    figures: figures.map(number),
    charts: Object.fromEntries(
      charts
        .filter(([, rows]) => rows.length > 0)
        .map(([title, rows]) => [
          title,
          rows.map(([label = '', , keys, active]) =>
            active === undefined ? [label, number(keys)] : [label, number(keys), number(active)],
          ),
        ]),
    ),
    oldest: oldest.map(([name = '', date = '', days]) => [name, date, number(days)]),
  };
}

const DAY = 86_400_000_000n;
const BANDS = [
  ['under 30 days', 0, 30],
  ['30 to 89 days', 30, 90],
  ['90 to 179 days', 90, 180],
  ['180 to 364 days', 180, 365],
  ['365 to 729 days', 365, 730],
  ['730 days and more', 730, Infinity],
] as const;

/** A model. No key may be of another age at the count's time than at this one. */
export function expectedOverview(keys: readonly ApiKey[], now: Date, oldAge = 365): ShownOverview {
  const days = ({ createdAt }: ApiKey) => Number((BigInt(now.getTime()) * 1_000n - createdAt) / DAY);
  const active = keys.filter(({ status }) => status === 'active');
  const isActive = (key: ApiKey) => key.status === 'active';
  const numbers = (label: string, some: readonly ApiKey[]): Numbers => [
    label,
    some.length,
    some.filter(isActive).length,
  ];
  const groups = (of: (key: ApiKey) => string) =>
    [...Map.groupBy(keys, of)].map(([label, some]) => numbers(label, some));
  const first = (all: readonly Numbers[]) =>
    all
      .toSorted(
        ([a, keysA, activeA = 0], [b, keysB, activeB = 0]) =>
          activeB - activeA || keysB - keysA || (a < b ? -1 : 1),
      )
      .slice(0, 10);
  const month = (key: ApiKey) => formatTimestamp(key.createdAt).slice(0, 7);
  const months = Array.from({ length: 36 }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 35 + index)).toISOString().slice(0, 7),
  );
  const byMonth = new Map(groups(month).map(each => [each[0], each]));
  const earlier = keys.filter(key => month(key) < String(months[0]));
  const repeated = groups(({ name }) => name).filter(([, count]) => count > 1);
  return {
    figures: [
      keys.length,
      active.length,
      active.filter(key => days(key) >= oldAge).length,
      active.filter(({ workspaceId }) => workspaceId === null).length,
      active.filter(({ createdBy }) => createdBy.type === 'service_account').length,
    ],
    charts: {
      'By status': ['active', 'inactive', 'archived'].map(status => [
        status,
        keys.filter(key => key.status === status).length,
      ]),
      'By age': BANDS.map(([label, from, to]) =>
        numbers(
          label,
          keys.filter(key => days(key) >= from && days(key) < to),
        ),
      ),
      'Workspaces with the most active keys': first(
        groups(({ workspaceId }) => workspaceId ?? 'Default workspace'),
      ),
      'Creators with the most active keys': first(groups(({ createdBy }) => createdBy.id)),
      ...(repeated.length > 0 && {
        'Names used more than once': repeated
          .toSorted(
            ([a, keysA, activeA = 0], [b, keysB, activeB = 0]) =>
              keysB - keysA || activeB - activeA || (a < b ? -1 : 1),
          )
          .slice(0, 10),
      }),
      'Created per month': [
        ...(earlier.length > 0 ? [numbers(`before ${months[0]}`, earlier)] : []),
        ...months.map(label => byMonth.get(label) ?? ([label, 0, 0] as const)),
      ],
    },
    oldest: active
      .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
      .slice(0, 10)
      .map(key => [key.name, formatTimestamp(key.createdAt).slice(0, 10), days(key)]),
  };
}

const SECOND = 1_000_000n;

/**
 * Keys of the last 1,500 days, newest first, that differ in all that is counted. Their ages are multiples of 800 seconds, and then
 * half of that more, so none becomes a day older while a test runs.
 */
export function variedKeys(count: number): ApiKey[] {
  const step = (1_500n * 86_400n) / BigInt(count) / 800n;
  const start = now();
  return Array.from({ length: count }, (_, number) =>
    numberedKey(number, {
      createdAt: (start - (BigInt(number) * step * 800n + 400n) * SECOND) as Timestamp,
      name: number % 10 === 0 ? `Shared ${number % 130}` : `Key ${number}`,
      status: number % 11 === 0 ? 'archived' : number % 3 === 0 ? 'inactive' : 'active',
      workspaceId: number % 5 === 0 ? null : (`wrkspc_${number % 12}` as WorkspaceId),
      createdBy:
        number % 7 === 0
          ? { id: `svac_${number % 5}` as CreatorId, type: 'service_account' }
          : { id: `user_${number % 37}` as CreatorId, type: 'user' },
    }),
  );
}
