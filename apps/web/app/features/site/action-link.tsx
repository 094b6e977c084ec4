import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { font, row, surface } from '../../components/ui/classes.ts'
import styles from './action-link.module.css'

interface ActionLinkProps {
  readonly to: string
  /** The second choice of two. */
  readonly quiet?: boolean
  /** The only action of the landing page's hero. */
  readonly large?: boolean
  /** Whether the target is a file and no page of this app. */
  readonly file?: boolean
  readonly children: ReactNode
}

/** A call to action on a dark background. */
export const ActionLink = ({ to, quiet = false, large = false, file = false, children }: ActionLinkProps) => (
  <Link
    to={to}
    className={`${styles.link} ${font('semibold')}`}
    data-quiet={quiet || undefined}
    data-large={large || undefined}
    reloadDocument={file}
  >
    {children}
  </Link>
)

interface CallToActionProps {
  readonly title: string
  readonly sentence: string
  readonly children: ReactNode
}

/** The dark band at the end of a page, with links to the next pages. */
export const CallToAction = ({ title, sentence, children }: CallToActionProps) => (
  <section className={`${styles.band} ${surface('ink')} ${font('centred')}`}>
    <h2 className={font('title', 'bold', 'tight')}>{title}</h2>
    <p className={`${styles.sentence} ${font('lg', 'onInkQuiet')}`}>{sentence}</p>
    <div className={row('wrap', 'middle', 'gap12', 'above24')}>{children}</div>
  </section>
)
