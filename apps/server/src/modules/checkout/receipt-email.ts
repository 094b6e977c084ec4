import { methodNames } from '@muripo/contract/enums'
import { priceText, toDecimal } from '@muripo/contract/money'
import { translatorsFor } from '@muripo/locales/catalogues'
import { couldBeLink, type EmailContent, momentText } from '../../platform/mail/email-content.ts'
import type { PayerView } from '../applications/index.ts'
import { type Attempt, maskedNumber, type Payment, paidAmountOf } from '../payments/index.ts'

const texts = await translatorsFor('payer')

/**
 * The address to which the receipt of a payment is mailed; null for none. Anybody can create test payments with any address and any text, so
 * their receipts go to the address of the merchant alone.
 */
export function receiptAddress(email: string | null, shop: PayerView): string | null {
  if (email === null || shop.mode === 'live') return email
  return email.toLowerCase() === shop.merchantEmail.toLowerCase() ? email : null
}

/** A number in E.164 with the spaces of Zimbabwean mobile numbers; other numbers as they are. */
export const contactText = (phone: string): string =>
  phone.replace(/^\+263(7\d)(\d{3})(\d{4})$/, '+263 $1 $2 $3')

/**
 * @param attempts of the payment
 * @param url of the page of the receipt
 * @returns null for a payment that is not completed, or has no address for its receipt
 */
export function receiptEmail(
  payment: Payment,
  attempts: readonly Attempt[],
  shop: PayerView,
  url: string,
): EmailContent | null {
  const to = receiptAddress(payment.customer.email, shop)
  if (to === null || payment.completedAt === null) return null
  const t = texts[payment.locale ?? 'en']
  const attempt = attempts.find(({ status }) => status === 'completed')
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('receiptAmount'), priceText(payment.amount.currency, toDecimal(paidAmountOf(payment)))],
    [t('receiptFor'), payment.description],
    [t('receiptMethod'), attempt && methodNames[attempt.method]],
    [t('receiptNumber'), attempt && maskedNumber(attempt)],
    [t('receiptReference'), payment.reference],
    [t('receiptProviderReference'), payment.providerReference],
    [t('receiptPayment'), payment.id],
    [t('receiptQuestions'), shop.contactPhone && contactText(shop.contactPhone)],
  ]
  const title = t('receiptTitle', { shop: shop.name })
  return {
    to,
    ...(payment.locale !== null && { locale: payment.locale }),
    ...(payment.customer.name !== null && { fullname: payment.customer.name }),
    subject: title,
    heading: title,
    ...(shop.mode === 'test' && { warning: t('mailTest') }),
    occasion: { when: momentText(payment.completedAt, 'Africa/Harare', payment.locale) },
    // The page of the receipt shows the facts that a mail program may make a link of.
    facts: facts.flatMap(([name, value]) => (value && !couldBeLink(value) ? [[name, value] as const] : [])),
    lines: [t('mailPaid', { shop: shop.name }), t('mailLink')],
    link: { label: t('mailOpen'), url },
  }
}
