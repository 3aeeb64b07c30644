import { InvalidOptionError, KeyrosterClient, KeyrosterError } from '../../client/client.ts';
import { Downloads } from '../walk/downloads.ts';
import { SeenIds } from '../walk/seen-ids.ts';
import type { WalkSource } from '../walk/walk.ts';
import { Desk } from '../worklist/own-files.ts';

/** For a page of a walk: together a minute or two, as long as a restart or a lost network takes. */
const WALK_RETRIES = 16;

/**
 * The admin key is in these clients and nowhere else: not in storage, a cookie or the URL. Closing or reloading the tab
 * ends the session.
 */
export interface Session extends WalkSource {
  /** Without retries: a view shows the error, with a button to try again. */
  readonly client: KeyrosterClient;
  /** For the pick lists of the filters. */
  readonly seenIds: SeenIds;
  /** The IDs of keys that were found by a full key: so it is known outside of where it is used. */
  readonly leaked: Set<string>;
  readonly organizationId: string | null;
  /** All that the admin key may see of it, as filters; `null`: everything. */
  readonly scope: string | null;
  /** Under way or ended, the newest first. They go on when a view is left. */
  readonly downloads: Downloads;
  readonly desk: Desk;
  /** Nothing is sent with the admin key any more. */
  end(): void;
}

/**
 * Throws a `KeyrosterError`, or an `InvalidOptionError` for a text that can't be an admin key.
 * @param onKeyRefused called when the service refuses the admin key later, whatever asked.
 */
export async function signIn(adminKey: string, onKeyRefused: () => void): Promise<Session> {
  let isSignedIn = false;
  const ended = new AbortController();
  const watchedFetch: typeof fetch = async (input, init) => {
    const signals = [ended.signal, init?.signal].filter(each => each != null);
    const answer = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    if (isSignedIn && answer.status === 401) onKeyRefused();
    return answer;
  };
  const options = {
    baseUrl: new URL('../', document.baseURI),
    adminKey,
    // the prefix of the version header, which the service writes into the page
    vendor: document.querySelector<HTMLMetaElement>('meta[name=keyroster-vendor]')?.content ?? 'vendor',
    fetch: watchedFetch,
  };
  const client = new KeyrosterClient({ ...options, retries: 0 });
  const { organizationId, scope } = await client.apiKeys.list({ limit: 1 });
  isSignedIn = true;
  const retryingClient = new KeyrosterClient({ ...options, retries: WALK_RETRIES });
  return {
    organizationId,
    scope,
    client,
    retryingClient,
    desk: new Desk({ retryingClient }),
    seenIds: new SeenIds(),
    leaked: new Set(),
    downloads: new Downloads(),
    end: () => ended.abort(),
  };
}

/** Whether the text can't be an admin key, so that nothing was sent, or the service refused it. */
export function isWrongKey(error: unknown): boolean {
  if (error instanceof InvalidOptionError) return error.option === 'adminKey';
  return error instanceof KeyrosterError && error.type === 'authentication_error';
}
