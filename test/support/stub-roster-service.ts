import type { AdminKey } from '../../src/service/roster/admin-key.ts';
import type { StoreReader } from '../../src/service/roster/roster.ts';
import { type Caller, callerOf } from './http.ts';
import { VENDOR } from './roster.ts';
import type { Scope } from './scope.ts';
import { startService, type TestService } from './service.ts';
import { stubReader } from './stub-reader.ts';

interface StubRosterService extends Caller {
  readonly service: TestService;
  readonly secret: string;
  readonly organization: string;
}

/** Starts a service over a stub roster until the scope's end, with a caller that has its admin key. */
export async function startStubRosterService(
  scope: Scope,
  { vendor = VENDOR, ...methods }: Partial<StoreReader> & { vendor?: typeof VENDOR } = {},
  fields: Partial<AdminKey> = {},
): Promise<StubRosterService> {
  const { reader, secret, organization } = stubReader(methods, fields);
  const service = await startService(reader, vendor);
  const caller = callerOf(service.port, secret, vendor);
  scope.after(() => {
    caller.close();
    return service.close();
  });
  return { ...caller, service, secret, organization };
}
