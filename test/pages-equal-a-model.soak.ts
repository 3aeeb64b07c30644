import { comparePages } from './support/compare-pages.ts';

comparePages(10_000);
