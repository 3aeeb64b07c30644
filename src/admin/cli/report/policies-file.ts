import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption } from '../../../shared/command/input/text-of-file.ts';
import { duplicateMembers } from '../../../shared/formats/duplicate-members.ts';
import { problemTexts } from '../../../shared/record/faults.ts';
import { printableName } from '../../../shared/record/fields.ts';
import type { Directory } from '../../directory/directory.ts';
import { parsePolicies } from '../../report/parse-policies.ts';
import type { Policy } from '../../report/policies.ts';

/** Throws a `UsageError` that names the file and each fault of it, and none of its values. */
export function readPolicies(file: string, directory?: Directory): readonly Policy[] {
  const text = textOfOption('--policies', file);
  const json = jsonOf(text, file);
  const parsed = parsePolicies(json, {
    readFile: path => readFileSync(resolve(dirname(file), path), 'utf8'),
    directory,
  });
  const problems = [
    ...duplicateMembers(text).map(name => `${printableName(name)}: is there more than once: leave one`),
    ...('faults' in parsed ? problemTexts(parsed.faults) : []),
  ];
  if ('faults' in parsed || problems.length > 0)
    throw new UsageError(`--policies: ${file}: ${problems.join('; ')}`);
  return parsed.policies;
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--policies: ${file}: is not JSON`);
  }
}
