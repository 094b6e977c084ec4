import type { Application } from '@muripo/contract/applications'
import { useQuery } from '@tanstack/react-query'
import { LoadingRows } from '../../ui/loading-rows.tsx'
import { LoadError } from '../../ui/message.tsx'

/** Its code is fetched when it is opened first: most visits to this page have no need of it. */
export function WebhooksPanel({ application }: { readonly application: Application }) {
  const code = useQuery({
    queryKey: ['code', 'webhooks'],
    queryFn: () => import('./webhooks/webhooks-tab.tsx'),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  })
  if (code.data) return <code.data.WebhooksTab application={application} />
  if (!code.error) return <LoadingRows>Loading endpoints...</LoadingRows>
  return (
    <LoadError onRetry={() => void code.refetch()} retrying={code.isFetching}>
      The webhooks could not be loaded.
    </LoadError>
  )
}
