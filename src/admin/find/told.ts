import { type ListedKey, ORGANIZATION, timeOf, workspaceOf } from '../../client/listed-key.ts';
import type { AnyId } from '../../shared/record/identifier.ts';
import { LIFECYCLE_FIELDS, type LifecycleField, lifecycleTime } from '../../shared/record/lifecycle.ts';

/** What a figure, a filter or a policy needs of a key, and not every service tells. */
export type Needed =
  | 'status'
  | 'created_at'
  | 'created_by.id'
  | 'created_by.type'
  | 'workspace_id'
  | LifecycleField;

const told: Readonly<Record<Needed, (key: ListedKey) => boolean>> = {
  status: ({ status }) => typeof status === 'string',
  created_at: ({ created_at }) => !Number.isNaN(timeOf(created_at)),
  'created_by.id': ({ created_by }) => typeof created_by?.id === 'string',
  'created_by.type': ({ created_by }) => typeof created_by?.type === 'string',
  workspace_id: key => isInDefaultWorkspace(key) !== undefined,
  expires_at: key => lifecycleTime(key, 'expires_at') !== undefined,
  last_used_at: key => lifecycleTime(key, 'last_used_at') !== undefined,
};

export const tells = (key: ListedKey, field: Needed): boolean => told[field](key);

/** Whether the contract leaves it to the vendor to declare it. */
export const isDeclared = (field: Needed) => LIFECYCLE_FIELDS.some(each => each === field);

/** `undefined`: it isn't told. In a record with a `scope`, which CSV has as JSON, the default workspace has an ID as the others have. */
export function isInDefaultWorkspace(key: ListedKey): boolean | undefined {
  const workspace = workspaceOf(key);
  if (typeof workspace !== 'string') return workspace === null ? true : undefined;
  const { scope } = key;
  const isScoped = typeof scope === 'string' ? scope.startsWith('{') : (scope ?? null) !== null;
  return isScoped && workspace !== ORGANIZATION ? undefined : false;
}

/** The hint with three dots where the key is masked, and without an end of `____` or `xxxx`; `''`: there is none to compare with. */
export function hintOf({ partial_key_hint }: Pick<ListedKey, 'partial_key_hint'>): string {
  const plain = partial_key_hint?.replace(/^[\s"'(]+|[\s"')]+$/g, '') ?? '';
  const dotted = plain.replace(/…|\*{2,}|•{2,}/, '...').replace(/^\.+(?=\.{3})/, '');
  const hint = dotted.replace(/^(?:_+|x+)(?=\.{3})|(?<=\.{3})(?:[_~]+|x+)$/gi, '');
  return hint.includes('...') && hint !== '...' ? hint : '';
}

/** Whether a full key can be told by its hint. One end alone may be that of many keys. */
export const tellsKey = (key: Pick<ListedKey, 'partial_key_hint'>) =>
  /^[\w.+/=~-]+\.{3}[\w+/=~-]+$/.test(hintOf(key));

export const LISTED_ID_RULE = 'must be 1 to 1000 visible characters';

/** An ID as any service may list it. */
export function parseListedId<Id extends AnyId>(text: unknown): Id | undefined {
  return typeof text === 'string' && /^[^\p{C}\p{Z}]{1,1000}$/u.test(text) ? (text as Id) : undefined;
}
