import { shownStatus } from '../../../shared/record/lifecycle.ts';
import type { FoundKeys, OfMask } from '../../find/found-keys.ts';
import { isAdminKey, type Mask, maskText } from '../../find/mask.ts';

const NO_PLACE = { rule: null, file: null, line: null };

/** What was found of each key of the text, and at each place that a scanner found it in: for a program. docs/admin.md has the verdicts. */
export function verdictsOf({ question, byMask, unseen }: FoundKeys): readonly object[] {
  if (question.kind !== 'key') return [];
  const ofMasks = question.masks.flatMap(mask => {
    const of = byMask.get(mask);
    if (mask.isHidden && !of) return [];
    const text = mask.isHidden ? null : (mask.id ?? maskText(mask));
    const told = { looked_for: text, verdict: verdictOf(mask, of, unseen > 0), ...keyOf(of) };
    return (mask.places ?? [NO_PLACE]).map(place => ({ ...place, ...told }));
  });
  const untold = { looked_for: null, verdict: 'untold', ...keyOf(undefined) };
  return [...ofMasks, ...question.unclear.map(place => ({ ...(place ?? NO_PLACE), ...untold }))];
}

function verdictOf(mask: Mask, of: OfMask | undefined, mayBeUnseen: boolean): string {
  if (of)
    return of.count > 1 ? 'several' : of.first.by === 'ID' || of.first.by === 'hint' ? 'found' : 'maybe';
  if (isAdminKey(mask)) return 'admin_key';
  return mask.left || mayBeUnseen ? 'untold' : 'none';
}

/** Of several keys only how many there are. */
function keyOf(of: OfMask | undefined) {
  const { key } = of?.count === 1 ? of.first : {};
  return {
    api_key_id: key?.id ?? null,
    status: key ? shownStatus(key, Date.now()) : null,
    keys: of?.count ?? 0,
    active: of?.active ?? 0,
  };
}
