import type { ProposedSource } from '../../postgres/adoption/proposal/choice.ts';

/** A source in a line. */
export function sourceText(source: ProposedSource): string {
  if ('column' in source) {
    const values = Object.entries(source.values ?? {}).filter(([, list]) => list.length > 0);
    const meanings = values.map(([status, list]) => `${list.map(String).join(', ')} = ${status}`);
    return [source.column, ...(source.unit ? [`in ${source.unit}`] : []), ...meanings].join('; ');
  }
  if ('sql' in source) return `sql: ${source.sql}`;
  return 'constant' in source ? `= ${source.constant ?? 'null'}` : '-';
}
