import { readFileSync } from 'node:fs';

/** A fenced block of a page of the docs. */
export interface DocBlock {
  readonly file: string;
  /** Of its first line of content, from 1. */
  readonly line: number;
  /** What stands behind the fence; '' where nothing does. */
  readonly language: string;
  readonly text: string;
}

/** The path is from the project's folder. */
export function blocksIn(file: string): DocBlock[] {
  const page = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: text = '' }) => ({
    file,
    line: page.slice(0, index).split('\n').length + 1,
    language,
    text,
  }));
}
