import { coloured, type Style } from '../../shared/command/terminal/capabilities.ts';
import { batchedTable, type TableColumn } from '../../shared/command/terminal/fitted-columns.ts';

/** A column of a table that has an item in each row. */
export interface ItemColumn<Item> extends TableColumn {
  readonly cell: (item: Item) => string;
  /** On a terminal; absent or `undefined`: plain. */
  readonly style?: (item: Item) => Style | undefined;
}

/** The text of a batch of items. The first batch is what the table is laid out by. */
export function itemTable<Item>(
  columns: readonly ItemColumn<Item>[],
  leaving: readonly string[],
  advice?: string,
): (items: readonly Item[]) => string {
  const text = batchedTable(columns, leaving, advice);
  return items => {
    const styled = (cell: string, row: number, column: number) => {
      const style = columns[column]?.style?.(items[row] as Item);
      return style === undefined ? cell : coloured(style, cell);
    };
    const rows = items.map(item => columns.map(({ cell }) => cell(item)));
    return text(rows, styled);
  };
}
