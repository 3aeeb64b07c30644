import { InvalidOptionError, KeyrosterClient, KeyrosterError } from '../../client/client.ts';

/**
 * The admin key is in these clients and nowhere else: not in storage, a cookie or the URL. Closing or reloading the tab
 * ends the session.
 */
export interface Session {
  readonly organizationId: string | null;
  /** Without retries: a view shows the error, with a button to try again. */
  readonly client: KeyrosterClient;
  /** With retries, for walks of many pages. */
  readonly retryingClient: KeyrosterClient;
}

/** Throws a `KeyrosterError`, or an `InvalidOptionError` for a text that can't be an admin key. */
export async function signIn(adminKey: string, signal: AbortSignal): Promise<Session> {
  const options = { baseUrl: new URL('../', document.baseURI), adminKey, vendor: vendor() };
  const client = new KeyrosterClient({ ...options, retries: 0 });
  const { organizationId } = await client.apiKeys.list({ limit: 1 }, { signal });
  return { organizationId, client, retryingClient: new KeyrosterClient(options) };
}

/** The prefix of the version header. The service writes it into the page. */
function vendor(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=keyroster-vendor]')?.content ?? 'vendor';
}

/** Whether the text can't be an admin key, so that nothing was sent. */
export function isMalformedKey(error: unknown): boolean {
  return error instanceof InvalidOptionError && error.option === 'adminKey';
}

/** Whether the service refused the admin key. */
export function isRefusedKey(error: unknown): boolean {
  return error instanceof KeyrosterError && error.type === 'authentication_error';
}
