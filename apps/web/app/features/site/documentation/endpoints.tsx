import { font, row, surface } from '../../../components/ui/classes.ts'
import styles from './endpoints.module.css'
import type { Facts } from './reference-data.server.ts'

/** Every call of v1, from the contract. */
export const Endpoints = ({ facts }: { readonly facts: Facts }) => (
  <ul className={`${styles.list} ${surface('surface', 'list')}`} aria-label="Endpoints">
    {facts.calls.map(({ method, path, summary }) => (
      <li
        key={`${method} ${path}`}
        className={row('wrap', 'centre', 'gap12', 'rows4')}
        data-endpoint={`${method} ${path}`}
      >
        <span className={`${styles.method} ${font('mono', 'sm', 'bold', 'action')}`}>{method}</span>
        <code className={font('anywhere')}>{path}</code>
        <span className={font('md', 'quiet', 'wholeLine')}>{summary}.</span>
      </li>
    ))}
  </ul>
)
