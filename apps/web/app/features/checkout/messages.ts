import type { StatusReason } from '@muripo/contract/payments'

/**
 * The sentences of the payer's page. A name in braces stands for a value, so that each sentence is whole in every language; the sentences
 * about a refused form come from the server.
 */
export const messages = {
  title: 'Pay {shop}',
  titleWithoutPayment: 'Payment',
  testBadge: 'Test',
  testNote: 'A test: no real money moves.',
  secured: 'Secured by Muripo',
  trying: 'Still trying. There seems to be no connection. Nothing is lost, and this page goes on by itself.',

  chooseMethod: 'How would you like to pay?',
  phoneNumber: 'Phone number',
  phoneHint: 'The number to confirm with, like {national} or {international}',
  phoneHintFor: 'For {methods}: the number to confirm with, like {national} or {international}',
  pay: 'Pay {price}',
  mobileWallet: 'Mobile wallet',
  withCode: 'With a code',
  bankCard: 'Bank card',
  methodDown: 'Unavailable right now',
  fromPrice: 'For {price} or more',
  upToPrice: 'For {price} at most',
  allDown: 'Nothing was charged. This page tries again by itself in a few seconds.',
  cancel: 'Cancel and go back to {shop}',

  phoneShows: 'Your phone will show',
  noPrompt: 'No message on your phone?',
  dialIn: 'Dial {code} on that phone to find the request and confirm it there.',
  resendSoon: 'You can send it again in {seconds} seconds.',
  resend: 'Send it again',
  havePaid: 'I have paid',
  otherNumber: 'Use another number or method',
  notConfirmedYet:
    '{name} has not confirmed the payment yet. Do not pay again: this page shows the result as soon as it is known.',
  promptStillOpen:
    '{name} still waits for your answer to the request on your phone. While it does, no other one can be sent, so that you cannot pay twice. Confirm it there, or decline it and try again here.',

  otherPhone: 'Go on from another phone',
  otherPhoneCode: 'On the other phone, open {address} and enter the code {code}. It is valid for 15 minutes.',
  resumeTitle: 'Go on with your payment',
  resumeText: 'Enter the code of six letters that the other phone shows.',
  resumeCode: 'Code',
  resumeButton: 'Open the payment',
  resumeUnknown: 'This code does not exist, or it has expired.',
  resumeTooMany: 'Too many wrong codes. Please wait ten minutes, or open the link of the payment.',

  yourBank: 'your bank',
  yourProvider: 'your provider',
  yourPhone: 'your phone',
  confirmOnPhone: 'Confirm on your phone',
  sendingTo: '{name} is sending a request to {phone}.',
  waitForMessage: 'Wait for the {name} message on your phone.',
  checkPrice: 'Check that it says {price}.',
  enterPin: 'Enter your wallet PIN there to confirm. Never type the PIN on this page.',
  oneMoment: 'One moment',
  preparing: 'We are preparing your payment with {name}.',
  checking: 'Checking your payment',
  waitingForResult: 'We are waiting for the result from {name}. If you have paid, do not pay again.',
  lessThanMinute: 'It usually takes less than a minute. This page updates by itself.',
  stillWaiting: 'Still waiting',
  silentAfterPin:
    'We have not heard from {name} yet. This happens when the network is slow. If you entered your PIN, do not pay again: this page shows the result as soon as it is known.',
  silentAfterPaying:
    'We have not heard from {name} yet. This happens when the network is slow. If you have paid, do not pay again: this page shows the result as soon as it is known.',
  notTwice: 'You will not be charged twice: no other attempt starts while this one is open.',
  mayLeave: 'You may leave this page. The same link shows the result and the receipt.',
  receiptMailed: 'The receipt is also sent to the email address that you gave the shop.',
  checkNow: 'Check now',
  stopUpdating: 'Do not update by itself',
  doesNotUpdate: 'This page does not update by itself.',

  payInApp: 'Pay in the {name} app',
  yourCode: 'Your code',
  validFor: 'Valid for {time}',
  qrLabel: 'QR code for the {name} app',
  scanWith: 'Scan with the {name} app',
  openApp: 'Open the {name} app and choose to pay with a code.',
  enterOrScan: 'Enter the code, or scan it with the app.',
  enterCode: 'Enter the code.',
  checkAndConfirm: 'Check that it says {price}, and confirm there.',
  updatesAndReopens: 'This page updates by itself, and the same link opens it again.',
  otherWayLater: 'You can choose another way to pay when the code has run out.',
  chooseOther: 'Choose another way to pay',
  oneMoreStep: 'One more step',
  paySecurely: 'You pay {price} on the secure page of our payment partner, and come back here afterwards.',
  cardIsPrivate: '{shop} does not see your card.',
  continueToPay: 'Continue to pay',
  pageOpenFor: 'That page is open for {time}',
  paidAlready: 'Have you paid already? Do not pay again: this page shows the result by itself.',
  yourCard: 'Your card',
  cardStays:
    'These fields belong to our payment partner: your card goes straight to it, and not to the shop.',
  cardNeedsScript: 'These fields need JavaScript. Turn it on, or choose another way to pay.',
  cardNumber: 'Card number',
  cardMonth: 'Expiry month, such as 01',
  cardYear: 'Expiry year, such as 39',
  cardCode: 'Security code',
  cardWrong: 'Please check the card number, the expiry date and the security code.',
  cardFailed: 'The card could not be sent. Please try again, or choose another way to pay.',
  confirmAtBank: 'Your bank asks you to confirm',
  confirmAtBankText: 'Confirm {price} on the page of your bank. You come back here afterwards.',
  continueToBank: 'Continue to your bank',
  underMinute: 'less than a minute',
  oneMinute: '1 minute',
  minutes: '{minutes} minutes',

  notPaid: 'Not paid',
  tryAgain: 'Try again',
  completed: 'Payment completed',
  receipt: 'Receipt',
  receiptTitle: 'Receipt from {shop}',
  receiptPaid: 'Paid to {shop}',
  receiptRefunded: 'Paid to {shop}, and refunded',
  receiptAmount: 'Amount',
  receiptFor: 'For',
  receiptStatus: 'Status',
  statusCompleted: 'Paid',
  statusRefunded: 'Refunded',
  receiptTime: 'Time',
  receiptMethod: 'Paid with',
  receiptNumber: 'Phone',
  receiptReference: 'Reference of the shop',
  receiptProviderReference: 'Reference of the provider',
  receiptPayment: 'Payment',
  receiptShare: 'The link of this page shows the receipt for 30 days to anybody who has it.',
  backToPayment: 'Back to the payment',
  print: 'Print',
  noReceipt: 'There is no receipt yet',
  noReceiptText: 'This payment has not been completed.',

  shopNotified: '{shop} has been told that you paid.',
  closePage: 'You can close this page.',
  takingBack: 'We take you back in a few seconds.',
  continueTo: 'Continue to {shop}',
  stayHere: 'Stay on this page',
  backTo: 'Back to {shop}',
  cancelled: 'Payment cancelled',
  cancelledText: 'Nothing was paid, and this link can no longer be used.',
  expired: 'This payment link has expired',
  expiredText: 'It can no longer be paid. Ask the shop for a new link if you still want to pay.',
  refunded: 'This payment was refunded',
  refundedText: 'The money goes back to where it came from. Your provider may take a while to show it.',
  unavailable: 'This cannot be paid at the moment',
  unavailableText:
    '{shop} takes no payments right now. Nothing was charged. Please ask the shop how to go on.',
  underReview: 'We are looking into this payment',
  underReviewText:
    'There is nothing for you to do and no need to pay again. The shop will be told how it ends.',
  noMethod: 'There is no way to pay this here yet',
  noMethodText: 'Nothing was charged. Please ask {shop} how else you can pay {price}.',

  noPayment: 'This payment link does not exist',
  noPaymentText: 'Check that you opened the whole link, or ask the shop for a new one.',
  tooMany: 'Please wait a moment',
  tooManyText:
    'Very many people are opening payments from your network right now. Nothing is lost: this page opens by itself in a few seconds.',
  broken: 'Something went wrong on our side',
  brokenText: 'Nothing is lost. Please open this page again in a moment.',
} as const satisfies Readonly<Record<string, string>>

