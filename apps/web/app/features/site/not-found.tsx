import { data } from 'react-router'
import { NoticePage } from '../../components/notice-page.tsx'
import type { PageHandle } from '../../lib/page-meta.ts'

export const handle: PageHandle = { onDemand: true }

export const loader = () => data(null, { status: 404 })

export default function NotFound() {
  return (
    <NoticePage code="404" title="This page does not exist">
      The address may be mistyped, or the page has moved.
    </NoticePage>
  )
}
