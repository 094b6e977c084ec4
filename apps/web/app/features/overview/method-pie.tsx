import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { DashboardStats } from '@muripo/contract/stats'
import { useState } from 'react'
import { count } from '../../lib/format.ts'
import { pieOf, type Slice, shareText } from './chart-geometry.ts'
import styles from './method-pie.module.css'
import { Panel } from './panel.tsx'

interface MethodPieProps {
  readonly methods: DashboardStats['topPaymentMethods'] | undefined
}

export function MethodPie({ methods }: MethodPieProps) {
  const pie = methods && pieOf(methods)
  return (
    <Panel
      title="Top Used Payment Methods"
      aside={pie?.isSample && <p className={styles.sample}>Sample data</p>}
      busy={methods === undefined}
      className={styles.panel}
    >
      <figure className={styles.chart}>{pie ? <Drawing slices={pie.slices} /> : <SkeletonPie />}</figure>
    </Panel>
  )
}

function Drawing({ slices }: { readonly slices: readonly Slice[] }) {
  const [pointed, setPointed] = useState<string | null>(null)
  const tip = slices.find(({ label }) => label === pointed)
  return (
    <>
      <div className={styles.room}>
        <div className={styles.circle}>
          <svg
            viewBox="-1 -1 2 2"
            className={styles.pie}
            aria-hidden="true"
            onPointerLeave={() => setPointed(null)}
          >
            {slices.map(({ label, path, colour }) => (
              <path
                key={label}
                d={path}
                fill={colour}
                data-faded={(tip && label !== pointed) || undefined}
                onPointerEnter={() => setPointed(label)}
              />
            ))}
          </svg>
          {tip && <Tip {...tip} />}
        </div>
      </div>
      <ul className={styles.legend} data-long={slices.length > 6 || undefined}>
        {slices.map((slice) => (
          <li
            key={slice.label}
            className={styles.entry}
            data-faded={(tip && slice !== tip) || undefined}
            onPointerEnter={() => setPointed(slice.label)}
            onPointerLeave={() => setPointed(null)}
          >
            <span className={styles.swatch} style={{ background: slice.colour }} />
            <span className={styles.label}>{slice.label}</span>
            <span className={styles.count}>
              {count(slice.count)}
              <VisuallyHidden component="span"> payments</VisuallyHidden>
            </span>
            <span className={styles.share}>{shareText(slice.share)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** In the middle of its slice. */
const Tip = ({ label, count: payments, share, middle: [x, y] }: Slice) => (
  <div className={styles.tip} style={{ left: `${50 + x * 50}%`, top: `${50 + y * 50}%` }} aria-hidden="true">
    <p>{label}</p>
    <p>
      {count(payments)} {payments === 1 ? 'payment' : 'payments'}, {shareText(share)}
    </p>
  </div>
)

const SkeletonPie = () => (
  <>
    <div className={styles.room}>
      <div className={styles.circle}>
        <Skeleton circle h="100%" w="100%" />
      </div>
    </div>
    <ul className={styles.legend} aria-hidden="true">
      {['a', 'b', 'c', 'd'].map((entry) => (
        <li key={entry} className={styles.entry}>
          <Skeleton component="span" circle h={10} w={10} />
          <Skeleton component="span" h={12} w={96} />
        </li>
      ))}
    </ul>
  </>
)
