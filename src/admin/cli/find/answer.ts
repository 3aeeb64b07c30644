import { type ListedKey, workspaceOf } from '../../../client/listed-key.ts';
import { shownStatus } from '../../../shared/record/lifecycle.ts';
import type { Status } from '../../../shared/record/status.ts';
import { ABSENCES, type Directory } from '../../directory/directory.ts';
import { placeText } from '../../find/findings.ts';
import { type Found, type FoundKeys, MAX_KEPT, type OfMask } from '../../find/found-keys.ts';
import { isAdminKey, type Mask, maskText } from '../../find/mask.ts';
import type { MatchKind } from '../../find/match.ts';
import { type KeyQuestion, MAX_KEYS, mayMiss, PART_OF_REPORT, questionText } from '../../find/question.ts';
import { tells } from '../../find/told.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import { shownCreator } from '../../report/creator.ts';
import { dayOf, number, workspaceText } from '../../report/sections.ts';

/** What it means that a leaked key has this status. */
const meanings: Readonly<Record<Status | 'expired', string>> = {
  active:
    'It is ACTIVE: whoever has it can use it. Ask whoever issues the keys to deactivate it now: Keyroster only lists',
  inactive:
    'It is inactive: it gives no access now, but can be activated again. Ask whoever issues the keys to archive it',
  archived: 'It is archived: it gives no access, and never will again',
  expired:
    'It has expired: it gives no access, unless its time is made longer. Ask whoever issues the keys to archive it',
};

const NO_STATUS = "The service doesn't tell its status: take it as ACTIVE";

/** Why a key that was found so only may be the one that was asked for. */
const DOUBTS: Readonly<Partial<Record<MatchKind, string>>> = {
  begin: 'only its begin fits, as its end is cut off or not known',
  end: 'only its end fits, as its begin is cut off',
};

/** Of keys whose IDs are in a text. The table has all. */
const MAX_TOLD = 20;

const CUT_OFF = 'it is cut off';

const IF_CUT_OFF = '; where it was cut off, put … and look again';

/** What was found, in words; of each asked key whose it is, how sure that is, and what its status means. */
export function answerOf(found: FoundKeys, directory?: Directory, several = false): string[] {
  const { question, exact, count, maybe, read, unseen } = found;
  const isOneKey = question.kind === 'key' && question.masks.length === 1 && !question.masks[0]?.isHidden;
  const asked = isOneKey ? ` that ${count > 1 ? 'fit' : 'fits'} ${questionText(question)}` : '';
  const shown = count > MAX_KEPT ? `, ${number(MAX_KEPT)} are shown: ask for more of the text` : '';
  const unsure = maybe > 0 ? `, ${number(maybe)} of them by one end alone` : '';
  const sum =
    count === 0
      ? `no key was found${asked}: ${number(read)} were read${unseen > 0 ? `, ${number(unseen)} of them without a hint to tell them by` : isOneKey ? IF_CUT_OFF : ''}`
      : `${number(count)} of ${number(read)} keys found${asked}${unsure}${shown}`;
  const ofKey = ({ key }: Found) => (several ? `${key.profile}: ` : '') + answerOfKey(key, directory);
  if (question.kind === 'key') {
    const byIdAlone = exact.filter(({ mask }) => mask === undefined).slice(0, MAX_TOLD);
    return [...linesOfKeys(question, found, isOneKey, ofKey), ...byIdAlone.map(ofKey), sum];
  }
  const [first, second] = exact;
  if (first && !second) return [ofKey(first), sum];
  const ofHint = question.kind === 'hint' && found.byMask.get(question.mask);
  if (ofHint) return [verdictOf(ofHint, ofKey), sum];
  return mayMiss(question) && count === 0 ? [`nothing can be told, as ${CUT_OFF}`, sum] : [sum];
}

function verdictOf({ first, count, active, untold }: OfMask, ofKey: (found: Found) => string): string {
  return count > 1 ? severalKeys(count, active, untold) : doubtful(first, ofKey(first));
}

