import { Fragment, type ReactNode } from 'react'
import { font, surface } from '../../../components/ui/classes.ts'
import styles from './table.module.css'

interface TableProps {
  readonly caption: string
  readonly head: readonly string[]
  /** Each row's first cell is its head. */
  readonly rows: readonly (readonly [key: string, head: ReactNode, ...cells: ReactNode[]])[]
}

/** The head of a row that is a name of the API. On a phone it breaks after its dots and underscores. */
export const CodeName = ({ name }: { readonly name: string }) => (
  <code>
    {name.match(/[^._]+[._]?/g)?.map((part) => (
      <Fragment key={part}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </code>
)

/** A table that scrolls sideways where it has no room. */
export const Table = ({ caption, head, rows }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
  <section className={`${styles.frame} ${surface('surface')}`} aria-label={caption} tabIndex={0}>
    <table className={`${styles.table} ${font('md')}`}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([key, first, ...cells]) => (
          <tr key={key}>
            <th scope="row">{first}</th>
            {cells.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the columns does not change
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
