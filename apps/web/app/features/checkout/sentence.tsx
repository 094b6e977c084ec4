import type { payer } from '@muripo/locales/payer'
import type { ReactNode } from 'react'
import { withElements } from '../../lib/sentence.tsx'
import { useText } from './text.tsx'

interface SentenceProps {
  readonly of: keyof typeof payer
  readonly values: Readonly<Record<string, ReactNode>>
}

/** A text whose values are elements. */
export function Sentence({ of, values }: SentenceProps) {
  const t = useText() as (key: string, values: Readonly<Record<string, string>>) => string
  return withElements((marks) => t(of, marks), values)
}
