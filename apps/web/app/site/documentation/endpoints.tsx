import styles from './endpoints.module.css'

const endpoints = [
  { method: 'POST', path: '/api/v1/payments', what: 'Create a payment.', isServed: true },
  { method: 'GET', path: '/api/v1/payments', what: 'List payments, newest first.', isServed: true },
  { method: 'GET', path: '/api/v1/payments/{id}', what: 'Read one payment.', isServed: true },
  {
    method: 'POST',
    path: '/api/v1/payments/{id}/cancel',
    what: 'Cancel a pending payment. A try that is under way is waited for: it still completes the payment if it succeeds.',
    isServed: true,
  },
  {
    method: 'GET',
    path: '/api/v1/customers',
    what: 'List your customers, as payments have named them.',
    isServed: true,
  },
  { method: 'GET', path: '/api/v1/customers/{id}', what: 'Read one customer.', isServed: true },
  {
    method: 'POST',
    path: '/api/v1/webhooks',
    what: 'Be told when a payment changes. Part of the v1 reference; this version answers 404. Until it is served, read the payment when your customer comes back.',
    isServed: false,
  },
] as const

/** Every call of v1, those included that this version does not answer yet: said so, and held to it by a test. */
export const Endpoints = () => (
  <ul className={styles.list} aria-label="Endpoints">
    {endpoints.map(({ method, path, what, isServed }) => (
      <li key={`${method} ${path}`} data-endpoint={`${method} ${path}`} data-served={isServed}>
        <span className={styles.method}>{method}</span>
        <code>{path}</code>
        {!isServed && <span className={styles.state}>Not in this version</span>}
        <span className={styles.what}>{what}</span>
      </li>
    ))}
  </ul>
)
