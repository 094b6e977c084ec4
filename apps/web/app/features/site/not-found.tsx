import { data } from 'react-router'
import { NoticePage } from '../../components/notice-page.tsx'
import type { PageHandle } from '../../lib/page-meta.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { siteTranslations, useSiteText } from './text.tsx'

export const handle: PageHandle = { onDemand: true, translations: siteTranslations, isConstant: true }

export const loader = () => data(null, { status: 404 })

export default function NotFound() {
  const t = useCommonText()
  const site = useSiteText()
  return (
    <NoticePage
      code="404"
      title={t('pageMissing')}
      links={[
        { to: paths.documentation, text: site('linkDocumentation') },
        { to: paths.help, text: site('linkHelp') },
      ]}
    >
      {t('pageMissingText')}
    </NoticePage>
  )
}
