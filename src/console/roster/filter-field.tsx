import { useId } from 'preact/hooks';
import type { Directory } from '../../admin/directory/directory.ts';
import type { LifecycleField } from '../../shared/record/lifecycle.ts';
import { LIMIT } from '../../shared/record/list-query.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { teamsOf } from '../people/lookup.ts';
import { useDirectory } from '../people/names.tsx';
import { CREATOR_STATES, lengthText } from '../walk/describe.ts';
import type { CursorName, ServiceName } from '../walk/query.ts';
import type { KnownIds } from '../worklist/worklist-count.ts';

export type ControlName =
  | Exclude<ServiceName, CursorName>
  | 'expires_within'
  | 'unused_for'
  | 'creator_state'
  | 'team';

interface Control {
  readonly label: string;
  readonly kind: 'menu' | 'pick' | 'date';
  /** The choices of a menu. */
  readonly choices?: readonly string[];
  /** The value that a menu shows where the address has none; absent: `''`, shown as "Any". */
  readonly default?: string;
  /** It is there where keys tell this time, or where a directory is. */
  readonly by?: LifecycleField | 'directory';
}

const CREATOR_CHOICES = Object.keys(CREATOR_STATES);
const LIMITS = [LIMIT.default, 50, 100, 500, LIMIT.max].map(String);

/** A control for every parameter but the cursors, which the pager sets, for times, and for what a directory tells. */
export const controls: Readonly<Record<ControlName, Control>> = {
  status: { label: 'Status', kind: 'menu', choices: STATUSES },
  workspace_id: { label: 'Workspace', kind: 'pick' },
  created_by_user_id: { label: 'Creator', kind: 'pick' },
  team: { label: 'Team', kind: 'pick', by: 'directory' },
  creator_state: { label: 'Creator is', kind: 'menu', choices: CREATOR_CHOICES, by: 'directory' },
  created_from: { label: 'Created from', kind: 'date' },
  created_before: { label: 'Created before', kind: 'date' },
  expires_within: { label: 'Expires within', kind: 'menu', choices: ['7d', '30d', '90d'], by: 'expires_at' },
  unused_for: { label: 'Unused for', kind: 'menu', choices: ['30d', '90d', '365d'], by: 'last_used_at' },
  limit: { label: 'Page size', kind: 'menu', choices: LIMITS, default: String(LIMIT.default) },
};
/** What the workspace's field has for the keys of no workspace. No ID has a space. */
export const DEFAULT_WORKSPACE = 'Default workspace';

/** What the keys that were seen have. */
export interface Known extends KnownIds {
  readonly times: ReadonlySet<LifecycleField>;
}

interface FieldProps {
  readonly name: ControlName;
  readonly value: string;
  readonly known: Known;
  readonly onChange: () => void;
}

export function FilterField(props: FieldProps) {
  const id = useId();
  const { label, kind } = controls[props.name];
  const Kind = { menu: Menu, pick: PickList, date: DateField }[kind];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Kind {...props} id={id} />
    </div>
  );
}

type ControlProps = FieldProps & { readonly id: string };

function Menu({ id, name, value, known, onChange }: ControlProps) {
  const isExpiring = known.times.has('expires_at');
  const { label, choices = [], default: initial = '' } = controls[name];
  // A value of the address that isn't a choice is shown too, beside the message about it.
  const all = new Set([...(initial === '' ? [''] : []), value, ...choices]);
  const textOf = (choice: string) =>
    choice === 'active' && isExpiring
      ? 'active, also expired'
      : lengthText(choice) || (name === 'status' ? label : 'Any');
  return (
    <select id={id} name={name} onChange={onChange}>
      {[...all].map(choice => (
        <option key={choice} value={choice}>
          {textOf(choice)}
        </option>
      ))}
    </select>
  );
}

/** Each digit of a typed year is a change: 0002, 0020, 0202, 2025. */
function DateField({ id, name, onChange }: ControlProps) {
  const change = (event: { readonly currentTarget: HTMLInputElement }) =>
    event.currentTarget.checkValidity() && onChange();
  return <input id={id} type="date" name={name} min="1970-01-01" onChange={change} />;
}

/** More make the browser's list slow. */
const MAX_CHOICES = 500;

/** A field for an ID, or a name of the directory, with those that are known to pick from. */
function PickList({ id, name, known, onChange }: ControlProps) {
  const list = useId();
  const directory = useDirectory();
  return (
    <>
      <input
        id={id}
        name={name}
        list={list}
        autocomplete="off"
        spellcheck={false}
        placeholder={controls[name].label}
        onChange={onChange}
      />
      <datalist id={list}>
        {choicesOf(name, known, directory)
          .slice(0, MAX_CHOICES)
          .map(choice => (
            <option key={choice} value={choice} />
          ))}
      </datalist>
    </>
  );
}

function choicesOf(name: ControlName, { workspaces, creators }: KnownIds, directory: Directory): string[] {
  if (name === 'workspace_id')
    return [DEFAULT_WORKSPACE, ...Array.from(workspaces, id => directory.workspaceName(id))];
  if (name === 'created_by_user_id') return Array.from(creators, id => directory.creatorName(id));
  return [...teamsOf(directory).values()];
}
