import type { payer } from '@muripo/locales/payer'
import { Fragment, type ReactNode } from 'react'
import { useText } from './text.tsx'

interface SentenceProps {
  readonly of: keyof typeof payer
  readonly values: Readonly<Record<string, ReactNode>>
}

/** A character that no text contains. */
const MARK = '\uE000'

/** A text whose values are elements. */
export function Sentence({ of, values }: SentenceProps) {
  const t = useText() as (key: string, values: Readonly<Record<string, string>>) => string
  const marked = Object.fromEntries(Object.keys(values).map((name) => [name, MARK + name + MARK]))
  return t(of, marked)
    .split(MARK)
    .map((part, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
      <Fragment key={place}>{place % 2 === 0 ? part : values[part]}</Fragment>
    ))
}
