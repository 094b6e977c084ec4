import styles from './endpoints.module.css'

const endpoints = [
  ['POST', '/payments', 'Create a payment.'],
  ['GET', '/payments', 'List payments, newest first.'],
  ['GET', '/payments/{id}', 'Read one payment.'],
  [
    'POST',
    '/payments/{id}/cancel',
    'Cancel a pending payment. A try that is under way is waited for: it still completes the payment if it succeeds.',
  ],
  [
    'POST',
    '/payments/{id}/capture',
    'Capture an authorised payment, in whole or in part. What is left of it is released.',
  ],
  ['POST', '/refunds', 'Give a payment back, whole or in part.'],
  ['GET', '/refunds', 'List refunds, newest first.'],
  ['GET', '/refunds/{id}', 'Read one refund.'],
  ['GET', '/customers', 'List your customers, as payments have named them.'],
  ['GET', '/customers/{id}', 'Read one customer.'],
  ['POST', '/webhooks', 'Be told when a payment changes. The answer shows the secret that signs, once.'],
  ['GET', '/webhooks', 'List where events are sent.'],
  ['GET', '/webhooks/{id}', 'Read one of them.'],
  ['PATCH', '/webhooks/{id}', 'Change where events are sent, which, or whether at all.'],
  ['DELETE', '/webhooks/{id}', 'Send no more events there.'],
  [
    'POST',
    '/webhooks/{id}/rotate-secret',
    'Sign with a new secret. The one before signs beside it for a day.',
  ],
  ['GET', '/events', 'List what happened in the last 30 days.'],
  ['GET', '/events/{id}', 'Read one event.'],
  ['POST', '/events/{id}/redeliver', 'Send an event again.'],
] as const

/** Every call of v1. A test compares the list with the OpenAPI document. */
export const Endpoints = () => (
  <ul className={styles.list} aria-label="Endpoints">
    {endpoints.map(([method, path, what]) => (
      <li key={`${method} ${path}`} data-endpoint={`${method} /api/v1${path}`}>
        <span className={styles.method}>{method}</span>
        <code>{`/api/v1${path}`}</code>
        <span className={styles.what}>{what}</span>
      </li>
    ))}
  </ul>
)
