import { type ReactNode, useId } from 'react'
import { font, row } from '../../../components/ui/classes.ts'
import { CopyIcon } from '../../../components/ui/copy-button.tsx'
import styles from './details.module.css'

interface FactProps {
  readonly name: string
  readonly children: ReactNode
  readonly copy?: string | null
  /** The name of the copied value, where the name of the fact is not enough. */
  readonly copyName?: string
  /** Whether it is the sum of the lines above it. */
  readonly isTotal?: boolean
}

export const Fact = ({ name, children, copy, copyName = name, isTotal }: FactProps) => (
  <div data-total={isTotal || undefined}>
    <dt className={font('sm', 'quiet', 'line22')}>{name}</dt>
    <dd className={`${styles.value} ${row('centre', 'gap4')} ${font('line22', 'anywhere')}`}>
      <span>{children}</span>
      {copy && <CopyIcon text={copy} what={copyName} />}
    </dd>
  </div>
)

interface LinesProps {
  readonly title: string
  readonly className?: string | undefined
  /** A sentence below the lines. */
  readonly note?: ReactNode
  readonly children: ReactNode
}

export function Lines({ title, className, note, children }: LinesProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h3 id={id} className={font('sm', 'regular', 'quiet', 'line22')}>
        {title}
      </h3>
      <dl className={`${styles.lines} ${font('sm', 'numbers')}`}>{children}</dl>
      {note && <p className={font('sm', 'quiet', 'line22')}>{note}</p>}
    </section>
  )
}
