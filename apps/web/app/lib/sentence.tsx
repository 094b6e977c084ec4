import { Fragment, type ReactNode } from 'react'

/** A character that no text contains. */
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
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
      <Fragment key={place}>{place % 2 === 0 ? part : elements[part as Name]}</Fragment>
    ))
}
