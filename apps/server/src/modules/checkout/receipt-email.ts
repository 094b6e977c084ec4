import { methodNames } from '@muripo/contract/enums'
import { priceText, toDecimal } from '@muripo/contract/money'
import { couldBeLink, type EmailContent, momentText } from '../../platform/mail/email-content.ts'
import type { PayerView } from '../applications/index.ts'
import { type Attempt, maskedNumber, type Payment } from '../payments/index.ts'

/**
 * The address to which the receipt of a payment is mailed; null for none. Everybody can create test payments with any address and any text:
 * they mail to their own merchant only.
 */
export function receiptAddress({ customer: { email } }: Payment, shop: PayerView): string | null {
  if (email === null || shop.mode === 'live') return email
  return email.toLowerCase() === shop.merchantEmail.toLowerCase() ? email : null
}

const TIME_ZONE = 'Africa/Harare'

/**
 * @param attempts of the payment
 * @param url of the page of the receipt
 * @returns null for a payment whose receipt nobody receives
 */
export function receiptEmail(
  payment: Payment,
  attempts: readonly Attempt[],
  shop: PayerView,
  url: string,
): EmailContent | null {
  const to = receiptAddress(payment, shop)
  if (to === null || payment.completedAt === null) return null
  const attempt = attempts.find(({ status }) => status === 'completed')
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Amount', priceText(payment.amount.currency, toDecimal(payment.amount))],
    ['For', payment.description],
    ['Paid with', attempt && methodNames[attempt.method]],
    ['Phone', attempt && maskedNumber(attempt)],
    ['Reference of the shop', payment.reference],
    ['Reference of the provider', payment.providerReference],
    ['Payment', payment.id],
  ]
  const title = `Receipt from ${shop.promptName}`
  return {
    to,
    ...(payment.customer.name !== null && { fullname: payment.customer.name }),
    subject: title,
    heading: title,
    ...(shop.mode === 'test' && { warning: 'This was a test: no real money moved.' }),
    occasion: { when: momentText(payment.completedAt, TIME_ZONE) },
    // The page of the receipt shows the facts that a mail program may make a link of.
    facts: facts.flatMap(([name, value]) => (value && !couldBeLink(value) ? [[name, value] as const] : [])),
    lines: [
      `You have paid ${shop.promptName}.`,
      'The receipt can be opened and printed for 30 days, by you and by anybody who has this link.',
    ],
    link: { label: 'Open the receipt', url },
  }
}
