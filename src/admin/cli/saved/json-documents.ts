import { Refused } from '../../../shared/record/faults.ts';

/** Of a document: the client takes no larger page either. */
const MAX_MEBIBYTES = 16;

interface JsonDocument {
  /** The line on which it begins. */
  readonly line: number;
  readonly content: unknown;
}

const [NEWLINE, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The JSON documents in any layout, one after another. Throws `Refused` for one that isn't JSON, or is too large to be read at once. */
export async function* jsonDocuments(source: AsyncIterable<Buffer>): AsyncGenerator<JsonDocument> {
  let rest: Buffer = Buffer.alloc(0);
  let [looked, depth, line, begun] = [0, 0, 1, 1];
  for await (const chunk of source) {
    const buffer = Buffer.concat([rest, chunk]);
    let [start, at] = [0, looked];
    for (; at < buffer.length; at += 1) {
      const character = buffer[at];
      if (character === NEWLINE) line += 1;
      else if (character === OPEN_OBJECT || character === OPEN_LIST) {
        if (depth === 0) begun = line;
        depth += 1;
      } else if (character === CLOSE_OBJECT || character === CLOSE_LIST) {
        depth -= 1;
        if (depth > 0) continue;
        yield { line: begun, content: parsed(buffer.subarray(start, at + 1), begun) };
        [start, depth] = [at + 1, 0];
      } else if (character === QUOTE) {
        const end = endOfText(buffer, at);
        if (end < 0) break;
        at = end;
      }
    }
    rest = buffer.subarray(start);
    looked = at - start;
    if (rest.length > MAX_MEBIBYTES * 2 ** 20)
      throw new Refused(
        `line ${begun}: a document of more than ${MAX_MEBIBYTES} MiB: save a record a line, as jq -c '.[]' does`,
      );
  }
  if (rest.toString().trim() === '') return;
  throw new Refused(`line ${depth > 0 ? begun : line}: the end is missing: is the file cut off?`);
}

function parsed(bytes: Buffer, line: number): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const isText = error instanceof SyntaxError; // its message would repeat a part of the text
    throw new Refused(`line ${line}: not ${isText ? 'JSON' : 'UTF-8'}`, { cause: error });
  }
}

/** The index of the closing quote; -1 when it isn't there yet. */
function endOfText(buffer: Buffer, start: number): number {
  let end = buffer.indexOf(QUOTE, start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (buffer[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = buffer.indexOf(QUOTE, end + 1);
  }
  return -1;
}
