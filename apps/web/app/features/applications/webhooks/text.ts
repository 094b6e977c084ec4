import english from 'virtual:texts/webhooks/en'
import type { Translate } from '@muripo/locales/translator'
import type { webhooks } from '@muripo/locales/webhooks'
import { usePageText } from '../../../lib/page-text.ts'

export type WebhooksText = Translate<typeof webhooks>

export const useWebhooksText = (): WebhooksText => usePageText<typeof webhooks>(english)
