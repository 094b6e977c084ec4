import { Fragment, type ReactNode } from 'react'

/** A character that occurs in no text. */
const MARK = '\uE000'

/** A text whose values are elements. */
export function withElements<Name extends string>(
  text: (marks: Readonly<Record<Name, string>>) => string,
  elements: Readonly<Record<Name, ReactNode>>,
): ReactNode {
  const names = Object.keys(elements) as Name[]
  const marks = Object.fromEntries(names.map((name) => [name, MARK + name + MARK])) as Record<Name, string>
  return text(marks)
    .split(MARK)
    .map((part, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts does not change
      <Fragment key={place}>{place % 2 === 0 ? part : elements[part as Name]}</Fragment>
    ))
}
