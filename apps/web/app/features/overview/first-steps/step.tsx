import type { ReactNode } from 'react'
import { IconCheck } from '../../../components/icons.ts'
import { font } from '../../../components/ui/classes.ts'
import { VisuallyHidden } from '../../../components/ui/visually-hidden.tsx'
import styles from './first-steps.module.css'
import { useFirstStepsText } from './text.ts'

interface StepProps {
  readonly title: string
  readonly text?: ReactNode
  readonly isDone: boolean
  /** The first step that is not done: its text is shown, so that the list has the height of the chart whose place it takes. */
  readonly isNext?: boolean
  /** The way to do it. */
  readonly children?: ReactNode
}

/** A step keeps the focus when it is done and its button is gone. */
export function Step({ title, text, isDone, isNext = false, children }: StepProps) {
  const t = useFirstStepsText()
  return (
    <li className={styles.step} data-done={isDone || undefined} data-next={isNext || undefined} tabIndex={-1}>
      <span className={styles.tick} aria-hidden="true">
        {isDone && <IconCheck size={16} stroke={2} />}
      </span>
      <div>
        <p className={`${styles.title} ${font('semibold')}`}>
          {isDone && <VisuallyHidden as="span">{t('stepIsDone')} </VisuallyHidden>}
          {title}
        </p>
        {isNext && text && <div className={font('sm', 'quiet', 'line20')}>{text}</div>}
      </div>
      {!isDone && children && <div className={styles.action}>{children}</div>}
    </li>
  )
}
