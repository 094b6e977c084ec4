import { Loader } from '@mantine/core'
import { useCommonText } from '../lib/page-text.ts'

export function PageSpinner() {
  const t = useCommonText()
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
      <Loader color="action" role="status" aria-label={t('loading')} />
    </div>
  )
}
