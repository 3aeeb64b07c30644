import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption } from '../../../shared/command/input/text-of-file.ts';
import { problemTexts } from '../../../shared/record/faults.ts';
import { parsedJson } from '../../../shared/record/parsed-json.ts';
import type { Directory } from '../../directory/directory.ts';
import { parsePolicies } from '../../report/parse-policies.ts';
import type { Policy } from '../../report/policies.ts';

/** Throws a `UsageError` that names the file and each fault of it, and none of its values. */
export function readPolicies(file: string, directory?: Directory): readonly Policy[] {
  const json = parsedJson(textOfOption('--policies', file));
  if (json === undefined) throw new UsageError(`--policies: ${file}: is not JSON`);
  const parsed = parsePolicies(json, {
    readFile: path => readFileSync(resolve(dirname(file), path), 'utf8'),
    directory,
  });
  if ('faults' in parsed)
    throw new UsageError(`--policies: ${file}: ${problemTexts(parsed.faults).join('; ')}`);
  return parsed.policies;
}
