import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { logProblem } from '../lib/log.ts'
import { IconCheck, IconCopy } from './icons.ts'

interface CopyButtonProps extends Omit<ButtonProps, 'children' | 'leftSection'> {
  readonly text: string
  /** What is copied, for people who do not see what stands beside the button. */
  readonly what: string
}

const COPIED_MS = 2000

export function CopyButton({ text, what, ...button }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch (error) {
      logProblem(`The ${what} could not be copied`, error)
    }
  }
  return (
    <Button
      variant="default"
      {...button}
      onClick={() => void copy()}
      leftSection={copied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
    >
      <span aria-live="polite">{copied ? 'Copied!' : 'Copy'}</span>
    </Button>
  )
}
