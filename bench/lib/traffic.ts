/** The shape of production: a few merchants have most payments, and hardly two amounts are the same. */

/** The sums of the shares of Zipf's law: the nth has 1/n of the share of the first. */
function zipfSums(count: number): Float64Array {
  const sums = new Float64Array(count)
  let sum = 0
  for (let nth = 0; nth < count; nth++) {
    sum += 1 / (nth + 1)
    sums[nth] = sum
  }
  return sums
}

/** Chooses places from 0 on by Zipf's law: the nth is chosen 1/n times as often as the first. */
export function zipf(count: number): () => number {
  const sums = zipfSums(count)
  const sum = sums[count - 1] ?? 0
  return () => {
    const drawn = Math.random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > drawn) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** A whole number in as many parts by Zipf's law. */
export function zipfParts(whole: number, count: number): number[] {
  const sums = zipfSums(count)
  const upTo = (nth: number) => Math.round((whole * (sums[nth] ?? 0)) / (sums[count - 1] ?? 1))
  return Array.from(sums, (_, nth) => upTo(nth) - upTo(nth - 1))
}

const LEAST = 0.5
const MOST = 500

/** An amount as JSON has it. Small ones are more frequent: as many are below 16 as above. */
export const anyAmount = (): string => (LEAST * (MOST / LEAST) ** Math.random()).toFixed(2)
