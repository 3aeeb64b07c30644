import { statSync } from 'node:fs';
import { UsageError } from '../../../shared/command/command.ts';
import { Prompt } from '../../../shared/command/terminal/prompt.ts';
import { decompress } from '../../../shared/formats/text.ts';
import { parseKeyId } from '../../../shared/record/identifier.ts';
import { idLooksLikeKey, looksLikeKey } from '../../../shared/record/looks-like-key.ts';

/** It is kept in memory while the roster is read. */
export const MAX_MEGABYTES = 16;
const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024;

/**
 * What is looked for: what was given as an argument, or else standard input, which `ps` and the shell's history don't have. `isCut`: it
 * had more, which wasn't looked at.
 */
export async function askedText(argument: string | undefined) {
  if (argument !== undefined) {
    if (looksLikeFullKey(argument.trim())) throw keyInArgument();
    if (statSync(argument, { throwIfNoEntry: false })?.isFile())
      throw new UsageError(`${argument} is a file: keyroster-admin find < ${argument}`);
    return { text: argument, isCut: false };
  }
  return process.stdin.isTTY ? { text: await typedText(), isCut: false } : beginningOf(process.stdin);
}

/** An ID that is random is none, where nothing else says so: the roster tells more of it. */
function looksLikeFullKey(text: string): boolean {
  if (text.includes('-admin01-')) return true;
  return parseKeyId(text) === undefined ? looksLikeKey(text) : idLooksLikeKey(text);
}

export function keyInArgument(): UsageError {
  return new UsageError(
    '[hint]: looks like a full API key. An argument is in the output of ps and in the history of the shell: remove it there. ' +
      'Run keyroster-admin find without it, and give the key on standard input',
  );
}

function typedText(): Promise<string> {
  const prompt = new Prompt();
  return prompt.askUnseen('Key, hint, ID or name (not shown): ').finally(() => prompt.close());
}

/** Of gzip what is in it, as of a log that was rotated. What is behind isn't read: it may be of any length. */
async function beginningOf(input: NodeJS.ReadStream) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decompress(input as AsyncIterable<Buffer>)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
  }
  input.destroy(); // an open one would keep the process alive
  return { text: Buffer.concat(chunks).subarray(0, MAX_BYTES).toString(), isCut: bytes > MAX_BYTES };
}
