import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { duplicateMembers } from '../../formats/duplicate-members.ts';
import { parsePolicies } from '../../report/parse-policies.ts';
import type { Policy } from '../../report/policies.ts';
import { problemTexts } from '../../roster/faults.ts';
import { printableName } from '../../roster/fields.ts';
import { cannotRead } from '../input/cannot-read.ts';
import { textOfFile } from '../input/text-of-file.ts';
import { UsageError } from '../options/usage-error.ts';

/** Throws a `UsageError` that names the file and each fault of it, and none of its values. */
export function readPolicies(file: string): readonly Policy[] {
  const text = textIn(file);
  const json = jsonOf(text, file);
  const parsed = parsePolicies(json, path => readFileSync(resolve(dirname(file), path), 'utf8'));
  const problems = [
    ...duplicateMembers(text).map(name => `${printableName(name)}: is there more than once: leave one`),
    ...('faults' in parsed ? problemTexts(parsed.faults) : []),
  ];
  if ('faults' in parsed || problems.length > 0)
    throw new UsageError(`--policies: ${file}: ${problems.join('; ')}`);
  return parsed.policies;
}

function textIn(file: string): string {
  try {
    return textOfFile(file);
  } catch (error) {
    throw new UsageError(`--policies: ${cannotRead(file, error)}`);
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--policies: ${file}: is not JSON`);
  }
}
