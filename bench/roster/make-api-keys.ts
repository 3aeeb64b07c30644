import type { ApiKey } from '../../src/service/roster/api-key.ts';
import {
  type ApiKeyId,
  type CreatorId,
  toBase62,
  type WorkspaceId,
} from '../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../src/shared/record/partial-key-hint.ts';
import type { Status } from '../../src/shared/record/status.ts';
import { parseTimestamp, type Timestamp } from '../../src/shared/record/timestamp.ts';

const START = parseTimestamp('2023-06-01T00:00:00Z') as Timestamp;
const CREATORS = 40;
const WORKSPACES = 12;

/**
 * Makes the API key with this number, the same in every run. Greater numbers are newer. Two thirds are active, the others
 * inactive. None is archived, so that `status=archived` matches nothing.
 */
export function makeApiKey(number: number): ApiKey {
  const status: Status = number % 3 === 0 ? 'inactive' : 'active';
  const workspace = hash32(number, 1) % (WORKSPACES + 1);
  return {
    id: apiKeyId(number),
    name: `Developer Key ${number}`,
    createdAt: (START + BigInt(number) * 7_000_001n) as Timestamp,
    createdBy: { id: creatorId(hash32(number, 2) % CREATORS), type: 'user' },
    partialKeyHint:
      `sk-ven-api03-${toBase62(hash32(number, 3), 3)}...${toBase62(hash32(number, 4), 4)}` as PartialKeyHint,
    status,
    workspaceId: workspace === WORKSPACES ? null : workspaceId(workspace),
  };
}

export const apiKeyId = (number: number) => `apikey_01${idText(number)}` as ApiKeyId;
export const creatorId = (number: number) => `user_01${idText(1e9 + number)}` as CreatorId;
export const workspaceId = (number: number) => `wrkspc_01${idText(2e9 + number)}` as WorkspaceId;

/** 22 characters that look random and differ for each number. */
function idText(number: number): string {
  const parts = [5, 6, 7].map(salt => toBase62(hash32(number, salt), 5));
  return `${parts.join('')}${toBase62(number, 7)}`;
}

/** A 32-bit hash of a number and a salt: the finalizer of MurmurHash3. */
export function hash32(number: number, salt: number): number {
  let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
