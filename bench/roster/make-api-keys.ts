import type { ApiKey, Status } from '../../src/roster/api-key.ts';
import { toBase62 } from '../../src/roster/base62.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../src/roster/identifier.ts';
import type { PartialKeyHint } from '../../src/roster/partial-key-hint.ts';
import { parseTimestamp, type Timestamp } from '../../src/roster/timestamp.ts';

const START = parseTimestamp('2023-06-01T00:00:00Z') as Timestamp;
export const CREATORS = 40;
export const WORKSPACES = 12;

/**
 * An API key for measuring, the same in every run; the greater the number, the newer. Two thirds are active, the rest
 * inactive: no key is archived, so that status matches nothing.
 */
export function makeApiKey(number: number): ApiKey {
  const status: Status = number % 3 === 0 ? 'inactive' : 'active';
  const workspace = scattered(number, 1) % (WORKSPACES + 1);
  return {
    id: apiKeyId(number),
    name: `Developer Key ${number}`,
    createdAt: (START + BigInt(number) * 7_000_001n) as Timestamp,
    createdBy: { id: creatorId(scattered(number, 2) % CREATORS), type: 'user' },
    partialKeyHint:
      `sk-ven-api03-${toBase62(scattered(number, 3), 3)}...${toBase62(scattered(number, 4), 4)}` as PartialKeyHint,
    status,
    workspaceId: workspace === WORKSPACES ? null : workspaceId(workspace),
  };
}

export const apiKeyId = (number: number) => `apikey_01${scatteredText(number)}` as ApiKeyId;
export const creatorId = (number: number) => `user_01${scatteredText(1e9 + number)}` as CreatorId;
export const workspaceId = (number: number) => `wrkspc_01${scatteredText(2e9 + number)}` as WorkspaceId;

/** 22 characters that look random and are different for each number. */
function scatteredText(number: number): string {
  const parts = [5, 6, 7].map(salt => toBase62(scattered(number, salt), 5));
  return `${parts.join('')}${toBase62(number, 7)}`;
}

/** A 32-bit number that a number and a salt always give: the finalizer of MurmurHash3. */
export function scattered(number: number, salt: number): number {
  let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
