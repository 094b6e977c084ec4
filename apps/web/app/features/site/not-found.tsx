import { data } from 'react-router'
import { NoticePage } from '../../components/notice-page.tsx'
import type { PageHandle } from '../../lib/page-meta.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { siteTranslations } from './text.tsx'

export const handle: PageHandle = { onDemand: true, translations: siteTranslations }

export const loader = () => data(null, { status: 404 })

export default function NotFound() {
  const t = useCommonText()
  return (
    <NoticePage code="404" title={t('pageMissing')}>
      {t('pageMissingText')}
    </NoticePage>
  )
}
