/** What a statement for many is asked for: rows of several merchants, which must never be taken for each other. */
export interface RowKey {
  readonly merchant_id: string
  readonly id: string
}

const nameOf = ({ merchant_id, id }: RowKey): string => `${merchant_id} ${id}`

/** The row that each asked for, in the order of asking. That an id is right is not enough: it may be another merchant's. */
export function alignRows<Row extends RowKey>(
  rowKeys: readonly RowKey[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [nameOf(row), row]))
  return rowKeys.map((each) => found.get(nameOf(each)))
}