const severalKeys = (count: number, active: number, untold: number) =>
  `it is one of ${number(count)} keys, as hints can't tell them apart; ${number(active)} of them are ACTIVE${untold > 0 ? `, of ${number(untold)} the status isn't told` : ''}`;

const doubtful = ({ by }: Found, line: string) =>
  DOUBTS[by] === undefined ? line : `${DOUBTS[by]}. It may be: ${line}`;

/** A line for each key that was found, and for each that may be shown and is unknown. */
function linesOfKeys(
  question: KeyQuestion,
  { byMask, count }: FoundKeys,
  isOneKey: boolean,
  ofKey: (found: Found) => string,
): string[] {
  const { masks, unclear, hasMore } = question;
  const lines = masks.flatMap(mask => {
    const of = byMask.get(mask);
    if (!of) return mask.isHidden ? [] : unknownLines(mask, isOneKey && count === 0);
    const isPlain = of.count === 1 && (masks.length === 1 || mask.id !== undefined) && !mask.places;
    const label = isPlain ? '' : shownMask(mask);
    return [`${label && `${label}: `}${verdictOf(of, ofKey)}`];
  });
  const isReport = unclear.length > 0 || masks.some(({ places }) => places); // it has hashes of commits too
  const unshown = isReport ? 0 : masks.filter(mask => mask.isHidden && !byMask.has(mask)).length;
  if (unshown > 0)
    lines.push(`${number(unshown)} more that may be keys, or parts of one: none of the keys that were read`);
  const redacted = unclear.map(
    place =>
      `${place ? placeText(place) : PART_OF_REPORT}: nothing can be told: have the scanner write JSON with the keys, not redacted or hashed`,
  );
  const cutOff = `only the first ${number(MAX_KEYS)} keys of the text were looked for: give it in parts`;
  return [...lines, ...redacted, ...(hasMore ? [cutOff] : [])];
}

/** With the places that a scanner found it in. One of which too little may be shown is named by what it was found for. */
function shownMask(mask: Mask): string {
  const { id, places = [], isHidden } = mask;
  return [...places.map(placeText), ...(isHidden ? [] : [id ?? maskText(mask)])].join(', ');
}

/** `isSaid`: the sum says it too. */
function unknownLines(mask: Mask, isSaid: boolean): string[] {
  if (isAdminKey(mask))
    return [`${shownMask(mask)}: this is an admin key, not an API key: ask the operator to revoke it now`];
  if (mask.left) return [`${shownMask(mask)}: nothing can be told, as ${CUT_OFF}`];
  return isSaid && !mask.places ? [] : [`${shownMask(mask)}: none of the keys that were read`];
}

function answerOfKey(key: ListedKey, directory: Directory | undefined): string {
  const { id, name, created_at } = key;
  const creator = shownCreator(key).id;
  const workspace = workspaceOf(key);
  const status = shownStatus(key, Date.now());
  const age = ageOf(key.created_at, new Date());
  const days = Number.isNaN(age)
    ? ''
    : ` (${number(daysOld(age))} ${daysOld(age) === 1 ? 'day' : 'days'} ago)`;
  const where =
    workspace === null ? 'the default workspace' : `the workspace ${workspaceText(workspace, directory)}`;
  const absence = directory?.absence(creator, Date.now());
  const left = absence ? `, ${ABSENCES[absence]}` : '';
  const mail = directory?.creator(creator)?.mail;
  const whose = `${directory?.creatorName(creator) ?? creator}${mail ? ` <${mail}>` : ''}${left}`;
  const ofOther = tells(key, 'status') ? `Its status is ${status}` : NO_STATUS;
  const meaning = Object.hasOwn(meanings, status) ? meanings[status as Status] : ofOther;
  return `${id}, ${JSON.stringify(name)}, of ${whose}, in ${where}, created ${dayOf(created_at)}${days}. ${meaning}.`;
}
