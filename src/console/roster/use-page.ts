import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ApiKeyPage } from '../../client/client.ts';
import { type AddressParameters, addressOf, goTo, listParametersOf } from '../shell/address.ts';
import type { Session } from '../shell/session.ts';

/** A page, and the parameters that it was requested with. */
export interface ShownPage {
  readonly page: ApiKeyPage;
  readonly parameters: AddressParameters;
}

interface Result {
  /** The request that this is the result of; absent: there is none yet. */
  readonly request?: string;
  /** The last page that came. It stays visible while the next one loads. */
  readonly shown: ShownPage | null;
  readonly error: unknown;
}

export interface PageState extends Omit<Result, 'request'> {
  readonly loading: boolean;
  reload(): void;
}

/** Loads the page for these parameters. An answer that comes after they changed is dropped. */
export function usePage({ client }: Session, parameters: AddressParameters): PageState {
  const [attempt, setAttempt] = useState(0);
  const [{ request: finished, shown, error }, setResult] = useState<Result>({ shown: null, error: null });
  const request = JSON.stringify([parameters, attempt]);

  useEffect(() => {
    const controller = new AbortController();
    const [requested]: [AddressParameters] = JSON.parse(request);
    const end = (result: Omit<Result, 'request'>) => setResult({ request, ...result });
    client.apiKeys.list(listParametersOf(requested), { signal: controller.signal }).then(
      page => {
        if (controller.signal.aborted) return;
        const loaded = { page, parameters: requested };
        if (isFirst(loaded)) goTo(addressOf('roster', withoutCursor(requested)), { replace: true });
        else end({ shown: loaded, error: null });
      },
      failure => controller.signal.aborted || end({ shown: null, error: failure }),
    );
    return () => controller.abort();
  }, [client, request]);

  const reload = useCallback(() => setAttempt(count => count + 1), []);
  return { shown, error, loading: finished !== request, reload };
}

/**
 * The first page, reached by `before_id`, may have fewer keys than the limit, and would not be the first any more once
 * keys are added. So it is requested again, without the cursor.
 */
function isFirst({ page, parameters }: ShownPage): boolean {
  return parameters.before_id !== undefined && !page.has_more;
}

function withoutCursor({
  after_id: _after,
  before_id: _before,
  ...rest
}: AddressParameters): AddressParameters {
  return rest;
}
