/** What the worklist of the web console shows, and what it has to show. */
import type { Page } from 'playwright-core';
import { Directory } from '../../src/admin/directory/directory.ts';
import { ageOf } from '../../src/admin/report/age.ts';
import { Breaches } from '../../src/admin/report/breaches.ts';
import { defaultPolicies } from '../../src/admin/report/default-policies.ts';
import type { Policy } from '../../src/admin/report/policies.ts';
import { ReportBuilder } from '../../src/admin/report/report-builder.ts';
import { breachesByPerson } from '../../src/admin/report/worklist.ts';
import type { ApiKeyRecord } from '../../src/client/client.ts';
import { type ApiKey, recordOf } from '../../src/service/roster/api-key.ts';
import type { CreatorId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

/** The numbers of each section with their words, by its title. */
export type ShownWorklist = Readonly<Record<string, readonly string[]>>;

/** Opens the worklist by its link, and waits for the end of its count. */
export async function openWorklist(
  page: Page,
  keys: number,
  options: { readonly timeout?: number } = {},
): Promise<void> {
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByText(`of ${keys.toLocaleString('en')} key`).waitFor(options);
}

export async function shownWorklist(page: Page): Promise<ShownWorklist> {
  const sections = await page.locator('.worklist > section').all();
  return Object.fromEntries(
    await Promise.all(
      sections.map(async section => [
        await section.getAttribute('aria-label'),
        (await section.locator('.number-link').allInnerTexts()).map(text =>
          text.replaceAll(/\s+/g, ' ').trim(),
        ),
      ]),
    ),
  );
}

/** From the figures and breaches that the tests of `src/admin/report` compare with models. */
export function expectedWorklist(
  keys: readonly ApiKey[],
  at: Date,
  policies: readonly Policy[] = defaultPolicies({}, undefined),
): ShownWorklist {
  const builder = new ReportBuilder(at);
  const breaches = new Breaches(policies, at);
  for (const each of keys) {
    const key = recordOf(each) as ApiKeyRecord;
    const ageMs = ageOf(key.created_at, at) as number;
    builder.add(key, ageMs);
    breaches.add([{ key, ageMs }]);
  }
  const figures = builder.report(new Directory([]));
  const text = (keys = 0, words = '') => `${keys.toLocaleString('en')} ${words}`;
  const programs = figures.by_creator_type.find(({ type }) => type === 'service_account')?.active;
  return {
    'By policy': policies.map(policy => text(breaches.count(policy), policy.breach)),
    'By person': breachesByPerson(breaches)
      .slice(0, 20)
      .map(({ creator: { id, type }, keys }) => text(keys, type === 'user' ? id : `${id} service`)),
    'All keys': [
      text(figures.keys, 'API keys'),
      ...figures.by_status.map(({ status, keys }) => text(keys, status)),
      text(figures.default_workspace.active, 'active, in the default workspace'),
      text(programs, 'active, of a service account'),
    ],
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
