import { linesOfFile } from '../../shared/command/input/input-file.ts';
import { isTooLong, splitLines } from '../../shared/formats/json-lines.ts';
import { Refused } from '../../shared/record/faults.ts';
import { type ApiKeyId, KEY_ID_RULE, parseKeyId } from '../../shared/record/identifier.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../../shared/record/redact-admin-keys.ts';

/** Wrong lines that the message names; the rest are counted. */
const MAX_NAMED = 20;

export interface IdLine {
  readonly line: number;
  readonly id: ApiKeyId;
}

/**
 * The API keys' IDs in a file, or in standard input for `-`: one a line, between empty ones. Throws one `Refused` for all lines
 * with something else.
 */
export async function idLines(file: string): Promise<readonly IdLine[]> {
  const ids: IdLine[] = [];
  const problems: string[] = [];
  let line = 0;
  for await (const lines of linesOfFile(file, splitLines))
    for (const bytes of lines) {
      line += 1;
      const text = bytes
        .toString()
        .replace(/^\uFEFF/, '')
        .trim();
      if (text === '' && !isTooLong(bytes)) continue;
      const id = parseKeyId<ApiKeyId>(text);
      if (id !== undefined && !containsAdminKey(id)) ids.push({ line, id });
      else problems.push(`line ${line}: ${id === undefined ? KEY_ID_RULE : NO_ADMIN_KEY_RULE}`);
    }
  const more = problems.length > MAX_NAMED ? `; and ${problems.length - MAX_NAMED} more` : '';
  if (problems.length > 0) throw new Refused(`from: ${problems.slice(0, MAX_NAMED).join('; ')}${more}`);
  return ids;
}
