import styles from './endpoints.module.css'

const endpoints = [
  ['POST', '/payments', 'Create a payment.'],
  ['GET', '/payments', 'List payments, newest first.'],
  ['GET', '/payments/{id}', 'Read one payment.'],
  [
    'POST',
    '/payments/{id}/cancel',
    'Cancel a pending payment. An attempt in progress still completes the payment if it succeeds.',
  ],
  [
    'POST',
    '/payments/{id}/capture',
    'Capture an authorised payment, in full or in part. The rest of the authorisation is released.',
  ],
  ['POST', '/refunds', 'Refund a payment, in full or in part.'],
  ['GET', '/refunds', 'List refunds, newest first.'],
  ['GET', '/refunds/{id}', 'Read one refund.'],
  ['GET', '/customers', 'List the customers of your payments.'],
  ['GET', '/customers/{id}', 'Read one customer.'],
  ['POST', '/webhooks', 'Create a webhook endpoint. Only this response contains its signing secret.'],
  ['GET', '/webhooks', 'List the webhook endpoints.'],
  ['GET', '/webhooks/{id}', 'Read one webhook endpoint.'],
  ['PATCH', '/webhooks/{id}', 'Change the address, the events or the status of a webhook endpoint.'],
  ['DELETE', '/webhooks/{id}', 'Delete a webhook endpoint.'],
  [
    'POST',
    '/webhooks/{id}/rotate-secret',
    'Create a new signing secret. Events are also signed with the previous one for a day.',
  ],
  ['GET', '/events', 'List the events of the last 30 days.'],
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
