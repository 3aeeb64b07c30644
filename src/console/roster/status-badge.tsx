import type { ApiKeyRecord } from '../../client/client.ts';
import { hasExpired, shownStatus } from '../../shared/record/lifecycle.ts';
import { parseStatus } from '../../shared/record/status.ts';

/** A newer service may have statuses that are unknown here. They have no colour of their own (styles/parts.css). */
export function StatusBadge({ apiKey }: { readonly apiKey: ApiKeyRecord }) {
  const now = Date.now();
  const isExpired = hasExpired(apiKey, now);
  return (
    <span
      class={`badge ${isExpired ? 'expired' : (parseStatus(apiKey.status) ?? '')}`}
      title={isExpired ? 'active, but past its time' : undefined}
    >
      {shownStatus(apiKey, now)}
    </span>
  );
}
