import { Link } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { Wordmark } from '../../ui/mark.tsx'
import styles from './shell.module.css'

/** On the dashboard itself it leads to where the page begins, as every link to the page that one is on. */
export const Brand = () => (
  <Link to={paths.dashboard} className={styles.brand} aria-label="Muripo dashboard">
    <Wordmark size={26} />
  </Link>
)
