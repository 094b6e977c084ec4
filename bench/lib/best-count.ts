/**
 * The number of clients with the highest rate. One round varies by a tenth, so the two best numbers are measured a second time.
 * @param perSecond measures one round with a number of clients
 */
export async function bestCount(
  counts: readonly number[],
  perSecond: (count: number) => Promise<number>,
): Promise<number> {
  const tried: { count: number; rate: number }[] = []
  for (const count of counts) tried.push({ count, rate: await perSecond(count) })
  const [first, second] = tried.toSorted((a, b) => b.rate - a.rate)
  if (!first || !second) return first?.count ?? 1
  const firstAgain = await perSecond(first.count)
  const secondAgain = await perSecond(second.count)
  return first.rate + firstAgain >= second.rate + secondAgain ? first.count : second.count
}
