import { ActionIcon, Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useDashboardText } from '../lib/dashboard-text.ts'
import { logProblem } from '../lib/log.ts'
import styles from './copy-button.module.css'
import { IconCheck, IconCopy } from './icons.ts'

interface CopyButtonProps extends Omit<ButtonProps, 'children' | 'leftSection'> {
  readonly text: string
  /** The copied value, for people who do not see the text beside the button. */
  readonly what: string
  readonly label?: string
}

export function CopyButton({ text, what, label, ...button }: CopyButtonProps) {
  const t = useDashboardText()
  const { copied, copy } = useCopy(what)
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Button
      variant="default"
      {...button}
      onClick={() => copy(text)}
      leftSection={<Icon size={18} stroke={1.75} />}
    >
      <span aria-live="polite">{copied ? t('copied') : (label ?? t('copy'))}</span>
    </Button>
  )
}

/** A copy button without a visible label, beside one of many values. */
export function CopyIcon({ text, what }: { readonly text: string; readonly what: string }) {
  const t = useDashboardText()
  const { copied, copy } = useCopy(what)
  const Icon = copied ? IconCheck : IconCopy
  return (
    <ActionIcon variant="subtle" color="gray" className={styles.icon ?? ''} onClick={() => copy(text)}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <VisuallyHidden aria-live="polite">
        {copied ? t('copied') : t('copyValue', { name: what })}
      </VisuallyHidden>
    </ActionIcon>
  )
}

const COPIED_MS = 2000

/** Copies a text; `copied` is true for two seconds afterwards. */
function useCopy(what: string): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = (text: string) => {
    // Without a secure origin there is no clipboard, and the access throws.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => setCopied(true),
        (error: unknown) => logProblem(`The ${what} could not be copied`, error),
      )
  }
  return { copied, copy }
}
