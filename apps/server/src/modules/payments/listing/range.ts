/** Numbers from `from` on and below `before`; either may be infinite. */
export interface Range {
  readonly from: number
  readonly before: number
}

export const everything: Range = { from: -Infinity, before: Infinity }

export const isEmpty = ({ from, before }: Range): boolean => from >= before

export const isEverything = ({ from, before }: Range): boolean => from === -Infinity && before === Infinity

export interface Piece extends Range {
  readonly width: number
}

/**
 * The fewest runs of whole steps that make up a range, the widest steps first: with widths 1000, 10 and 1 the range [5, 2037) is
 * [1000, 2000), [10, 1000), [5, 10), [2000, 2030) and [2030, 2037). Each width is a multiple of the next, and the last is 1.
 */
export function splitIntoSteps(range: Range, [width, ...narrower]: readonly number[]): Piece[] {
  if (width === undefined || isEmpty(range)) return []
  const from = Math.ceil(range.from / width) * width
  const before = Math.floor(range.before / width) * width
  if (from >= before) return splitIntoSteps(range, narrower)
  return [
    { width, from, before },
    ...splitIntoSteps({ from: range.from, before: from }, narrower),
    ...splitIntoSteps({ from: before, before: range.before }, narrower),
  ]
}

/** The range from the first piece to the last. */
export const enclosing = (pieces: readonly Range[]): Range => ({
  from: Math.min(...pieces.map(({ from }) => from)),
  before: Math.max(...pieces.map(({ before }) => before)),
})

/** The parts of a range before and after another range within it. */
export function outside(range: Range, inner: Range): Range[] {
  if (isEmpty(inner)) return [range]
  return [
    { from: range.from, before: inner.from },
    { from: inner.before, before: range.before },
  ].filter((rest) => !isEmpty(rest))
}
