import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import { font } from '../../../components/ui/classes.ts'
import styles from './section.module.css'

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}

export const Section = ({ id, title, children }: SectionProps) => (
  <section className={styles.section} aria-labelledby={id}>
    <h2 id={id} className={font('xl', 'bold', 'tight')}>
      {title}
      <Anchor id={id} title={title} />
    </h2>
    {children}
  </section>
)

/** The head of a part inside of a section. */
export const Part = ({ id, title }: Omit<SectionProps, 'children'>) => (
  <h3 id={id} className={`${styles.part} ${font('lg', 'bold', 'close')}`}>
    {title}
    <Anchor id={id} title={title} />
  </h3>
)

/** A link to its own heading. A press also copies the whole address. */
const Anchor = ({ id, title }: Omit<SectionProps, 'children'>) => (
  <a
    href={`#${id}`}
    className={`${styles.anchor} ${font('medium', 'quiet')}`}
    aria-label={`Link to ${title}`}
    data-copy
    data-copied-label="Copied!"
    suppressHydrationWarning
  >
    #
  </a>
)

const placeholder = 'https://pay.example.com'

/** The address of this gateway, which replaces the placeholder in the samples. */
export function useAddress(): { readonly origin: string; readonly fill: Readonly<Record<string, string>> } {
  const root = useRouteLoaderData('root') as { origin?: string } | undefined
  const origin = root?.origin ?? placeholder
  return { origin, fill: { [placeholder]: origin } }
}
