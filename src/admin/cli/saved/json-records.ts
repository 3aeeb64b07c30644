import { endOfText } from '../../../client/excess.ts';
import { MAX_LINE_BYTES } from '../../../shared/formats/json-lines.ts';
import { Refused } from '../../../shared/record/faults.ts';

const [NEWLINE, QUOTE] = [0x0a, 0x22];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Behind it is the list of a page. */
const DATA = /"data"\s*:\s*$/;

/**
 * The records of JSON documents in any layout, one after another: each is a record, a list, or a page as the API answers it. Returns
 * whether the last page says that there are more. Throws `Refused` for what isn't JSON around the records.
 *
 * @param parse is given the JSON of a record, and the line on which it begins.
 */
export async function* jsonRecords<Parsed>(
  source: AsyncIterable<Buffer>,
  parse: (json: Buffer, line: number) => Parsed,
): AsyncGenerator<Parsed[], boolean> {
  let rest: Buffer = Buffer.alloc(0);
  let [looked, line, begun, depth] = [0, 1, 1, 0];
  /** The depth at which objects are records; -1 behind the list that has them. */
  let level = 0;
  /** The document with a 0 in the place of each record, but of those behind a comma. */
  let [around, count, hasMore] = ['', 0, false];
  /** What is between two records. */
  let gap = '';
  for await (const chunk of source) {
    const buffer = Buffer.concat([rest, chunk]);
    const text = buffer.toString('latin1'); // a character for each byte
    const records: Parsed[] = [];
    let [start, at] = [0, looked];
    const take = (end: number) => {
      const taken = buffer.subarray(start, end);
      start = end;
      return taken;
    };
    for (; at < buffer.length; at += 1) {
      const character = buffer[at];
      if (character === NEWLINE) line += 1;
      else if (character === QUOTE) {
        const end = endOfText(text, at);
        if (end === text.length) break;
        at = end;
      } else if (character === OPEN_OBJECT) {
        if (depth === level) [gap, begun] = [take(at).toString(), line];
        depth += 1;
      } else if (character === OPEN_LIST) {
        depth += 1;
        const isData = depth === 2 && DATA.test(text.slice(Math.max(start, at - 99), at));
        if (level === 0 && (depth === 1 || isData)) [around, level] = [around + gap + take(at + 1), depth];
      } else if (character === CLOSE_OBJECT || character === CLOSE_LIST) {
        depth -= 1;
        if (depth < level) level = -1;
        else if (depth === level && character === CLOSE_OBJECT) {
          records.push(parse(take(at + 1), begun));
          if (count === 0 || gap.trim() !== ',') [around, count] = [`${around}${gap}0`, count + 1];
        }
        if (depth > 0) continue;
        hasMore = saysMore(around + take(at + 1), count, line) ?? hasMore;
        [around, gap, count, depth, level] = ['', '', 0, 0, 0];
      }
    }
    rest = buffer.subarray(start);
    looked = at - start;
    if (rest.length > MAX_LINE_BYTES) throw new Refused(`line ${begun}: longer than ${MAX_LINE_BYTES} bytes`);
    yield records;
  }
  if (depth > 0) throw new Refused(`line ${begun}: the end is missing: is the file cut off?`);
  if (rest.toString().trim() !== '') throw new Refused(`line ${line}: not JSON`);
  return hasMore;
}

/** Whether this is a page that isn't the last one; `undefined`: it doesn't say. */
function saysMore(around: string, count: number, line: number): boolean | undefined {
  let content: unknown;
  try {
    content = JSON.parse(around.replace(/^\uFEFF/, ''));
  } catch {
    throw new Refused(`line ${line}: not JSON`); // the cause would repeat a part of the text
  }
  if (content === 0) return undefined;
  const { data, has_more } = Object(content);
  const list: readonly unknown[] = Array.isArray(content) ? content : data;
  if (list.length === count) return has_more === undefined ? undefined : has_more !== false;
  throw new Refused(`line ${line}: has something else than records in its list`);
}
