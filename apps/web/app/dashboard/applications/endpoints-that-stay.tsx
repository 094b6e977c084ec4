import { useAccount } from '../account.ts'
import styles from './dialogs.module.css'
import { useWebhooks } from './webhooks/webhooks-api.ts'

/** A new key removes no endpoint, so one that a stranger added with the old key is to be seen here. */
export function EndpointsThatStay({ applicationId }: { readonly applicationId: string }) {
  const { data: webhooks, error } = useWebhooks(applicationId)
  const isLive = useAccount().data?.gatewayMode === 'live'
  if (error && !webhooks)
    return <p className={styles.keep}>The webhook endpoints could not be loaded. They stay as they are.</p>
  if (!webhooks) return <p className={styles.keep}>Loading webhook endpoints...</p>
  if (webhooks.length === 0) return <p className={styles.keep}>This application has no webhook endpoints.</p>
  return (
    <>
      <p className={styles.keep}>
        These webhook endpoints stay and go on receiving events. Delete those that are not yours under
        Webhooks.
      </p>
      <ul className={styles.endpoints} aria-label="Webhook endpoints that stay">
        {webhooks.map(({ _id, url, mode }) => (
          <li key={_id}>
            {url}
            {isLive && mode === 'test' && ' (test payments)'}
          </li>
        ))}
      </ul>
    </>
  )
}
