/** What a statement for many is asked for: rows of several merchants, which must never be taken for each other. */
export type RowKey<Owner extends 'account_id' | 'merchant_id' = 'account_id'> = Readonly<
  Record<Owner | 'id', string>
>

const nameOf = (key: RowKey | RowKey<'merchant_id'>): string =>
  `${'account_id' in key ? key.account_id : key.merchant_id} ${key.id}`

/** The row that each asked for, in the order of asking. That an id is right is not enough: it may be another merchant's. */
export function alignRows<Row extends RowKey | RowKey<'merchant_id'>>(
  rowKeys: readonly (RowKey | RowKey<'merchant_id'>)[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [nameOf(row), row]))
  return rowKeys.map((each) => found.get(nameOf(each)))
}
