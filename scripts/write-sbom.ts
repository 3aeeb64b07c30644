/** Prints the package's bill of materials: `npm run -s sbom`. */
import { printedSbom } from './sbom.ts';

process.stdout.write(printedSbom());
