import { Fragment, type ReactNode } from 'react'
import { partsOf } from './messages.ts'

interface SentenceProps {
  /** A sentence of the catalogue, with names of values in braces. */
  readonly of: string
  readonly values: Readonly<Record<string, ReactNode>>
}

/** A sentence whose values are elements. */
export const Sentence = ({ of, values }: SentenceProps) =>
  partsOf(of).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
    <Fragment key={place}>{place % 2 === 0 ? part : values[part]}</Fragment>
  ))
