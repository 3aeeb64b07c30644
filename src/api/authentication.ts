import type { OrganizationId } from '../roster/identifier.ts';
import type { ApiRequest } from './request.ts';

/** Who sent a request. */
export interface Caller {
  readonly organizationId: OrganizationId;
  /** Names the caller within the organization: in the log, and where requests are counted. */
  readonly id: string;
}

/** A way to tell who sent a request: by an admin key, or by what the vendor has. */
export interface Authentication {
  /** Throws a 401, which tells nobody why, where the caller isn't known. */
  authenticate(request: ApiRequest, clientAddress: () => string | undefined): Promise<Caller>;
  /** What a request may have, one of them: by name, as the OpenAPI document has them. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** The `www-authenticate` header of a 401; `null`: there is none. */
  readonly challenge: string | null;
  /** The name of a caller's ID in the log. */
  readonly logField: 'admin_key_id' | 'caller_id';
  /** What the rate limit counts: its name in the headers, and the words of its message. */
  readonly rateLimit: { readonly name: string; readonly counted: string };
}
