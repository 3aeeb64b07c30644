import { type DirectoryEntry, stateAt } from './directory.ts';
import type { PersonRow } from './row-reader.ts';
import { HERE_FIRST } from './states.ts';

/**
 * @param own the rows with this ID, whose texts stand before those of the others. `everyone`: the name of the file that has everybody.
 * @returns `isMissing`: whether the file of everyone lacks this user; `undefined`: nobody knows. `isLacked`: though
 * a row says here. `isTwice`: here by one row and not by
 * another. `isKept`: in the file of everyone, which doesn't say more, though not here.
 */
export function personOf(
  id: string,
  own: readonly PersonRow[],
  others: readonly PersonRow[],
  {
    everyone,
    isListed,
    now,
  }: { readonly everyone: string | undefined; readonly isListed?: boolean | undefined; readonly now: number },
) {
  const rows = [...own, ...others];
  const first = <Value>(read: (row: PersonRow) => Value | undefined) =>
    rows.map(read).find(value => value !== undefined);
  const managed =
    rows.find(({ manager }) => manager?.includes('@')) ?? rows.find(({ manager }) => manager !== undefined);
  const kind = own.find(row => row.kind)?.kind;
  const isUser = (kind ?? 'person') === 'person' && rows.some(({ mails }) => mails.length > 0);
  const isMissing = everyone && isUser ? !isListed : undefined;
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
  const isAbsent = said.has('left') || said.has('disabled');
  const isThere = rows.some(row => row.file === everyone && saidBy(row) === undefined);
  return {
    entry,
    isMissing,
    isLacked: isMissing === true && others.some(row => saidBy(row) === 'here'),
    isTwice: isAbsent && state === 'here' && !isMissing,
    isKept: isAbsent && state !== 'here' && isThere,
  };
}
