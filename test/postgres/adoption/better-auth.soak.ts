import { compareBetterAuth } from '../../support/adopted/compare-better-auth.ts';

compareBetterAuth(2_000);
