import type { ReactNode } from 'react'
import styles from './page-hero.module.css'

interface PageHeroProps {
  readonly title: string
  readonly sentence: ReactNode
  /** The first action of the page, if there is one. */
  readonly children?: ReactNode
}

/** The dark head of a public page other than the landing page. */
export const PageHero = ({ title, sentence, children }: PageHeroProps) => (
  <section className={styles.hero}>
    <div className={styles.inner}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.sentence}>{sentence}</p>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  </section>
)
