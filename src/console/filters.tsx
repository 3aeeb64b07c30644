import { useEffect, useRef } from 'preact/hooks';
import { addressOf, goTo, type Parameters } from './address.ts';

const STATUSES = ['active', 'inactive', 'archived'];
const PAGE_SIZES = ['20', '50', '100', '500', '1000'];
const DEFAULT_PAGE_SIZE = '20';

const fields = ['status', 'workspace_id', 'created_by_user_id', 'limit'] as const;

/** Sets the parameters in the address. A changed filter starts from the newest key again: no cursor is kept. */
export function Filters({ parameters }: { readonly parameters: Parameters }) {
  const form = useRef<HTMLFormElement>(null);
  const { status = '', workspace_id = '', created_by_user_id = '', limit = DEFAULT_PAGE_SIZE } = parameters;

  // What was typed and not applied gives way to what the address says.
  useEffect(() => {
    const values = { status, workspace_id, created_by_user_id, limit };
    for (const name of fields) control(form.current, name).value = values[name];
  }, [status, workspace_id, created_by_user_id, limit]);

  const apply = (event?: Event) => {
    event?.preventDefault();
    const chosen = Object.fromEntries(fields.map(name => [name, control(form.current, name).value.trim()]));
    if (chosen.limit === DEFAULT_PAGE_SIZE) delete chosen.limit;
    goTo(addressOf('roster', chosen));
  };
  const sizes = PAGE_SIZES.includes(limit) ? PAGE_SIZES : [limit, ...PAGE_SIZES];

  return (
    <form class="filters" ref={form} onSubmit={apply} aria-label="Filters">
      <label>
        Status
        <select name="status" onChange={apply}>
          <option value="">Any</option>
          {options(STATUSES.includes(status) || !status ? STATUSES : [status, ...STATUSES])}
        </select>
      </label>
      <label class="wide">
        Workspace ID
        <input name="workspace_id" class="mono" autocomplete="off" spellcheck={false} placeholder="Any" />
      </label>
      <label class="wide">
        Creator ID
        <input
          name="created_by_user_id"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          placeholder="Any"
        />
      </label>
      <label>
        Page size
        <select name="limit" onChange={apply}>
          {options(sizes)}
        </select>
      </label>
      <div class="row">
        <button type="submit" class="primary">
          Apply
        </button>
        <button type="button" onClick={() => goTo(addressOf('roster'))}>
          Clear
        </button>
      </div>
    </form>
  );
}

function options(values: readonly string[]) {
  return values.map(value => (
    <option key={value} value={value}>
      {value}
    </option>
  ));
}

function control(form: HTMLFormElement | null, name: string) {
  return form?.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}
