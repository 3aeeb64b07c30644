/** The names in an SQL expression; `null` where it is written so that they can't be told. */
export function namesIn(sql: string): readonly NameInSql[] | null {
  if (UNREADABLE.test(sql) || !isClosed(outsideQuotes(sql))) return null;
  const tokens = [...sql.matchAll(TOKEN)].filter(([text]) => /^["\p{L}_]/u.test(text));
  return tokens.map(({ 0: text, index }) => ({
    name: nameOf(text),
    member: memberAfter(sql.slice(index + text.length)),
  }));
}

/** In lower case, since SQL folds what isn't quoted: `Key`, `key` and `"Key"` count as one. */
export interface NameInSql {
  readonly name: string;
  /** The name after its dot; `null`: there is none, so that the name of a table stands for a whole row. */
  readonly member: string | null;
}

/**
 * Whether the names alone tell what is read, wherever the expression stands. A setting decides what a backslash means, PostgreSQL
 * has more letters than are known here, and it cuts long names.
 */
export function isPlain(sql: string): boolean {
  const bare = outsideQuotes(sql);
  const isLong = namesIn(sql)?.some(({ name }) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  return !sql.includes('\\') && !/[^ -~\s]|\.\s*\*/.test(bare) && isLong === false;
}

const MAX_NAME_BYTES = 63;

/** Names with escapes, texts between dollars, and texts in which a backslash escapes a quote. */
const UNREADABLE = /\bu&"|\$[\p{L}_\d]*\$|\be'[\s\S]*\\/iu;

/** A quoted name, a text, or a word. */
const TOKEN = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_$]*/gu;

function outsideQuotes(sql: string): string {
  return sql.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, ' ');
}

/** Whether no quote is left open, and no parenthesis is closed that the expression has not opened. */
function isClosed(bare: string): boolean {
  let open = 0;
  for (const [sign] of bare.matchAll(/[()]/g)) {
    open += sign === '(' ? 1 : -1;
    if (open < 0) return false;
  }
  return !/['"]/.test(bare);
}

function nameOf(token: string): string {
  const name = token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token;
  return name.toLowerCase();
}

function memberAfter(rest: string): string | null {
  const [, member] = /^\s*\.\s*("(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*)/u.exec(rest) ?? [];
  return member === undefined ? null : nameOf(member);
}
