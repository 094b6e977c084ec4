import styles from './endpoints.module.css'
import type { Facts } from './reference-data.server.ts'

/** Every call of v1, from the contract. */
export const Endpoints = ({ facts }: { readonly facts: Facts }) => (
  <ul className={styles.list} aria-label="Endpoints">
    {facts.calls.map(({ method, path, summary }) => (
      <li key={`${method} ${path}`} data-endpoint={`${method} ${path}`}>
        <span className={styles.method}>{method}</span>
        <code>{path}</code>
        <span className={styles.what}>{summary}.</span>
      </li>
    ))}
  </ul>
)
