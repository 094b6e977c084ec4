import type { WebhookStatus } from '@muripo/contract/webhook-enums'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { type ConsoleKey, type ConsoleText, useConsoleText } from '../text.ts'

const states = {
  active: ['green', 'webhooksActive'],
  failing: ['red', 'webhooksFailing'],
  disabled: ['grey', 'webhooksDisabled'],
} as const satisfies Readonly<
  Record<WebhookStatus, readonly [Parameters<typeof StatusBadge>[0]['tone'], ConsoleKey]>
>

export const endpointStateText = (status: WebhookStatus, t: ConsoleText): string => t(states[status][1])

export function EndpointBadge({ status }: { readonly status: WebhookStatus }) {
  const t = useConsoleText()
  return <StatusBadge tone={states[status][0]}>{endpointStateText(status, t)}</StatusBadge>
}
