import { issuingLibraries } from '../support/issuing-libraries.ts';
import { describeOwnTransaction } from '../support/own-transaction.ts';

for (const library of issuingLibraries) describeOwnTransaction(library);
