import type { ReactNode } from 'react'
import styles from './call-to-action.module.css'

interface CallToActionProps {
  readonly title: string
  readonly sentence: string
  readonly children: ReactNode
}

/** The dark band at the end of a page: where to go from here. */
export const CallToAction = ({ title, sentence, children }: CallToActionProps) => (
  <section className={styles.band}>
    <h2 className={styles.title}>{title}</h2>
    <p className={styles.sentence}>{sentence}</p>
    <div className={styles.actions}>{children}</div>
  </section>
)
