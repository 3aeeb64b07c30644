import { type AddressParameters, addressOf, goTo } from '../shell/address.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import type { ShownPage } from './use-page.ts';

interface PagerProps extends ShownPage {
  readonly loading: boolean;
}

/**
 * Goes from page to page by cursor. `has_more` is about the requested direction. In the other direction there is at
 * least the key that the cursor names.
 */
export function Pager({ page, parameters, loading }: PagerProps) {
  const { after_id, before_id, ...rest } = parameters;
  const backward = before_id !== undefined;
  const newer = backward ? page.has_more : after_id !== undefined;
  const older = backward || page.has_more;
  const to = (cursor: AddressParameters) => () => goTo(addressOf('roster', { ...rest, ...cursor }));
  // An empty page has no key for a cursor: go to the first page.
  const previous = to(page.first_id === null ? {} : { before_id: page.first_id });
  const next = to(page.last_id === null ? {} : { after_id: page.last_id });
  const hasNext = older && page.last_id !== null;
  useShortcuts({
    previous: newer && !loading ? previous : undefined,
    next: hasNext && !loading ? next : undefined,
  });
  return (
    <nav class="row pager" aria-label="Pages">
      <PageButton label="First" exists={newer} loading={loading} go={to({})} />
      <PageButton label="Previous" exists={newer} loading={loading} go={previous} />
      <PageButton label="Next" exists={hasNext} loading={loading} go={next} />
    </nav>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly exists: boolean;
  readonly loading: boolean;
  readonly go: () => void;
}

/** `aria-disabled` and not `disabled`, which would lose the keyboard's focus on the last page. */
function PageButton({ label, exists, loading, go }: PageButtonProps) {
  const enabled = exists && !loading;
  return (
    <button type="button" aria-disabled={!enabled} onClick={() => enabled && go()}>
      {label}
    </button>
  );
}
