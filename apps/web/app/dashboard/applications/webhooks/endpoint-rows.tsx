import { UnstyledButton } from '@mantine/core'
import type { Webhook } from '@muripo/contract/dashboard-webhooks'
import { IconArrowRight } from '../../../ui/icons.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { useAccount } from '../../account.ts'
import { eventsText, webhookStatus } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface EndpointRowsProps {
  readonly webhooks: readonly Webhook[]
  readonly onChoose: (webhookId: string) => void
}

export const EndpointRows = ({ webhooks, onChoose }: EndpointRowsProps) => {
  const isLive = useAccount().data?.gatewayMode === 'live'
  return (
    <ul className={styles.rows} aria-label="Webhook endpoints">
      {webhooks.map(({ _id, url, events, status, mode }) => (
        <li key={_id}>
          <UnstyledButton className={styles.row ?? ''} onClick={() => onChoose(_id)}>
            <span className={styles.what}>
              <span className={styles.url}>{url}</span>
              <span className={styles.quiet}>
                {isLive && mode === 'test' && 'Test payments · '}
                {eventsText(events)}
              </span>
            </span>
            <StatusBadge tone={webhookStatus[status].tone}>{webhookStatus[status].word}</StatusBadge>
            <IconArrowRight size={18} stroke={1.75} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
