import { Skeleton } from '@mantine/core'
import panel from './panel.module.css'

/** Rows of a table's height while it is on its way. */
export const LoadingRows = ({ children }: { readonly children: string }) => (
  <div className={panel.loading} role="status">
    <p>{children}</p>
    <div className={panel.bars} aria-hidden="true">
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Skeleton key={row} h={36} />
      ))}
    </div>
  </div>
)
