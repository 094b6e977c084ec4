import { useCommonText } from '../lib/page-text.ts'
import styles from './ui/button.module.css'

/** The sign of a page that loads. Inside of a frame (`isPart`) it takes the room that is there, so that the page does not scroll. */
export function PageSpinner({ isPart = false }: { readonly isPart?: boolean }) {
  const t = useCommonText()
  return (
    <div style={{ display: 'grid', flex: 1, placeItems: 'center', minHeight: isPart ? 160 : '100dvh' }}>
      <span className={styles.spinner} data-large role="status" aria-label={t('loading')} />
    </div>
  )
}
