import { useCommonText } from '../lib/page-text.ts'
import styles from './ui/button.module.css'

/** The sign of a page that loads. Inside of a frame (`isPart`) it takes the room that is there, so that the page does not scroll. */
export function PageSpinner({ isPart }: { readonly isPart?: boolean }) {
  const t = useCommonText()
  return (
    <div className={styles.loading} data-part={isPart}>
      <span className={styles.spinner} data-large role="status" aria-label={t('loading')} />
    </div>
  )
}
