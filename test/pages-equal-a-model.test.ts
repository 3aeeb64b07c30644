import { comparePages } from './support/compare-pages.ts';
import { rounds } from './support/rounds.ts';

comparePages(rounds(20));
