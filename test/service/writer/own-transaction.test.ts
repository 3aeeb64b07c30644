import { issuingLibraries } from '../../support/issuing-libraries.ts';
import { describeOwnTransaction } from '../../support/own-transaction.ts';
import { rounds } from '../../support/rounds.ts';

/** `npm test` has two of them; `test/more-rounds.soak.ts` has all. */
for (const library of issuingLibraries.slice(0, rounds(2))) describeOwnTransaction(library);
