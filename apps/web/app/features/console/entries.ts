import type { waitingKinds } from '@muripo/contract/console'
import type { ConsolePermission } from '@muripo/contract/console-permissions'
import type { ComponentType } from 'react'
import {
  IconBuildingStore,
  IconClockPlay,
  IconCreditCard,
  IconListDetails,
  IconPlug,
  IconReceiptRefund,
  IconScale,
  IconSettings,
  IconSun,
  IconWebhook,
} from './icons.ts'
import type { ConsoleTitle } from './text.ts'

type WaitingKind = (typeof waitingKinds)[number]

export interface Entry {
  /** Below `/console`. The pages of single things have paths that begin with it. */
  readonly path: string
  readonly title: ConsoleTitle
  readonly needs: ConsolePermission
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>
  /** The title of its group in the menu; the first group has none. */
  readonly group: 'consoleMoney' | 'consoleRunning' | null
  /** The work that waits on this page: the menu counts it, and Today leads here. */
  readonly waits: readonly WaitingKind[]
}

/** The pages in the menu, in its order. */
export const entries = {
  today: {
    path: '',
    title: 'consoleTodayPage',
    needs: 'console.today',
    icon: IconSun,
    group: null,
    waits: [],
  },
  merchants: {
    path: 'merchants',
    title: 'consoleMerchantsPage',
    needs: 'console.merchants.read',
    icon: IconBuildingStore,
    group: null,
    waits: ['merchants'],
  },
  payments: {
    path: 'payments',
    title: 'consolePaymentsPage',
    needs: 'console.payments.read',
    icon: IconCreditCard,
    group: null,
    waits: [],
  },
  reviews: {
    path: 'reviews',
    title: 'consoleReviewsPage',
    needs: 'console.reviews.read',
    icon: IconScale,
    group: null,
    waits: ['attempts', 'anomalies', 'refunds'],
  },
  refunds: {
    path: 'refunds',
    title: 'consoleRefundsPage',
    needs: 'console.refunds.read',
    icon: IconReceiptRefund,
    group: null,
    waits: [],
  },
  providers: {
    path: 'providers',
    title: 'consoleProvidersPage',
    needs: 'console.providers.read',
    icon: IconPlug,
    group: 'consoleRunning',
    waits: [],
  },
  webhooks: {
    path: 'webhooks',
    title: 'consoleWebhooksPage',
    needs: 'console.webhooks.read',
    icon: IconWebhook,
    group: 'consoleRunning',
    waits: [],
  },
  jobs: {
    path: 'jobs',
    title: 'consoleJobsPage',
    needs: 'console.jobs.read',
    icon: IconClockPlay,
    group: 'consoleRunning',
    waits: [],
  },
  audit: {
    path: 'audit',
    title: 'consoleAuditPage',
    needs: 'console.audit.read',
    icon: IconListDetails,
    group: 'consoleRunning',
    waits: [],
  },
  settings: {
    path: 'settings',
    title: 'consoleSettingsPage',
    needs: 'console.settings.read',
    icon: IconSettings,
    group: 'consoleRunning',
    waits: [],
  },
} as const satisfies Readonly<Record<string, Entry>>

export const menu: readonly Entry[] = Object.values(entries)

export const addressOf = ({ path }: Pick<Entry, 'path'>): string =>
  path === '' ? '/console' : `/console/${path}`

/** The addresses of single things. */
export const merchantAddress = (merchantId: string): string =>
  `/console/merchants/${encodeURIComponent(merchantId)}`
export const paymentAddress = (merchantId: string, paymentId: string): string =>
  `/console/payments/${encodeURIComponent(merchantId)}/${encodeURIComponent(paymentId)}`
export const providerAddress = (account: string): string =>
  `/console/providers/${encodeURIComponent(account)}`
export const webhookAddress = (merchantId: string, webhookId: string): string =>
  `/console/webhooks/${encodeURIComponent(merchantId)}/${encodeURIComponent(webhookId)}`
export const auditAddress = (about: string): string => `/console/audit?about=${encodeURIComponent(about)}`

/** The entry of a kind of waiting work, where there is a page for it. */
export const entryOf = (kind: WaitingKind): Entry | undefined =>
  menu.find(({ waits }) => waits.includes(kind))
