/** What the overview of the web console shows, and what it has to show. */
import type { Page } from 'playwright-core';
import { ageOf, bandText } from '../../src/admin/report/age.ts';
import { ReportBuilder } from '../../src/admin/report/report-builder.ts';
import type { Count } from '../../src/admin/report/status-counts.ts';
import type { ApiKeyRecord } from '../../src/client/client.ts';
import { type ApiKey, recordOf } from '../../src/service/roster/api-key.ts';
import type { CreatorId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

/** Keys and active keys of a bar. */
type Numbers = readonly [label: string, keys: number, active?: number];

export interface ShownOverview {
  readonly figures: readonly number[];
  /** By the title of the chart. */
  readonly charts: Readonly<Record<string, readonly Numbers[]>>;
  readonly oldest: readonly (readonly [name: string, creator: string, date: string])[];
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
    oldest: oldest.map(([name = '', creator = '', date = '']) => [name, creator, date]),
  };
}

/** From the figures that `test/admin/report/report-builder.unit.ts` compares with a model. */
export function expectedOverview(keys: readonly ApiKey[], now: Date, oldAge = 365): ShownOverview {
  const builder = new ReportBuilder(now);
  const age = (record: ApiKeyRecord) => ageOf(record.created_at, now) as number;
  for (const key of keys) {
    const record = recordOf(key) as ApiKeyRecord;
    builder.add(record, age(record));
  }
  const report = builder.report();
  const first = <Group extends Count>(groups: readonly Group[], label: (group: Group) => string) =>
    groups.map((group): Numbers => [label(group), group.keys, group.active]).slice(0, 10);
  const repeated = first(report.repeated_names, ({ name }) => name);
  return {
    figures: [
      report.keys,
      report.active,
      report.by_age.reduce((sum, band) => sum + (band.from_days >= oldAge ? band.active : 0), 0),
      report.default_workspace.active,
      report.by_creator_type.find(({ type }) => type === 'service_account')?.active ?? 0,
    ],
    charts: {
      'By status': report.by_status.map(({ status, keys }) => [status, keys]),
      'By age': first(report.by_age, bandText),
      'Workspaces with the most active keys': first(
        report.by_workspace,
        ({ workspace_id }) => workspace_id ?? 'Default workspace',
      ),
      'Creators with the most active keys': first(report.by_creator, ({ creator }) => creator.id),
      ...(repeated.length > 0 && { 'Names used more than once': repeated }),
    },
    oldest: report.oldest_active_keys.map(key => [key.name, key.created_by.id, key.created_at.slice(0, 10)]),
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
