import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Directory } from '../../admin/directory/directory.ts';
import { Middle } from '../roster/cut-in-middle.tsx';
import { visible } from '../roster/key-name.tsx';
import { Link } from '../shell/link.tsx';

/** The admin's own file of names, or an empty one. What is in it is shown, and in no request and no address. */
export const DirectoryContext = createContext(new Directory([]));

export const useDirectory = () => useContext(DirectoryContext);

/** A creator by name, and whether they are a service account, disabled, or have left. */
export function PersonName({ id, type }: { readonly id: string; readonly type: string }) {
  const directory = useDirectory();
  const { mail, team } = directory.creator(id) ?? {};
  const absence = directory.absence(id, Date.now());
  return (
    <span class="person">
      <NameOrId id={id} name={directory.creatorName(id)} more={[mail, team]} />{' '}
      <CreatorType type={type} short /> {absence && <span class="bad small">{absence}</span>}
    </span>
  );
}

/** What made the key, where that is no person: in words, or in a table in one. A newer service may have other types. */
export function CreatorType({ type, short = false }: { readonly type: string; readonly short?: boolean }) {
  const words = type.replaceAll('_', ' ');
  if (short && type === 'user') return null;
  return (
    <span class="small muted" title={words}>
      {short ? words.split(' ', 1) : words}
    </span>
  );
}

/** A creator who leads to their keys. The parts of an ID that is cut would be read apart. */
export function CreatorLink({ id, type, to }: Record<'id' | 'type' | 'to', string>) {
  const directory = useDirectory();
  const words = [
    directory.creatorName(id),
    type !== 'user' && type.replaceAll('_', ' '),
    directory.absence(id, Date.now()),
  ];
  return (
    <Link to={to} aria-label={words.filter(Boolean).join(' ')}>
      <PersonName id={id} type={type} />
    </Link>
  );
}

/** @param id `null`: the default workspace. */
export function WorkspaceName({ id }: { readonly id: string | null }) {
  const directory = useDirectory();
  if (id === null) return <span class="muted">default</span>;
  return <NameOrId id={id} name={directory.workspaceName(id)} />;
}

interface NameOrIdProps {
  readonly id: string;
  readonly name: string;
  readonly more?: readonly (string | undefined)[];
}

/** Without a name it is the ID, cut where it has no room. */
function NameOrId({ id, name, more = [] }: NameOrIdProps) {
  if (name === id) return <Middle text={id} />;
  return (
    <bdi class="truncate" title={[name, ...more, id].filter(Boolean).join(', ')}>
      {visible(name)}
    </bdi>
  );
}
