/** Round numbers from nought to at least the highest value, few enough to read: 0, 500, 1,000, 1,500. */
export function axisTo(highest: number, mostSteps = 4): readonly number[] {
  const least = highest / mostSteps
  const decade = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 2.5, 5].find((factor) => factor * decade >= least) ?? 10) * decade
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}
