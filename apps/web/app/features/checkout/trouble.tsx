import { useContext } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { ReaderLocale } from '../../lib/page-meta.ts'
import { Page } from './page.tsx'
import { payerText } from './text.tsx'

/** The page of a payment that cannot be shown. */
export function Trouble({ error }: { readonly error: unknown }) {
  const locale = useContext(ReaderLocale)
  const t = payerText(locale)
  const { title, text } = troubleOf(error)
  return (
    <Page locale={locale}>
      <title>{t('titleWithoutPayment')}</title>
      <h1>{t(title)}</h1>
      <p>{t(text)}</p>
    </Page>
  )
}

function troubleOf(error: unknown) {
  const status = isRouteErrorResponse(error) ? error.status : 500
  if (status === 404) return { title: 'noPayment', text: 'noPaymentText' } as const
  if (status === 429) return { title: 'tooMany', text: 'tooManyText' } as const
  return { title: 'broken', text: 'brokenText' } as const
}
