import { Notice, Page, type PageOf } from './page.tsx'
import { payerText } from './text.tsx'

const texts = {
  404: { title: 'noPayment', text: 'noPaymentText', opensLater: false },
  // The response has a refresh header.
  429: { title: 'tooMany', text: 'tooManyText', opensLater: false },
  500: { title: 'broken', text: 'brokenText', opensLater: true },
} as const

export function TroublePage({ page: { status }, locale }: PageOf<'trouble'>) {
  const t = payerText(locale)
  const { title, text, opensLater } = texts[status]
  return (
    <Page locale={locale} title={t('titleWithoutPayment')}>
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
