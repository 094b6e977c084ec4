import { createContext, type ReactNode, useContext } from 'react'
import styles from './page-hero.module.css'

interface PageHeroProps {
  readonly title: string
  readonly sentence: ReactNode
  /** The first action of the page, if there is one. */
  readonly children?: ReactNode
}

/** The note in the header of an English page in a translated frame. */
export const EnglishNote = createContext<ReactNode>(null)

/** The dark header of a public page other than the landing page. */
export function PageHero({ title, sentence, children }: PageHeroProps) {
  const note = useContext(EnglishNote)
  return (
    <section className={styles.hero}>
      <div className={styles.inner}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.sentence}>{sentence}</p>
        {note && <p className={styles.note}>{note}</p>}
        {children && <div className={styles.actions}>{children}</div>}
      </div>
    </section>
  )
}
