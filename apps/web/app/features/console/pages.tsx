import { type ComponentType, lazy } from 'react'
import { loadModule } from '../../lib/lazy.ts'
import { type Entry, entries } from './entries.ts'
import { NotLoaded } from './not-loaded.tsx'

interface Page extends Pick<Entry, 'path' | 'title' | 'needs'> {
  readonly page: ComponentType
}

/** The code of a page is loaded when the page is opened. */
const lazyPage = (load: () => Promise<{ readonly default: ComponentType }>) =>
  lazy(async () => (await loadModule(load)) ?? { default: NotLoaded })

/** The pages of the menu, and those of single things. */
export const pages: readonly Page[] = [
  { ...entries.today, page: lazyPage(() => import('./today/today.tsx')) },
  { ...entries.merchants, page: lazyPage(() => import('./merchants/merchants.tsx')) },
  {
    path: 'merchants/:merchantId',
    title: 'consoleMerchantPage',
    needs: 'console.merchants.read',
    page: lazyPage(() => import('./merchants/merchant.tsx')),
  },
  { ...entries.payments, page: lazyPage(() => import('./payments/find.tsx')) },
  {
    path: 'payments/:merchantId/:paymentId',
    title: 'consolePaymentPage',
    needs: 'console.payments.read',
    page: lazyPage(() => import('./payments/payment.tsx')),
  },
  { ...entries.reviews, page: lazyPage(() => import('./reviews/reviews.tsx')) },
  { ...entries.refunds, page: lazyPage(() => import('./refunds/refunds.tsx')) },
  { ...entries.providers, page: lazyPage(() => import('./providers/providers.tsx')) },
  {
    path: 'providers/:account',
    title: 'consoleProviderPage',
    needs: 'console.providers.read',
    page: lazyPage(() => import('./providers/provider.tsx')),
  },
  { ...entries.webhooks, page: lazyPage(() => import('./webhooks/webhooks.tsx')) },
  {
    path: 'webhooks/:merchantId/:webhookId',
    title: 'consoleWebhookPage',
    needs: 'console.webhooks.read',
    page: lazyPage(() => import('./webhooks/webhook.tsx')),
  },
  { ...entries.jobs, page: lazyPage(() => import('./jobs/jobs.tsx')) },
  { ...entries.settings, page: lazyPage(() => import('./settings/settings.tsx')) },
  { ...entries.audit, page: lazyPage(() => import('./audit/audit.tsx')) },
]
