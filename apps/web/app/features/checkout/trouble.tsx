import { useContext } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { ReaderLocale } from '../../lib/page-meta.ts'
import { Notice, Page } from './page.tsx'
import { payerText } from './text.tsx'

/** The page of a payment that cannot be shown. */
export function Trouble({ error }: { readonly error: unknown }) {
  const locale = useContext(ReaderLocale)
  const t = payerText(locale)
  const { title, text, opensLater } = troubleOf(error)
  return (
    <Page locale={locale}>
      <title>{t('titleWithoutPayment')}</title>
      <Notice mark="–" tone="grey" title={t(title)}>
        <p>{t(text)}</p>
        {opensLater && (
          // The same address.
          <a className="button" href="?">
            {t('tryAgain')}
          </a>
        )}
      </Notice>
    </Page>
  )
}

function troubleOf(error: unknown) {
  const status = isRouteErrorResponse(error) ? error.status : 500
  if (status === 404) return { title: 'noPayment', text: 'noPaymentText', opensLater: false } as const
  // The response has a refresh header.
  if (status === 429) return { title: 'tooMany', text: 'tooManyText', opensLater: false } as const
  return { title: 'broken', text: 'brokenText', opensLater: true } as const
}
