import type { ApiKeyRecord } from '../../src/shared/record/api-key-record.ts';
import { record } from './import-file.ts';

/** A valid record, as an issuer puts it. */
export const putRecord = (id: string, change: Partial<ApiKeyRecord> = {}) =>
  record(id, change) as unknown as ApiKeyRecord;
