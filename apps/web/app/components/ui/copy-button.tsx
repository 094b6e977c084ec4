import { useEffect, useState } from 'react'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { logProblem } from '../../lib/log.ts'
import { IconCheck, IconCopy } from '../icons.ts'
import { Button, type ButtonProps } from './button.tsx'
import { iconButtonClass, surface } from './classes.ts'
import styles from './copy-button.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

interface CopyButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly text: string
  /** The name of the copied value, for people who do not see it beside the button. */
  readonly what: string
  /** The text of the button, where it names the value. */
  readonly label?: string
}

export function CopyButton({ text, what, label, ...button }: CopyButtonProps) {
  const t = useDashboardText()
  const { copied, copy } = useCopy(what)
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Button
      kind="default"
      icon={Icon}
      {...button}
      aria-label={label === undefined && !copied ? t('copyValue', { name: what }) : undefined}
      onClick={() => copy(text)}
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
    <button
      type="button"
      className={`${styles.icon} ${iconButtonClass} ${surface('screenOnly')}`}
      onClick={() => copy(text)}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
      <VisuallyHidden aria-live="polite">
        {copied ? t('copied') : t('copyValue', { name: what })}
      </VisuallyHidden>
    </button>
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
