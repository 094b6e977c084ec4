/** Results of a payment, with the result word that the gateway sends beside each. */
export const gatewayCodes = {
  APPROVED: 'SUCCESS',
  APPROVED_AUTO: 'SUCCESS',
  APPROVED_PENDING_SETTLEMENT: 'SUCCESS',
  PARTIALLY_APPROVED: 'SUCCESS',
  ACQUIRER_SYSTEM_ERROR: 'FAILURE',
  AUTHENTICATION_FAILED: 'FAILURE',
  BLOCKED: 'FAILURE',
  DECLINED: 'FAILURE',
  EXPIRED_CARD: 'FAILURE',
  INSUFFICIENT_FUNDS: 'FAILURE',
  INVALID_CSC: 'FAILURE',
  SUBMITTED: 'PENDING',
  TIMED_OUT: 'UNKNOWN',
  UNKNOWN: 'UNKNOWN',
  UNSPECIFIED_FAILURE: 'FAILURE',
} as const

export type GatewayCode = keyof typeof gatewayCodes
export const gatewayCodeNames = Object.keys(gatewayCodes) as [GatewayCode, ...GatewayCode[]]

/** The expiry on the card selects the outcome. */
const expiries: Readonly<Record<string, GatewayCode>> = {
  '01/39': 'APPROVED',
  '05/39': 'DECLINED',
  '04/27': 'EXPIRED_CARD',
  '08/28': 'TIMED_OUT',
  '01/37': 'ACQUIRER_SYSTEM_ERROR',
  '02/37': 'UNSPECIFIED_FAILURE',
  '05/37': 'UNKNOWN',
}

/** The test cards, and whether their bank asks for 3-D Secure. */
const testCards: Readonly<Record<string, boolean>> = {
  '5123450000000008': true,
  '2223000000000007': true,
  '4508750015741019': true,
  '5111111111111118': false,
  '2223000000000023': false,
  '4012000033330026': false,
}

export interface CardEntry {
  /** As the gateway shows it: the first six and the last four digits. */
  readonly masked: string
  readonly isEnrolled: boolean
  readonly code: GatewayCode
  readonly csc: 'MATCH' | 'NOT_PROCESSED' | 'NO_MATCH'
}

type Field = 'number' | 'expiry' | 'cvv'
export type CardErrors = Partial<Record<Field, string>>

const cscResults: Readonly<Record<string, CardEntry['csc']>> = { '100': 'MATCH', '101': 'NOT_PROCESSED' }

/** Reads the form of the card page. The number itself is not kept anywhere. */
export function readCard(form: Readonly<Record<Field, string>>): CardEntry | CardErrors {
  const number = form.number.replaceAll(/[\s-]/g, '')
  const expiry = form.expiry.replaceAll(/\s/g, '')
  const isEnrolled = testCards[number]
  const errors: CardErrors = {
    ...(isEnrolled === undefined && { number: 'Please enter one of the test cards below' }),
    ...(!/^(0[1-9]|1[0-2])\/\d\d$/.test(expiry) && { expiry: 'Please enter month and year, such as 01/39' }),
    ...(!/^\d{3,4}$/.test(form.cvv) && { cvv: 'Please enter the three digits on the back' }),
  }
  if (Object.keys(errors).length > 0) return errors
  return {
    masked: `${number.slice(0, 6)}xxxxxx${number.slice(-4)}`,
    isEnrolled: isEnrolled === true,
    code: expiries[expiry] ?? 'DECLINED',
    csc: cscResults[form.cvv] ?? 'NO_MATCH',
  }
}

/** The card in the fields of a session, whose expiry has two fields. */
export const readFields = (fields: Readonly<Partial<Record<string, string>>>): CardEntry | CardErrors =>
  readCard({
    number: fields.number ?? '',
    expiry: `${(fields.expiryMonth ?? '').padStart(2, '0')}/${fields.expiryYear ?? ''}`,
    cvv: fields.securityCode ?? '',
  })

export const cardHints: readonly (readonly [string, string])[] = [
  ['5123 4500 0000 0008', 'Mastercard, asks for 3-D Secure'],
  ['2223 0000 0000 0007', 'Mastercard, asks for 3-D Secure'],
  ['4508 7500 1574 1019', 'Visa, asks for 3-D Secure'],
  ['5111 1111 1111 1118', 'Mastercard, does not ask'],
  ['2223 0000 0000 0023', 'Mastercard, does not ask'],
  ['4012 0000 3333 0026', 'Visa, does not ask'],
]

export const expiryHints: readonly (readonly [string, string])[] = [
  ['01/39', 'approved'],
  ['05/39', 'declined'],
  ['04/27', 'expired card'],
  ['08/28', 'the bank does not answer in time'],
  ['01/37', 'error at the bank'],
  ['02/37', 'unspecified failure'],
  ['05/37', 'unknown outcome'],
  ['any other', 'declined'],
]
