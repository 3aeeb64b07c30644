import { randomBase62 } from './base62.ts';

/** IDs are 1 to 128 of `A-Z a-z 0-9 _ -` (docs/api.md#parameters). They are ASCII, so comparing strings compares bytes. */

export type ApiKeyId = string & { readonly kind: 'ApiKeyId' };
export type OrganizationId = string & { readonly kind: 'OrganizationId' };
export type WorkspaceId = string & { readonly kind: 'WorkspaceId' };
export type CreatorId = string & { readonly kind: 'CreatorId' };
export type AdminKeyId = string & { readonly kind: 'AdminKeyId' };
export type ImportId = string & { readonly kind: 'ImportId' };

export type AnyId = ApiKeyId | OrganizationId | WorkspaceId | CreatorId | AdminKeyId | ImportId;

export const ID_PATTERN = '^[A-Za-z0-9_-]{1,128}$';
export const ID_RULE = 'must be 1 to 128 of A-Z a-z 0-9 _ -';

const idPattern = new RegExp(ID_PATTERN);

/** The text as an ID of type `Id`; `undefined` when it isn't a well-formed ID. */
export function parseId<Id extends AnyId>(text: unknown): Id | undefined {
  return typeof text === 'string' && idPattern.test(text) ? (text as Id) : undefined;
}

/** A new ID. Its 131 random bits make it unique without a lookup. */
export function newId<Id extends OrganizationId | AdminKeyId | ImportId>(
  prefix: 'org' | 'adminkey' | 'import',
): Id {
  return `${prefix}_${randomBase62(22)}` as Id;
}
