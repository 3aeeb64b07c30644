import { betterAuth } from './better-auth.ts';
import { bigserial } from './bigserial.ts';
import { mixedCase } from './mixed-case.ts';
import { uuid } from './uuid.ts';
import type { VendorTable } from './vendor-table.ts';

/** Tables in the shapes that vendors have. */
export const vendorTables: readonly VendorTable[] = [betterAuth, bigserial, uuid, mixedCase];
