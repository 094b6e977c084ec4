/** The sections of the page, in order, under the titles of their cards. */
export const chapters = [
  {
    id: 'quick-start',
    title: 'Quick Start',
    sentence: 'From an account to a first payment in three steps.',
    parts: [],
  },
  {
    id: 'api-reference',
    title: 'API Reference',
    sentence: 'Every call of v1, what it takes and what it answers.',
    parts: [
      { id: 'create-a-payment', title: 'Create a payment' },
      { id: 'read-payments', title: 'Read payments' },
      { id: 'customers', title: 'Customers' },
      { id: 'statuses', title: 'Statuses' },
      { id: 'errors', title: 'Errors' },
      { id: 'idempotency', title: 'Idempotency' },
    ],
  },
  {
    id: 'security-guide',
    title: 'Security Guide',
    sentence: 'Keep your key secret, and believe only what you asked for.',
    parts: [],
  },
  {
    id: 'international-payments',
    title: 'International Payments',
    sentence: 'The currencies you can ask for, and how amounts are written.',
    parts: [],
  },
  {
    id: 'payment-methods',
    title: 'Payment Methods',
    sentence: 'What your customers can pay with today.',
    parts: [],
  },
  {
    id: 'tutorials',
    title: 'Tutorials',
    sentence: 'Take a payment with curl, with the SDK, and with a test phone.',
    parts: [
      { id: 'with-curl', title: 'Take a payment with curl' },
      { id: 'with-the-sdk', title: 'Take a payment with the SDK' },
      { id: 'test-numbers', title: 'Test numbers and PINs' },
    ],
  },
] as const

export type ChapterId = (typeof chapters)[number]['id']
