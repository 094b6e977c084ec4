import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { FormProblem, FormProblemCode } from '@muripo/contract/checkout'
import { translatorOf, type ValuesOf } from './translator.ts'

/** The English texts about a refused form of the payer's page, by code. */
export const formProblems = {
  methodMissing: 'Please choose a payment method',
  methodFrom: '{method} takes {price} or more',
  methodUpTo: '{method} takes at most {price}',
  methodNoCapture: '{method} cannot be used for this order, which is charged later',
  phoneInvalid: 'Please enter a valid phone number',
  phoneNotEcocash: 'Please enter an EcoCash number (077 or 078)',
  phoneNotOnemoney: 'Please enter a OneMoney number (071)',
  phoneNotMobile: 'Please enter a mobile number',
  phoneNotForTest: 'A test key accepts test numbers only: {numbers}',
  phoneBusy: 'Too many requests were sent to this number. Please wait ten minutes',
  phoneBusyToday:
    'Too many requests were sent to this number today. Please use another number or another payment method',
  phonePaused:
    'The last requests to this number were cancelled. {minutes, plural, one {Please wait a minute} other {Please wait # minutes}}',
  otherWallet: '{prefix} numbers usually have {wallet}. Choose {wallet}, or enter your {method} number',
  otherWalletConfirm:
    '{prefix} numbers usually have {wallet}. Choose {wallet}, or press the button again to pay with {method}',
  orderPaid:
    'The order {reference} was paid a few minutes ago. Press the button again only if you want to pay once more.',
  orderOpen:
    'The order {reference} is being paid on another page. Each confirmed request is charged. Press the button again only if you want to pay once more.',
  attemptsUsed: 'Too many attempts. Please wait a minute',
  attemptsUsedLong: 'Too many attempts. Please wait ten minutes',
  shopPaused: 'This shop cannot take payments at the moment. Please try again later',
  paymentUnknown: 'This payment does not exist',
  busy: 'Too many requests are waiting. Nothing was changed. Please try again in a moment',
  notAvailable: 'The service is not available right now. Please try again',
} as const satisfies Readonly<Record<FormProblemCode, string>>

const english = translatorOf<typeof formProblems>(
  Object.fromEntries(Object.entries(formProblems).map(([code, text]) => [code, compileMessageOrThrow(text)])),
)

export const problemOf = <Code extends FormProblemCode>(
  code: Code,
  ...values: ValuesOf<(typeof formProblems)[Code]>
): FormProblem => ({
  code,
  values: (values[0] ?? {}) as FormProblem['values'],
  message: english(code, ...values),
})
