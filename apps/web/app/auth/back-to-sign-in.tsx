import { Link } from 'react-router'
import { paths } from '../lib/paths.ts'
import { IconArrowLeft } from '../ui/icons.ts'
import styles from './auth.module.css'

export const BackToSignIn = () => (
  <p className={styles.below}>
    <Link to={paths.signIn} className={styles.link}>
      <IconArrowLeft size={18} stroke={1.75} aria-hidden />
      Back to sign in
    </Link>
  </p>
)
