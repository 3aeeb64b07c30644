import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption, textOfUtf8 } from '../../../shared/command/input/text-of-file.ts';
import { problemTexts } from '../../../shared/record/faults.ts';
import { parsedJson } from '../../../shared/record/parsed-json.ts';
import type { Directory } from '../../directory/directory.ts';
import { parsePolicies } from '../../report/parse-policies.ts';
import type { Policy } from '../../report/policies.ts';
import type { Note } from '../connection/directory-file.ts';

/** Throws a `UsageError` that names the file and each fault of it, and none of its values. */
export function readPolicies(file: string, directory: Directory | undefined, note: Note): readonly Policy[] {
  const text = textOfOption('--policies', file, bytes => textOfUtf8(note('--policies', file, bytes)));
  const json = parsedJson(text);
  if (json === undefined) throw new UsageError(`--policies: ${file}: is not JSON`);
  const parsed = parsePolicies(json, directory);
  if ('faults' in parsed)
    throw new UsageError(`--policies: ${file}: ${problemTexts(parsed.faults).join('; ')}`);
  return parsed.policies;
}
