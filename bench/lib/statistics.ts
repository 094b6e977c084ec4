export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

/** The median of each figure. */
export function mediansOf<Figures extends Readonly<Record<keyof Figures, number>>>(
  all: readonly Figures[],
): Figures {
  const names = Object.keys(all[0] ?? {}) as (keyof Figures)[]
  return Object.fromEntries(names.map((name) => [name, median(all.map((each) => each[name]))])) as Figures
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * The number of clients with the highest rate. Rounds vary, so the two best numbers are measured a second time.
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
