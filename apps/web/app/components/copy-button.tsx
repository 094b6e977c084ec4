import { ActionIcon, Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { logProblem } from '../lib/log.ts'
import styles from './copy-button.module.css'
import { IconCheck, IconCopy } from './icons.ts'

const COPIED_MS = 2000

/** @param what the copied value, for the log */
function useCopy(text: string, what: string) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch (error) {
      logProblem(`The ${what} could not be copied`, error)
    }
  }
  return { copied, copy: () => void copy(), Icon: copied ? IconCheck : IconCopy }
}

interface CopyButtonProps extends Omit<ButtonProps, 'children' | 'leftSection'> {
  readonly text: string
  /** The copied value, for people who do not see the text beside the button. */
  readonly what: string
  readonly label?: string
}

export function CopyButton({ text, what, label = 'Copy', ...button }: CopyButtonProps) {
  const { copied, copy, Icon } = useCopy(text, what)
  return (
    <Button variant="default" {...button} onClick={copy} leftSection={<Icon size={18} stroke={1.75} />}>
      <span aria-live="polite">{copied ? 'Copied!' : label}</span>
    </Button>
  )
}

/** A copy button beside one of many values, without a text. */
export function CopyIcon({ text, what }: { readonly text: string; readonly what: string }) {
  const { copied, copy, Icon } = useCopy(text, what)
  return (
    <ActionIcon variant="subtle" color="gray" className={styles.icon ?? ''} onClick={copy}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <VisuallyHidden aria-live="polite">{copied ? 'Copied!' : `Copy ${what}`}</VisuallyHidden>
    </ActionIcon>
  )
}
