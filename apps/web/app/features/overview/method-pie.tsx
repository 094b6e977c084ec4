import type { DashboardStats } from '@muripo/contract/stats'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { coverClass, font, grid, row, stack, surface } from '../../components/ui/classes.ts'
import { Panel } from '../../components/ui/panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { VisuallyHidden } from '../../components/ui/visually-hidden.tsx'
import { countText } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { pieOf, type Slice, shareText } from './chart-geometry.ts'
import styles from './method-pie.module.css'
import overview from './overview.module.css'
import { useOverviewText } from './text.ts'

interface MethodPieProps {
  readonly methods: DashboardStats['topPaymentMethods'] | undefined
}

export function MethodPie({ methods }: MethodPieProps) {
  const t = useOverviewText()
  const { methodLabel } = useFormats()
  const pie = methods && pieOf(methods, methodLabel)
  return (
    <Panel
      title={t('topMethods')}
      aside={pie?.isSample && <p className={font('xs', 'quiet')}>{t('sampleData')}</p>}
      busy={methods === undefined}
      className={styles.panel}
    >
      <figure className={`${styles.chart} ${stack('gap16')}`}>
        {pie ? <Drawing slices={pie.slices} /> : <SkeletonPie />}
      </figure>
    </Panel>
  )
}

function Drawing({ slices }: { readonly slices: readonly Slice[] }) {
  const t = useOverviewText()
  const [pointed, setPointed] = useState<string | null>(null)
  const navigate = useNavigate()
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
            {slices.map(({ label, method, path, colour }) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: a larger target for the mouse; the keyboard has the link below
              <path
                key={label}
                d={path}
                fill={colour}
                data-open={method !== null || undefined}
                onClick={() => method !== null && void navigate(paths.paymentsBy(method))}
                data-faded={(tip && label !== pointed) || undefined}
                onPointerEnter={() => setPointed(label)}
              />
            ))}
          </svg>
          {tip && <Tip {...tip} />}
        </div>
      </div>
      <ul
        className={`${styles.legend} ${grid('list')} ${font('xs')}`}
        data-long={slices.length > 6 || undefined}
      >
        {slices.map((slice) => (
          <li
            key={slice.label}
            className={`${styles.entry} ${row('centre', 'gap8')} ${font('numbers')}`}
            data-faded={(tip && slice !== tip) || undefined}
            onPointerEnter={() => setPointed(slice.label)}
            onPointerLeave={() => setPointed(null)}
          >
            <span className={styles.swatch} style={{ background: slice.colour }} />
            <span className={font('clip', 'grow')}>
              {slice.method === null ? (
                slice.label
              ) : (
                <Link to={paths.paymentsBy(slice.method)} className={coverClass}>
                  {slice.label}
                </Link>
              )}
            </span>
            <span className={`${styles.count} ${font('quiet')}`}>
              <span aria-hidden="true">{countText(slice.count)}</span>
              <VisuallyHidden as="span">
                {t('methodPayments', { payments: slice.count, count: countText(slice.count) })}
              </VisuallyHidden>
            </span>
            <span className={`${styles.share} ${font('semibold', 'atRight')}`}>{shareText(slice.share)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The figures of a slice, in its middle. */
function Tip({ label, count: payments, share, middle: [x, y] }: Slice) {
  const t = useOverviewText()
  return (
    <div
      className={`${overview.tip} ${styles.tip} ${surface('inset')} ${font('xs', 'snug', 'nowrap')}`}
      style={{ left: `${50 + x * 50}%`, top: `${50 + y * 50}%` }}
      aria-hidden="true"
    >
      <p className={font('semibold')}>{label}</p>
      <p className={font('quiet', 'numbers')}>
        {t('methodShare', { payments, count: countText(payments), share: shareText(share) })}
      </p>
    </div>
  )
}

const SkeletonPie = () => (
  <>
    <div className={styles.room}>
      <div className={styles.circle}>
        <Skeleton radius={999} h="100%" w="100%" />
      </div>
    </div>
    <ul className={`${styles.legend} ${grid('list')} ${font('xs')}`} aria-hidden="true">
      {['a', 'b', 'c', 'd'].map((entry) => (
        <li key={entry} className={`${styles.entry} ${row('centre', 'gap8')} ${font('numbers')}`}>
          <Skeleton radius={999} h={10} w={10} />
          <Skeleton h={12} w={96} />
        </li>
      ))}
    </ul>
  </>
)
