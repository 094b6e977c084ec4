import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './action-link.module.css'

interface ActionLinkProps {
  readonly to: string
  /** The second choice of two. */
  readonly quiet?: boolean
  /** Not a page of this app: the browser fetches it. */
  readonly file?: boolean
  readonly children: ReactNode
}

/** A call to action on a dark ground. */
export const ActionLink = ({ to, quiet = false, file = false, children }: ActionLinkProps) => (
  <Link to={to} className={styles.link} data-quiet={quiet || undefined} reloadDocument={file}>
    {children}
  </Link>
)

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
