import { font, place, row, surface } from '../../../components/ui/classes.ts'
import styles from './contents-list.module.css'

/** The sections of the page that its cards lead to, in order. */
export const cardChapters = [
  {
    id: 'quick-start',
    title: 'Quick Start',
    sentence: 'From an account to a first payment in three steps.',
    parts: [],
  },
  {
    id: 'api-reference',
    title: 'API Reference',
    sentence: 'Every call of v1 with its request and its response.',
    parts: [
      { id: 'create-a-payment', title: 'Create a payment' },
      { id: 'read-payments', title: 'Read payments' },
      { id: 'customers', title: 'Customers' },
      { id: 'statuses', title: 'Statuses' },
      { id: 'errors', title: 'Errors' },
      { id: 'idempotency', title: 'Idempotency' },
      { id: 'all-calls', title: 'All calls' },
    ],
  },
  {
    id: 'security-guide',
    title: 'Security Guide',
    sentence: 'Keep your key secret, and verify each payment with the API.',
    parts: [],
  },
  {
    id: 'international-payments',
    title: 'International Payments',
    sentence: 'The currencies of payments, and the format of amounts.',
    parts: [],
  },
  {
    id: 'payment-methods',
    title: 'Payment Methods',
    sentence: 'The methods with which your customers can pay.',
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

export type CardChapterId = (typeof cardChapters)[number]['id']

/** The further sections, below the others. */
const chapters = [
  ...cardChapters,
  {
    id: 'webhooks',
    title: 'Webhooks',
    parts: [
      { id: 'verify-a-webhook', title: 'Verify a webhook' },
      { id: 'deliveries-and-retries', title: 'Deliveries and retries' },
    ],
  },
  { id: 'refunds', title: 'Refunds', parts: [] },
  { id: 'captures', title: 'Captures', parts: [] },
  { id: 'going-live', title: 'Going Live', parts: [] },
] as const

/** The table of contents, in which the page's own script marks the present section: beside the text, or collapsed above it on a phone. */
export const ContentsList = () => (
  <>
    <nav className={styles.wide} aria-label="On this page" data-contents>
      <p className={`${styles.name} ${font('xs', 'semibold', 'quiet')}`}>On this page</p>
      <Places />
    </nav>
    <details className={`${styles.narrow} ${surface('surface')}`} data-contents-short>
      <summary className={`${row('centre')} ${font('semibold')}`}>On this page</summary>
      <nav aria-label="On this page, collapsed">
        <Places />
      </nav>
    </details>
  </>
)

const Places = () => (
  <ul className={`${styles.list} ${place('list')}`}>
    {chapters.map(({ id, title, parts }) => (
      <li key={id}>
        <Place id={id} title={title} />
        {parts.length > 0 && (
          <ul className={`${styles.list} ${place('list')}`}>
            {parts.map((part) => (
              <li key={part.id}>
                <Place {...part} />
              </li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
)

const Place = ({ id, title }: { readonly id: string; readonly title: string }) => (
  <a href={`#${id}`} className={`${styles.link} ${row('centre')} ${font('sm', 'quiet')}`}>
    {title}
  </a>
)
