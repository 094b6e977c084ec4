import type { ReactNode } from 'react'
import { useCopy } from '../../../lib/use-copy.ts'
import styles from './section.module.css'

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}

export const Section = ({ id, title, children }: SectionProps) => (
  <section className={styles.section} aria-labelledby={id}>
    <h2 id={id} className={styles.title}>
      {title}
      <Anchor id={id} title={title} />
    </h2>
    {children}
  </section>
)

/** The head of a part inside of a section. */
export const Part = ({ id, title }: Omit<SectionProps, 'children'>) => (
  <h3 id={id} className={styles.part}>
    {title}
    <Anchor id={id} title={title} />
  </h3>
)

/** A link to the place it stands at; following it also copies the whole address. */
function Anchor({ id, title }: Omit<SectionProps, 'children'>) {
  const { copied, copy } = useCopy(`link to ${title}`)
  return (
    <a
      href={`#${id}`}
      className={styles.anchor}
      aria-label={`Link to ${title}`}
      onClick={() => copy(new URL(`#${id}`, window.location.href).href)}
    >
      {copied ? 'Copied!' : '#'}
    </a>
  )
}
