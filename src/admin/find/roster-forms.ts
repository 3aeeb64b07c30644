import { type ListedKey, workspaceOf } from '../../client/listed-key.ts';
import { parseOwnerId } from '../../shared/record/identifier.ts';
import { idLooksLikeKey, labelOf } from '../../shared/record/looks-like-key.ts';
import type { PartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { hintOf } from './told.ts';

/** How many of the newest keys are enough to know IDs and hints of a roster by their form. */
export const SAMPLE_SIZE = 100;

/** How IDs look. */
interface IdForm {
  /** What all of them begin with, such as `apikey_`; `''`: nothing that tells an ID. */
  readonly label: string;
  readonly lengths: ReadonlySet<number>;
}

/** What tells an ID of a roster from a key of it, by a sample of its records, or of those of each service. */
export interface Known {
  /** Of the API keys of each service. */
  readonly ids: readonly IdForm[];
  readonly idsAreUuids: boolean;
  /** Of users, service accounts and workspaces. */
  readonly ownerForms: readonly IdForm[];
  readonly hints: readonly PartialKeyHint[];
  /** What hints show before their three dots. */
  readonly hintStarts: readonly string[];
  /** What keys begin with, such as `sk-ven-api03-`, without the random characters behind it. */
  readonly keyLabels: readonly string[];
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

type Sampled = Pick<ListedKey, 'id' | 'partial_key_hint' | 'created_by'> & Readonly<Record<string, unknown>>;

/** Of no keys it is what knows nothing: then nothing counts as an ID. */
export function knownOf(...samples: readonly (readonly Sampled[])[]): Known {
  const keys = samples.flat();
  const ids = samples.map(sample => sample.map(({ id }) => id));
  const hints = [...new Set(keys.map(key => hintOf(key) as PartialKeyHint))].filter(hint => hint !== '');
  const hintStarts = hints.map(hint => hint.slice(0, hint.lastIndexOf('...')));
  const owners = samples
    .flatMap((sample, of) =>
      sample.flatMap(key => [
        { type: `${of} ${key.created_by?.type}`, id: key.created_by?.id ?? '' },
        { type: `${of} workspace`, id: workspaceOf(key) ?? '' },
      ]),
    )
    .filter(({ id }) => id !== '');
  // People who sign in by others have the IDs of these: `auth0|…` and `google-oauth2|…` are two forms.
  const byForm = Map.groupBy(owners, ({ type, id }) => `${type} ${/^[^|:]*[|:]/.exec(id)}`);
  return {
    ids: ids.map(formOf),
    idsAreUuids: ids.some(each => each.length > 0 && each.every(isUuid)),
    ownerForms: Array.from(byForm.values(), ofForm => formOf(ofForm.map(({ id }) => id))),
    hints,
    hintStarts,
    keyLabels: [...new Set(hintStarts.map(labelOf))].filter(label => label !== ''),
  };
}

function formOf(ids: readonly string[]): IdForm {
  return {
    label: ids.every(isUuid) ? '' : labelOf(commonStart(ids)),
    lengths: new Set(ids.map(id => id.length)),
  };
}

function commonStart([first = '', ...others]: readonly string[]): string {
  const different = (index: number) => others.some(other => other[index] !== first[index]);
  const length = Array.from(first).findIndex((_, index) => different(index));
  return length < 0 ? first : first.slice(0, length);
}

/** Whether the text begins and is as long as such IDs, and begins as no key does, and doesn't look like a key. */
export function isSurelyId(text: string, { label, lengths }: IdForm, { hintStarts }: Known): boolean {
  return (
    label !== '' &&
    lengths.has(text.length) &&
    text.startsWith(label) &&
    parseOwnerId(text) !== undefined &&
    !idLooksLikeKey(text) &&
    !hintStarts.some(start => begins(start, label) || begins(text, start))
  );
}

function begins(text: string, start: string): boolean {
  return text.toLowerCase().startsWith(start.toLowerCase());
}
