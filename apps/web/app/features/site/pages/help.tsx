import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { pagesMeta, Sentence, usePagesText } from '../pages-text.ts'
import { Prose } from './prose.tsx'

export const meta = pagesMeta({ title: 'helpTitle', description: 'helpDescription' })

export default function Help() {
  const t = usePagesText()
  const link = (to: string, text: ReactNode) => <Link to={to}>{text}</Link>
  return (
    <Prose title={t('helpHead')} sentence={t('helpSentence')}>
      <h2>{t('payersTitle')}</h2>
      <h3>{t('stillWaits')}</h3>
      <p>{t('stillWaitsText')}</p>
      <h3>{t('noPrompt')}</h3>
      <p>{t('noPromptText')}</p>
      <h3>{t('moneyBack')}</h3>
      <p>{t('moneyBackText')}</p>

      <h2>{t('merchantsTitle')}</h2>
      <h3>{t('noCode')}</h3>
      <p>{t('noCodeText')}</p>
      <h3>{t('longPending')}</h3>
      <p>{t('longPendingText')}</p>
      <h3>{t('howToRefund')}</h3>
      <p>
        <Sentence of="howToRefundText" values={{ payments: link(paths.payments, t('paymentsLink')) }} />
      </p>
      <h3>{t('keyStolen')}</h3>
      <p>{t('keyStolenText')}</p>
      <h3>{t('costs')}</h3>
      <p>
        <Sentence of="costsText" values={{ pricing: link(paths.pricing, t('pricingPage')) }} />
      </p>

      <h2>{t('stuckTitle')}</h2>
      <p>
        <Sentence
          of="stuckText"
          values={{
            status: link(paths.status, t('statusPage')),
            contact: link(paths.contact, t('writeToUs')),
            devSupport: link(paths.devSupport, t('devSupportLink')),
          }}
        />
      </p>
    </Prose>
  )
}
