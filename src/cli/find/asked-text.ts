import { MAX_TEXT } from '../../find/question.ts';
import { parseId } from '../../roster/identifier.ts';
import { idLooksLikeKey, looksLikeKey } from '../../roster/looks-like-key.ts';
import { UsageError } from '../options/usage-error.ts';
import { Prompt } from '../terminal/prompt.ts';

/** A character has at most four bytes. */
const MAX_BYTES = MAX_TEXT * 4;

/** What is looked for: what was given as an argument, or else standard input, which `ps` and the shell's history don't have. */
export async function askedText(argument: string | undefined): Promise<string> {
  if (argument !== undefined) {
    if (looksLikeFullKey(argument)) throw keyInArgument();
    return argument;
  }
  return process.stdin.isTTY ? typedText() : beginningOf(process.stdin);
}

/** An ID that is random is none, where nothing else says so: the roster tells more of it. */
function looksLikeFullKey(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.includes('-admin01-')) return true;
  return parseId(trimmed) === undefined ? looksLikeKey(text) : idLooksLikeKey(trimmed);
}

export function keyInArgument(): UsageError {
  return new UsageError(
    '[hint]: looks like a full API key. An argument is in the output of ps and in the history of the shell: remove it there. ' +
      'Run keyroster find without it, and give the key on standard input',
  );
}

async function typedText(): Promise<string> {
  const prompt = new Prompt();
  try {
    return await prompt.askUnseen('Key, hint, ID or name (not shown): ');
  } finally {
    prompt.close();
  }
}

/** What is behind isn't read: it may be of any length. */
async function beginningOf(input: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString();
}
