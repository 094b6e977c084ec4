/** The key of a row in a batch statement. It contains the owner, so that rows of different merchants are never confused. */
export type RowKey<Owner extends 'account_id' | 'merchant_id' = 'account_id'> = Readonly<
  Record<Owner | 'id', string>
>

const nameOf = (key: RowKey | RowKey<'merchant_id'>): string =>
  `${'account_id' in key ? key.account_id : key.merchant_id} ${key.id}`

/** The row of each key, in the order of the keys. The id alone would not suffice: another merchant may have sent it. */
export function alignRows<Row extends RowKey | RowKey<'merchant_id'>>(
  rowKeys: readonly (RowKey | RowKey<'merchant_id'>)[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [nameOf(row), row]))
  return rowKeys.map((each) => found.get(nameOf(each)))
}
