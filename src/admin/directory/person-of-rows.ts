import { type DirectoryEntry, stateAt } from './directory.ts';
import { type Index, ownLinks } from './link-rows.ts';
import type { PersonRow } from './row-reader.ts';
import { HERE_FIRST } from './states.ts';

/**
 * @param own the rows with this ID, whose texts stand before those of the others. `everyone`: the file that has everybody.
 * @returns `isMissing`: whether that file lacks this user; `undefined`: nobody knows. `isDisputed`: here by one row and not by another.
 */
export function personOf(
  id: string,
  own: readonly PersonRow[],
  others: readonly PersonRow[],
  { everyone, now }: { readonly everyone: { file: string; index: Index } | undefined; readonly now: number },
) {
  const rows = [...own, ...others];
  const first = <Value>(read: (row: PersonRow) => Value | undefined) =>
    rows.map(read).find(value => value !== undefined);
  const managed =
    rows.find(({ manager }) => manager?.includes('@')) ?? rows.find(({ manager }) => manager !== undefined);
  const kind = own.find(row => row.kind)?.kind;
  const isUser = (kind ?? 'person') === 'person' && rows.some(({ mails }) => mails.length > 0);
  const isMissing =
    everyone && isUser ? !rows.flatMap(ownLinks).some(link => everyone.index.has(link)) : undefined;
  const saidBy = (row: PersonRow) => stateAt(row, now);
  // The company says whether somebody is here: an account at the vendor's is there for as long as nobody ends it.
  const isSaid = others.some(row => saidBy(row) !== undefined);
  const counting = [...others, ...own.filter(row => !isSaid || saidBy(row) !== 'here')];
  const said = new Set(counting.map(saidBy));
  const state = HERE_FIRST.find(each => said.has(each));
  const agreeing = counting.filter(row => saidBy(row) === state);
  const deciding = agreeing.find(row => row.leftOn !== undefined) ?? agreeing[0];
  const entry: DirectoryEntry = {
    id,
    kind,
    name: first(({ name }) => name),
    mail: own.find(row => row.mails[0])?.mails[0] ?? first(({ account, mails }) => account ?? mails[0]),
    team: first(({ team }) => team),
    manager: managed?.manager,
    managerIn: managed?.file,
    state: isMissing ? 'left' : deciding?.state,
    leftOn: deciding?.leftOn,
  };
  const isHere = said.has('here') || rows.some(row => row.file === everyone?.file && !saidBy(row));
  const isAbsent = said.has('left') || said.has('disabled') || (isMissing === true && isSaid);
  return { entry, isMissing, isDisputed: isHere && isAbsent };
}
