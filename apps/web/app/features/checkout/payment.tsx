import { Bill, Page, type PageOf } from './page.tsx'
import type { Moves } from './refresh.ts'
import { Stage } from './stage.tsx'
import { payerText } from './text.tsx'

interface PaymentProps extends PageOf<'payment'> {
  /** The address of this gateway, without a path. */
  readonly origin: string
  /** The intent of the form that led to this page. */
  readonly intent: string | null
  /** The payer has stopped the page's own changes. */
  readonly isStill: boolean
  /** The page's changes without an action of its payer; null on a page that stays as it is. */
  readonly moves: Moves | null
}

export function PaymentPage({
  page: { token, view, refused },
  origin,
  intent,
  isStill,
  moves,
  locale,
}: PaymentProps) {
  return (
    <Page locale={locale} title={payerText(locale)('title', { shop: view.shopName })} moves={moves}>
      <Bill view={view} />
      <Stage
        origin={origin}
        token={token}
        view={view}
        intent={intent}
        isStill={isStill}
        refusal={refused ?? undefined}
      />
    </Page>
  )
}
