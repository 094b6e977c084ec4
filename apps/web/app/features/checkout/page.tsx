import { priceText } from '@muripo/contract/amounts'
import type { CheckoutView, PayersPage } from '@muripo/contract/checkout'
import { type Locale, locales } from '@muripo/contract/enums'
import { LOCALE_PARAMETER, languageNames } from '@muripo/locales/languages'
import { type ReactNode, useContext } from 'react'
import { ScriptNonce } from '../../lib/page-meta.ts'
import type { Moves } from './refresh.ts'
import { ANNOUNCER_ID, followScript } from './scripts.ts'
import { PageText, payerText, usePayerText } from './text.tsx'

/** The content of a page of this kind. */
export interface PageOf<Kind extends PayersPage['kind']> {
  readonly page: Extract<PayersPage, { kind: Kind }>
  readonly locale: Locale
}

interface PageProps {
  readonly locale: Locale
  /** React moves it to the head of the document. */
  readonly title: string
  readonly moves?: Moves | null
  readonly children: ReactNode
}

export const Page = ({ locale, title, moves, children }: PageProps) => (
  <PageText value={payerText(locale)}>
    <title>{title}</title>
    <main className="card" data-rev={moves?.revision} data-next={moves?.next}>
      {children}
    </main>
    {moves && <Follow />}
    <Footer locale={locale} />
  </PageText>
)

function Footer({ locale }: { readonly locale: Locale }) {
  const t = usePayerText()
  return (
    <footer>
      <nav aria-label={t('language')}>
        {locales.map((other) =>
          other === locale ? (
            <b key={other}>{languageNames[other]}</b>
          ) : (
            <a key={other} href={`?${LOCALE_PARAMETER}=${other}`} lang={other} hrefLang={other}>
              {languageNames[other]}
            </a>
          ),
        )}
      </nav>
      <svg
        width="16"
        height="16"
        viewBox="0 0 32 32"
        fill="none"
        strokeWidth="5"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M4 26V14.5a6 6 0 0 1 12 0V26" stroke="currentColor" />
        <path d="M16 26V14.5a6 6 0 0 1 12 0V26" stroke="#ffb020" />
        <path d="M16 26V14.5" stroke="currentColor" />
      </svg>
      {t('secured')}
    </footer>
  )
}

/** The live region announces each change of the payment once, and shows that a call has failed. */
function Follow() {
  const nonce = useContext(ScriptNonce)
  const t = usePayerText()
  return (
    <>
      <p id={ANNOUNCER_ID} className="unseen" role="status" data-trying={t('trying')} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, the same for all readers */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: followScript }} />
    </>
  )
}

export const priceOf = ({ currency, amount }: Pick<CheckoutView, 'currency' | 'amount'>): string =>
  priceText(currency, amount)

export function Bill({ view }: { readonly view: CheckoutView }) {
  const t = usePayerText()
  return (
    <header
      {...(view.brand.colour !== null && { className: 'own', style: { background: view.brand.colour } })}
    >
      {view.isTest && <p className="test">{t('testBadge')}</p>}
      {/* The name of the shop follows. */}
      {view.brand.logoPath !== null && <img className="logo" src={view.brand.logoPath} alt="" />}
      <p className="shop">{view.shopName}</p>
      <p className="price">{priceOf(view)}</p>
      <p className="what">{view.description}</p>
      {view.isTest && <p className="note">{t('testNote')}</p>}
    </header>
  )
}

interface NoticeProps {
  readonly mark: string
  readonly tone: 'good' | 'grey' | 'purple' | 'amber'
  readonly title: string
  readonly children: ReactNode
}

/** A page whose content is one message. */
export const Notice = ({ mark, tone, title, children }: NoticeProps) => (
  <div className="notice">
    <span className={`mark ${tone}`} aria-hidden="true">
      {mark}
    </span>
    <h1>{title}</h1>
    {children}
  </div>
)
