import { createContext, type ReactNode, useContext } from 'react'
import { font, row, surface } from '../../components/ui/classes.ts'
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
    <section className={`${styles.hero} ${surface('ink')}`}>
      <div className={styles.inner}>
        <h1 className={`${styles.title} ${font('display', 'bold', 'huge', 'balance')}`}>{title}</h1>
        <p className={`${styles.sentence} ${font('lg', 'onInkQuiet', 'pretty')}`}>{sentence}</p>
        {note && <p className={font('amber', 'above16')}>{note}</p>}
        {children && <div className={`${styles.actions} ${row('wrap', 'gap12')}`}>{children}</div>}
      </div>
    </section>
  )
}
