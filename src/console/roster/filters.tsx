import { useEffect, useRef } from 'preact/hooks';
import { goTo, rosterAddress } from '../shell/address.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import type { CursorName, RosterQuery, ServiceName } from '../walk/query.ts';
import { statuses } from './statuses.ts';

interface Control {
  readonly label: string;
  /** The choices of a menu. Without choices, the control is a text field. */
  readonly choices?: readonly string[];
  /** The value that the control shows where the address has none; absent: `''`, shown as "Any". */
  readonly default?: string;
}

type ControlName = Exclude<ServiceName, CursorName>;

/** A control for every parameter but the cursors, which the pager sets. A parameter without one doesn't compile. */
const controls: Readonly<Record<ControlName, Control>> = {
  status: { label: 'Status', choices: statuses },
  workspace_id: { label: 'Workspace ID' },
  created_by_user_id: { label: 'Creator ID' },
  limit: { label: 'Page size', choices: ['20', '50', '100', '500', '1000'], default: '20' },
};
const names = Object.keys(controls) as readonly ControlName[];

/** Sets the parameters in the address. A changed filter starts from the newest key again: no cursor is kept. */
export function Filters({ query }: { readonly query: RosterQuery }) {
  const form = useRef<HTMLFormElement>(null);
  const values = names.map(name => query[name] ?? defaultOf(name));

  // A new address replaces what was typed and not applied.
  useEffect(() => {
    for (const [index, name] of names.entries()) elementOf(form.current, name).value = values[index] ?? '';
  }, values);

  const apply = (event?: Event) => {
    event?.preventDefault();
    const chosen = names.map(name => [name, elementOf(form.current, name).value.trim()] as const);
    goTo(rosterAddress(Object.fromEntries(chosen.filter(([name, value]) => value !== defaultOf(name)))));
  };
  useShortcuts({ search: () => elementOf(form.current, 'status').focus() });

  return (
    <form class="filters" ref={form} onSubmit={apply} aria-label="Filters">
      {names.map((name, index) => (
        <Field key={name} name={name} value={values[index] ?? ''} onChoice={() => apply()} />
      ))}
      <div class="row">
        <button type="submit" class="primary">
          Apply
        </button>
        <button type="button" onClick={() => goTo(rosterAddress({}))}>
          Clear
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: ControlName;
  readonly value: string;
  readonly onChoice: () => void;
}

function Field({ name, value, onChoice }: FieldProps) {
  const { label, choices } = controls[name];
  if (!choices) {
    return (
      <label class="wide">
        {label}
        <input name={name} class="mono" autocomplete="off" spellcheck={false} placeholder="Any" />
      </label>
    );
  }
  const any = defaultOf(name) === '' ? [''] : [];
  // A value of the address that isn't a choice is shown too, beside the service's message about it.
  const unknown = [...any, ...choices].includes(value) ? [] : [value];
  return (
    <label>
      {label}
      <select name={name} onChange={onChoice}>
        {any.map(choice => (
          <option key={choice} value={choice}>
            Any
          </option>
        ))}
        {[...unknown, ...choices].map(choice => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
}

const defaultOf = (name: ControlName) => controls[name].default ?? '';

function elementOf(form: HTMLFormElement | null, name: ControlName) {
  return form?.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}
