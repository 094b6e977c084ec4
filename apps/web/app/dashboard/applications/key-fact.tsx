import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './facts.module.css'

/** The application key, to be taken along. */
export const KeyFact = ({ applicationKey }: { readonly applicationKey: string }) => (
  <div>
    <dt>Application Key</dt>
    <dd className={styles.key}>
      <code>{applicationKey}</code>
      <CopyButton text={applicationKey} what="application key" />
    </dd>
  </div>
)
