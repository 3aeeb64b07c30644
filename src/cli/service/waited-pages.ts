import {
  type ApiKeyPage,
  type KeyrosterClient,
  KeyrosterError,
  type ListParameters,
} from '../../client/client.ts';
import { withAddressNamed } from './proxy.ts';
import type { Waits } from './waits.ts';

/** All pages of a query as they came. Tells of waits, and names the service, and the proxy where it may be why there is no page. */
export async function* waitedPages(
  client: KeyrosterClient,
  query: ListParameters,
  waits: Waits,
): AsyncGenerator<ApiKeyPage, void> {
  try {
    waits.begin();
    for await (const page of client.apiKeys.pages(query, { onRetry: waits.onRetry })) {
      waits.end();
      yield page;
      waits.begin();
    }
  } catch (error) {
    throw error instanceof KeyrosterError ? withAddressNamed(error) : error;
  } finally {
    waits.end();
  }
}
