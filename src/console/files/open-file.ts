import { textOfBytes } from '../../admin/directory/file-text.ts';
import { type PeopleFile, peopleSteps } from '../../admin/directory/people-file.ts';
import { isObject } from '../../shared/record/fields.ts';
import { parsedJson } from '../../shared/record/parsed-json.ts';

export type Opened =
  | { readonly kind: 'people'; readonly people: PeopleFile }
  | { readonly kind: 'policies'; readonly json: unknown }
  | { readonly problems: readonly string[] };

/** The whole file is in memory. */
const MAX_MIB = 64;
/** No directory has this word, and each form of a roster has it. */
const OF_A_ROSTER = 'partial_key_hint';

/** What a file is, which its content tells. It is read in the page, and goes nowhere. */
export async function openFile(file: File): Promise<Opened> {
  if (file.size > MAX_MIB * 2 ** 20) return { problems: [`is larger than ${MAX_MIB} MiB`] };
  let text: string;
  try {
    text = textOfBytes(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    return { problems: [(error as Error).message] };
  }
  const json = parsedJson(text);
  if (isObject(json) && 'policies' in json) return { kind: 'policies', json };
  if (text.includes(OF_A_ROSTER))
    return { problems: ['is a saved roster: keyroster-admin diff tells what has changed since'] };
  const people = await inSlices(peopleSteps(file.name, text));
  return 'problems' in people ? people : { kind: 'people', people };
}

/** The page draws between two of them. */
const SLICE_MS = 20;

export async function inSlices<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await new Promise(resolve => setTimeout(resolve));
    end = performance.now() + SLICE_MS;
  }
}
