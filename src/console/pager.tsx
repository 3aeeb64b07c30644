import { addressOf, goTo, type Parameters } from './address.ts';
import type { ShownPage } from './use-page.ts';

interface PagerProps extends ShownPage {
  readonly loading: boolean;
}

/**
 * To the neighbours by the contract's cursors. `has_more` speaks of the direction that was asked for. In the other one
 * there is the key that the cursor named, so there is a way back.
 */
export function Pager({ page, parameters, loading }: PagerProps) {
  const { after_id, before_id, ...rest } = parameters;
  const backward = before_id !== undefined;
  const newer = backward ? page.has_more : after_id !== undefined;
  const older = backward || page.has_more;
  const to = (cursor: Parameters) => () => {
    goTo(addressOf('roster', { ...rest, ...cursor }));
    scrollTo({ top: 0 });
  };
  return (
    <nav class="row pager" aria-label="Pages">
      <PageButton label="First" there={newer} loading={loading} go={to({})} />
      <PageButton
        label="Previous"
        there={newer}
        loading={loading}
        // An empty page has no key to go back from.
        go={to(page.first_id === null ? {} : { before_id: page.first_id })}
      />
      <PageButton
        label="Next"
        there={older && page.last_id !== null}
        loading={loading}
        go={to(page.last_id === null ? {} : { after_id: page.last_id })}
      />
    </nav>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly there: boolean;
  readonly loading: boolean;
  readonly go: () => void;
}

/** `aria-disabled` and not `disabled`, which would take the keyboard's focus away at the last page. */
function PageButton({ label, there, loading, go }: PageButtonProps) {
  const enabled = there && !loading;
  return (
    <button type="button" aria-disabled={!enabled} onClick={() => enabled && go()}>
      {label}
    </button>
  );
}
