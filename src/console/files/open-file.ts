import type { Directory } from '../../admin/directory/directory.ts';
import { directorySteps } from '../../admin/directory/parse-directory.ts';
import { isCsv } from '../../admin/saved/csv-record.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { duplicateMembers } from '../../shared/formats/duplicate-members.ts';
import { Refused } from '../../shared/record/faults.ts';
import { isObject, printableName } from '../../shared/record/fields.ts';
import { recordsOfCsv, recordsOfValues } from './saved-roster.ts';

export type Opened =
  | { readonly kind: 'directory'; readonly directory: Directory; readonly text: string }
  | { readonly kind: 'policies'; readonly json: unknown }
  | { readonly kind: 'roster'; readonly records: Map<string, ApiKeyRecord> }
  | { readonly problems: readonly string[] };

/** The whole file is in memory: what is larger is for the command, which reads it bit by bit. */
const MAX_MIB = 64;

/** What a file is, which its content tells. It is read in the page, and goes nowhere. */
export async function openFile(file: File): Promise<Opened> {
  let text: string | undefined;
  try {
    text = await textOf(file);
  } catch {
    return { problems: ['is not in UTF-8, or can not be read'] };
  }
  if (text === undefined) return { problems: [`is larger than ${MAX_MIB} MiB: keyroster-admin reads it`] };
  try {
    return await openedText(text);
  } catch (error) {
    if (error instanceof Refused) return { problems: [error.message] };
    throw error;
  }
}

/** Of gzip what is in it, as of a snapshot of `watch`: a few KB may be as many MB. `undefined`: it is too large, and isn't read on. */
async function textOf(file: File): Promise<string | undefined> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = first === 0x1f && second === 0x8b;
  const plain = isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader = plain.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.length;
    if (bytes > MAX_MIB * 2 ** 20) {
      reader.cancel();
      return undefined;
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

async function openedText(text: string): Promise<Opened> {
  if (isCsv(text)) return { kind: 'roster', records: recordsOfCsv(text) };
  const json = jsonOf(text);
  if (isObject(json) && 'policies' in json) {
    const problems = duplicateMembers(text).map(
      name => `${printableName(name)}: is there more than once: leave one`,
    );
    return problems.length > 0 ? { problems } : { kind: 'policies', json };
  }
  if (isObject(json) && json.has_more === true)
    return { problems: ['has only some of the keys, as has_more is true: save it with list --all'] };
  const values = isObject(json) && Array.isArray(json.data) ? json.data : (json ?? jsonLinesOf(text));
  const isRoster = (each: unknown) => isObject(each) && 'created_at' in each;
  if (Array.isArray(values) && (values.some(isRoster) || values.length === 0))
    return { kind: 'roster', records: recordsOfValues(values) };
  if (isRoster(values)) return { kind: 'roster', records: recordsOfValues([values]) };
  const parsed = await inSlices(directorySteps(text));
  return 'problems' in parsed ? parsed : { kind: 'directory', directory: parsed.directory, text };
}

/** The page draws between two of them. */
const SLICE_MS = 20;

async function inSlices<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await new Promise(resolve => setTimeout(resolve));
    end = performance.now() + SLICE_MS;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `undefined`: a line is no JSON. */
function jsonLinesOf(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  if (!lines[0]?.startsWith('{')) return undefined;
  const values = lines.map(jsonOf);
  const wrong = values.indexOf(undefined);
  if (wrong >= 0) throw new Refused(`record ${wrong + 1} is not JSON: is the file cut off?`);
  return values;
}
