import type { ReactNode } from 'react'
import { font } from '../../../components/ui/classes.ts'
import { PageHero } from '../page-hero.tsx'
import styles from './prose.module.css'

interface ProseProps {
  readonly title: string
  readonly sentence: ReactNode
  /** The day of the last change, on pages that must name it. */
  readonly updated?: string
  readonly children: ReactNode
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** A page of text: its header, and one column. */
export const Prose = ({ title, sentence, updated, children }: ProseProps) => (
  <>
    <PageHero title={title} sentence={sentence} />
    <div className={styles.page}>
      <div className={styles.column}>
        {updated && (
          <p className={font('md', 'quiet')}>
            Last changed on <time dateTime={updated}>{day.format(new Date(updated))}</time>
          </p>
        )}
        {children}
      </div>
    </div>
  </>
)
