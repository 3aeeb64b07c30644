import { KeyrosterClient, KeyrosterError } from '../client/client.ts';

/**
 * Someone who signed in. The admin key is in these clients and nowhere else: not in storage, not in a cookie, not in
 * the URL. It goes with the tab, and with a reload.
 */
export interface Session {
  readonly organizationId: string | null;
  /** Asks once: a view shows what came, and the person decides. */
  readonly client: KeyrosterClient;
  /** For walks of many pages: waits and asks again by itself, as the service says. */
  readonly patientClient: KeyrosterClient;
}

/** Throws a `KeyrosterError`, or a `TypeError` for a text that can't be an admin key. */
export async function signIn(adminKey: string, signal: AbortSignal): Promise<Session> {
  const options = { baseUrl: new URL('../', document.baseURI), adminKey, vendor: vendor() };
  const client = new KeyrosterClient({ ...options, retries: 0 });
  const { organizationId } = await client.apiKeys.list({ limit: 1 }, { signal });
  return { organizationId, client, patientClient: new KeyrosterClient(options) };
}

/** The service writes it into the page, as it names a header of the operation. */
function vendor(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=keyroster-vendor]')?.content ?? 'vendor';
}

export function isRefusedKey(error: unknown): boolean {
  return error instanceof KeyrosterError && error.type === 'authentication_error';
}
