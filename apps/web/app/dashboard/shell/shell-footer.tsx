import { Link } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { useFooterInView } from '../../ui/use-footer-in-view.ts'
import styles from './shell.module.css'

const links = [
  ['Documentation', paths.documentation],
  ['Help', paths.help],
  ['Status', paths.status],
] as const

export const ShellFooter = () => (
  <footer ref={useFooterInView()} className={styles.footer}>
    <p>© {new Date().getFullYear()} Muripo</p>
    {links.map(([label, to]) => (
      <Link key={to} to={to}>
        {label}
      </Link>
    ))}
  </footer>
)
