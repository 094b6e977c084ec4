/** Numbers from `from` on and below `before`; either may be infinite. */
export interface Range {
  readonly from: number
  readonly before: number
}

export const everything: Range = { from: -Infinity, before: Infinity }

export const isEmpty = ({ from, before }: Range): boolean => from >= before

export const isEverything = ({ from, before }: Range): boolean => from === -Infinity && before === Infinity

/** The whole steps of this width within a range. */
export const wholeSteps = ({ from, before }: Range, width: number): Range => ({
  from: Math.ceil(from / width) * width,
  before: Math.floor(before / width) * width,
})

/** The parts of a range before and after another range within it. */
export function outside(range: Range, inner: Range): Range[] {
  if (isEmpty(inner)) return [range]
  return [
    { from: range.from, before: inner.from },
    { from: inner.before, before: range.before },
  ].filter((rest) => !isEmpty(rest))
}
