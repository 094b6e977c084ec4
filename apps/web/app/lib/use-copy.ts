import { useEffect, useState } from 'react'
import { logProblem } from './log.ts'

const COPIED_MS = 2000

/** Copies a text and says for two seconds that it has. */
export function useCopy(what: string): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = (text: string) => {
    // Without a secure origin there is no clipboard at all, and its absence throws.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => setCopied(true),
        (error: unknown) => logProblem(`The ${what} could not be copied`, error),
      )
  }
  return { copied, copy }
}
