import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** A fenced code block of the docs. */
export interface DocBlock {
  readonly file: string;
  /** Line number of its first line of content, from 1. */
  readonly line: number;
  /** The language after the fence; '' when there is none. */
  readonly language: string;
  readonly text: string;
}

/** The blocks of a file, whose path is relative to the project's folder. */
export function blocksIn(file: string): DocBlock[] {
  const page = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: text = '' }) => ({
    file,
    line: page.slice(0, index).split('\n').length + 1,
    language,
    text,
  }));
}

/** The text of the block of a file that begins like this. */
export function blockOf(file: string, start: string): string {
  const block = blocksIn(file).find(({ text }) => text.startsWith(start));
  assert(block, `${file} has no block that begins with ${start}`);
  return block.text;
}
