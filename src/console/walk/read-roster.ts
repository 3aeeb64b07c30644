import type { ApiKeyRecord } from '../../client/client.ts';
import type { Session } from '../shell/session.ts';

/** The max page size, for as few requests as possible. */
const PAGE_SIZE = 1000;

/** Reads every API key, page by page, newest first. Rejects with the signal's reason when it is aborted. */
export async function readRoster(
  { retryingClient }: Session,
  signal: AbortSignal,
  onPage: (keys: readonly ApiKeyRecord[]) => void,
): Promise<void> {
  for await (const { data } of retryingClient.apiKeys.pages({ limit: PAGE_SIZE }, { signal })) {
    signal.throwIfAborted();
    onPage(data);
  }
}
