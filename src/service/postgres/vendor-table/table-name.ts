/** A table of the vendor's, by its two names as PostgreSQL keeps them. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

export const TABLE_RULE =
  'must be schema.table, each quoted with " where SQL needs it, such as public."ApiKey"';

/** A name that SQL folds to lower case unless it is quoted. */
const NAME = String.raw`[a-zA-Z_][\w$]*|"(?:[^"\0]|"")+"`;
const wholeName = new RegExp(`^(${NAME})\\.(${NAME})$`);

export function parseTableName(text: unknown): TableName | undefined {
  const [, schema, table] = (typeof text === 'string' && wholeName.exec(text)) || [];
  return schema && table ? { schema: unquoted(schema), table: unquoted(table) } : undefined;
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase();
}

/** The name as SQL, and as `parseTableName` reads it. */
export function tableSql({ schema, table }: TableName): string {
  return `${identifier(schema)}.${identifier(table)}`;
}

/** Quoted always: which words PostgreSQL reserves differs by its version. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL, whatever the session's settings are. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** As `tableSql`, quoted only where `parseTableName` needs it: for a person. */
export function readableTable({ schema, table }: TableName): string {
  return [schema, table].map(name => (/^[a-z_][a-z\d_$]*$/.test(name) ? name : identifier(name))).join('.');
}
