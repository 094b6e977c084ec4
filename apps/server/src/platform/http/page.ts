/** A page of the rows, of which there is one more when another page follows; `last` is the cursor of the next page. */
export function pageOf<Row>(found: readonly Row[], limit: number): { page: Row[]; last: Row | null } {
  const page = found.slice(0, limit)
  return { page, last: found.length > limit ? (page.at(-1) ?? null) : null }
}

/** The same page as responses to merchants' servers have it. */
export function publicPage<Row extends { readonly id: unknown }, Wire>(
  found: readonly Row[],
  limit: number,
  toWire: (row: Row) => Wire,
): { data: Wire[]; has_more: boolean; next_cursor: Row['id'] | null } {
  const { page, last } = pageOf(found, limit)
  return { data: page.map((row) => toWire(row)), has_more: last !== null, next_cursor: last?.id ?? null }
}
