import { useCommonText } from '../lib/page-text.ts'
import styles from './ui/button.module.css'

export function PageSpinner() {
  const t = useCommonText()
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
      <span className={styles.spinner} data-large role="status" aria-label={t('loading')} />
    </div>
  )
}