const placeholder = /\{(\w+)\}/

/** The parts of a sentence: texts at even places, names of values at odd ones. */
export const partsOf = (sentence: string): string[] => sentence.split(placeholder)

export const fill = (sentence: string, values: Readonly<Record<string, string>>): string =>
  partsOf(sentence)
    .map((part, place) => (place % 2 === 0 ? part : (values[part] ?? '')))
    .join('')

const NOT_THROUGH = 'The payment did not go through. Please try again, or pay another way.'

/** Sentences about a failed attempt that a payer understands and can act on. */
const failureTexts: Readonly<Record<StatusReason, string>> = {
  awaiting_payer: NOT_THROUGH,
  checking: NOT_THROUGH,
  under_review: NOT_THROUGH,
  insufficient_funds: 'There was not enough money in the wallet. Top it up, or pay another way.',
  wrong_pin: 'The PIN was not correct. Please try again.',
  user_cancelled: 'The payment was cancelled on the phone.',
  cancelled: NOT_THROUGH,
  expired: 'The request on the phone was not confirmed in time.',
  limit_exceeded: 'This payment is over the limit of the wallet. Please pay another way.',
  barred: 'This wallet cannot pay right now. Please pay another way, or ask your provider.',
  declined: 'The payment was declined. Please try again, or pay another way.',
  provider_unavailable: 'The provider could not be reached. Please try again, or pay another way.',
}

/** The sentences for a code or a card, where no request was sent to a phone. */
const textsWithoutPhone: Partial<Readonly<Record<StatusReason, string>>> = {
  insufficient_funds: 'There was not enough money. Please pay another way.',
  wrong_pin: NOT_THROUGH,
  user_cancelled: 'The payment was cancelled.',
  expired: 'The payment was not made in time.',
  limit_exceeded: 'This payment is over your limit. Please pay another way.',
  barred: 'You cannot pay this way right now. Please pay another way, or ask your provider.',
}

export function failureText(reason: StatusReason | null, hadPhone: boolean): string {
  if (reason === null) return NOT_THROUGH
  return (hadPhone ? undefined : textsWithoutPhone[reason]) ?? failureTexts[reason]
}

const MINUTE_SECONDS = 60

/** The time that is left, in the words of a sentence: "9 minutes". */
export function timeText(seconds: number): string {
  const minutes = Math.floor(seconds / MINUTE_SECONDS)
  if (minutes < 1) return messages.underMinute
  return minutes === 1 ? messages.oneMinute : fill(messages.minutes, { minutes: String(minutes) })
}

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Africa/Harare',
})

/** A time as people in Zimbabwe read it. */
export const momentText = (iso: string): string => moment.format(new Date(iso))

const GROUP = 3

/** A code in groups that can be read and typed one after the other. */
export const codeGroups = (code: string): string[] => {
  const size = code.length % GROUP === 1 && code.length > GROUP ? GROUP + 1 : GROUP
  return code.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []
}
