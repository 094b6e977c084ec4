import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './facts.module.css'

interface FactProps {
  readonly name: string
  readonly full?: boolean
  readonly children: ReactNode
}

export const Fact = ({ name, full, children }: FactProps) => (
  <div data-full={full || undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface KeyFactProps {
  readonly name: string
  readonly hint?: string
  /** The key. */
  readonly children: string
}

/** A key with a button that copies it. */
export const KeyFact = ({ name, hint, children }: KeyFactProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={styles.key}>
      <code>{children}</code>
      <CopyButton text={children} what={name} />
    </dd>
    {hint && <dd className={styles.hint}>{hint}</dd>}
  </div>
)

interface FactsProps {
  readonly columns?: boolean
  readonly children: ReactNode
}

/** Names and values, optionally in two columns where there is room. */
export const Facts = ({ columns, children }: FactsProps) => (
  <dl className={styles.facts} data-columns={columns || undefined}>
    {children}
  </dl>
)
