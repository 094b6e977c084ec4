import type { ReactNode } from 'react'
import { font } from '../../components/ui/classes.ts'
import { QueryError, type QueryState } from '../../components/ui/empty-state.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Panel } from '../../components/ui/panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import styles from './panel-parts.module.css'

/** The content of a panel that is no list. */
export const bodyClass = styles.body ?? ''

/** The sentence of a panel that has nothing to show. */
export const NoneYet = ({ children }: { readonly children: string }) => (
  <p className={`${bodyClass} ${font('md', 'quiet')}`}>{children}</p>
)

/** The content of a panel that is loading. */
export const LoadingBody = () => (
  <div className={bodyClass} aria-hidden>
    <Skeleton h={16} w="60%" />
  </div>
)

interface SubjectProps<Data> {
  readonly query: QueryState & { readonly data: Data | undefined }
  /** The title of the page until the subject is loaded. */
  readonly title: string
  /** The title of the panel that is loading. */
  readonly panel: string
  readonly children: (data: Data) => ReactNode
}

/** The page of one subject, or its loading or failed state. */
export function Subject<Data>({ query, title, panel, children }: SubjectProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <>
      <PageHeader title={title} />
      {query.error ? (
        <QueryError query={query} />
      ) : (
        <Panel title={panel} busy>
          <LoadingBody />
        </Panel>
      )}
    </>
  )
}
