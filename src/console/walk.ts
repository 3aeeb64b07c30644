import type { ApiKeyRecord } from '../client/client.ts';
import type { Session } from './session.ts';

/** The most that a page may have: a walk is a matter of few requests. */
const PAGE_SIZE = 1000;

/** Every API key, page by page, newest first. Rejects with the signal's reason when it is stopped. */
export async function walk(
  { patientClient }: Session,
  signal: AbortSignal,
  onPage: (keys: readonly ApiKeyRecord[]) => void,
): Promise<void> {
  for await (const { data } of patientClient.apiKeys.pages({ limit: PAGE_SIZE }, { signal })) {
    signal.throwIfAborted();
    onPage(data);
  }
}
