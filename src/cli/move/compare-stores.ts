import { isSame } from '../../roster/given-admin-key.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { PageItem } from '../../roster/page.ts';
import type { Snapshot } from '../../roster/roster.ts';
import { type CreationPosition, walkRoster } from '../../roster/walks.ts';
import { keptAdminKeys, keptOrganizations } from './copy-store.ts';

export interface Compared {
  readonly organizations: number;
  readonly adminKeys: number;
  readonly apiKeys: number;
}

type Problem = 'is missing in the target' | 'is in the target only' | 'differs';

/** Is told of each thing that isn't the same. */
export type OnDifference = (what: string, problem: Problem) => void;

/** Compares all of the source with the target, which may have other organizations besides. Returns how many there are in the source. */
export async function compareStores(
  source: Snapshot,
  target: Snapshot,
  onDifference: OnDifference,
): Promise<Compared> {
  const organizations = new Set<OrganizationId>();
  const both = inStep(keptOrganizations(source), keptOrganizations(target), oldestFirst);
  for await (const [ours, theirs] of both) {
    if (!ours) continue;
    organizations.add(ours.id);
    const problem = problemOf(ours, theirs, (a, b) => a.name === b.name && a.disabledAt === b.disabledAt);
    if (problem) onDifference(`organization ${ours.id}`, problem);
  }
  let adminKeys = 0;
  for await (const [ours, theirs] of inStep(keptAdminKeys(source), keptAdminKeys(target), oldestFirst)) {
    const { id, organizationId } = (ours ?? theirs) as NonNullable<typeof ours>;
    if (ours) adminKeys += 1;
    const problem = organizations.has(organizationId) ? problemOf(ours, theirs, isSame) : undefined;
    if (problem) onDifference(`admin key ${id} of ${organizationId}`, problem);
  }
  let apiKeys = 0;
  for (const organization of organizations)
    apiKeys += await compareRosters(source, target, organization, onDifference);
  return { organizations: organizations.size, adminKeys, apiKeys };
}

async function compareRosters(
  source: Snapshot,
  target: Snapshot,
  organization: OrganizationId,
  onDifference: OnDifference,
): Promise<number> {
  let count = 0;
  const both = inStep(walkRoster(source, organization), walkRoster(target, organization), newestFirst);
  for await (const [ours, theirs] of both) {
    if (ours) count += 1;
    const problem = problemOf(ours, theirs, (a, b) => a.record === b.record);
    if (problem) onDifference(`API key ${(ours ?? theirs)?.id} of ${organization}`, problem);
  }
  return count;
}

function problemOf<T>(
  ours: T | undefined,
  theirs: T | undefined,
  same: (ours: T, theirs: T) => boolean,
): Problem | undefined {
  if (!theirs) return 'is missing in the target';
  if (!ours) return 'is in the target only';
  return same(ours, theirs) ? undefined : 'differs';
}

/** Each item of two lists in the same order: with the same one of the other, or alone. */
async function* inStep<T>(
  ours: AsyncIterable<readonly T[]>,
  theirs: AsyncIterable<readonly T[]>,
  order: (ours: T, theirs: T) => number,
): AsyncGenerator<readonly [T | undefined, T | undefined]> {
  const left = itemsOf(ours);
  const right = itemsOf(theirs);
  let one = await left.next();
  let other = await right.next();
  while (!one.done || !other.done) {
    const where = one.done ? 1 : other.done ? -1 : order(one.value, other.value);
    yield [where <= 0 ? one.value : undefined, where >= 0 ? other.value : undefined] as [T, T];
    if (where <= 0) one = await left.next();
    if (where >= 0) other = await right.next();
  }
}

async function* itemsOf<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T, undefined> {
  for await (const page of pages) yield* page;
}

function oldestFirst(one: CreationPosition, other: CreationPosition): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return byText(one.id, other.id);
}

/** The times of records have one length, so as texts they have the order of their times. */
function newestFirst(one: PageItem, other: PageItem): number {
  if (one.id === other.id) return 0;
  const [a, b] = [one, other].map(({ record }) => JSON.parse(record));
  return byText(b.created_at, a.created_at) || byText(b.id, a.id);
}

function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
