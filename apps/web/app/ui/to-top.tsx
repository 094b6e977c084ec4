import styles from './floats.module.css'
import { IconArrowUp } from './icons.ts'
import { useScrolled } from './use-scrolled.ts'

const SHOWN_AFTER_PX = 400

/** The way back up, once there is one. */
export function ToTop() {
  const scrolled = useScrolled(SHOWN_AFTER_PX)
  if (!scrolled) return null
  const toTop = () => {
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    window.scrollTo({ top: 0, behavior: still ? 'instant' : 'smooth' })
  }
  return (
    <button
      type="button"
      className={`${styles.round} ${styles.toTop}`}
      aria-label="Scroll to top"
      onClick={toTop}
    >
      <IconArrowUp size={20} stroke={1.75} aria-hidden />
    </button>
  )
}
