/** The English texts of the first steps of a merchant, in place of the revenue chart. */
export const firstSteps = {
  firstSteps: 'First steps',
  stepsDone: '{done} of {all}',
  stepIsDone: 'Done:',
  stepEmail: 'Confirm your email',
  stepApplication: 'Create an application',
  stepApplicationText: 'Its name is what your customers read when they pay.',
  stepTest: 'Take a test payment',
  stepTestText:
    '{price} from a practice wallet. It arrives below while you watch; no phone and no money needed.',
  testStarting: 'Asking the wallet...',
  walletPays: 'The practice wallet confirms the payment. It arrives below in a few seconds.',
  testReceived: 'The test payment has arrived.',
  testRefused: 'The practice wallet is busy. Try again in a few minutes, or',
  openPaymentPage: 'open the payment’s page',
  testPurpose: 'Test payment',
  stepFirst: 'Take your first payment',
  stepFirstText: 'Create a payment, and pass its link on to your customer.',
  stepFirstWaits:
    'Your account is waiting for approval. The test key of an application takes test payments until then.',
  createPaymentStep: 'New payment',
  stepBank: 'Add your bank account',
  stepBankText: 'So that we know where to pay you. Its name is checked before the first payout.',
  addBankAccount: 'Add bank account',
  withoutWebsite: 'No website? You can take money with a link.',
  sellByLink: 'Create a payment',
} as const satisfies Readonly<Record<string, string>>
