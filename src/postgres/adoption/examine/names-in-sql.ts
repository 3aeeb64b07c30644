/** What an SQL expression names; `null` where it is written so that this can't be told. */
export function namesIn(sql: string): Names | null {
  if (UNREADABLE.test(sql)) return null;
  const tokens = [...sql.matchAll(TOKEN)].filter(([text]) => !text.startsWith("'"));
  const names = tokens.filter(([text]) => /^["\p{L}_]/u.test(text));
  return {
    names: new Set(names.map(([text]) => nameOf(text))),
    whole: new Set(names.filter(token => !isFollowedByName(sql, token)).map(([text]) => nameOf(text))),
  };
}

/** In lower case, since SQL folds what isn't quoted: `Key`, `key` and `"Key"` count as one. */
export interface Names {
  readonly names: ReadonlySet<string>;
  /** Those that aren't the first part of `name.column`: the name of a table stands for the whole row then. */
  readonly whole: ReadonlySet<string>;
}

/** Names with escapes, texts between dollars, and texts in which a backslash escapes a quote. */
const UNREADABLE = /\bu&"|\$[\p{L}_\d]*\$|\be'(?:[^']|'')*\\/iu;

/** A quoted name, a text, or a word. */
const TOKEN = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_$]*/gu;

function nameOf(token: string): string {
  const name = token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token;
  return name.toLowerCase();
}

function isFollowedByName(sql: string, token: RegExpExecArray): boolean {
  return /^\s*\.\s*["\p{L}_]/u.test(sql.slice(token.index + token[0].length));
}
