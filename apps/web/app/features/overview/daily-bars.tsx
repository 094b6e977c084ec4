import { type ChangeEvent, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Stats } from '../../api/answers.ts'
import { font, surface } from '../../components/ui/classes.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { revenueText, shortRevenueText } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { axisTo } from './chart-geometry.ts'
import styles from './daily-bars.module.css'
import overview from './overview.module.css'
import { useOverviewText } from './text.ts'

interface DailyBarsProps {
  readonly days: NonNullable<Stats['revenueByDay']>
  readonly currency: string
}

const percent = (part: number): string => `${part * 100}%`

/**
 * A bar for each day. The figure of one day is shown: of the day under the pointer, or of the day chosen by keys or touch. A click of the mouse,
 * the Enter key or a second touch opens the payments of that day.
 */
export function DailyBars({ days, currency }: DailyBarsProps) {
  const t = useOverviewText()
  const { shortDayText } = useFormats()
  const navigate = useNavigate()
  const { shown, chosen, isPressed, pointer, keys } = useShownDay(days.length, (index) => {
    const day = days[index]?.day
    if (day !== undefined) void navigate(paths.paymentsIn(day, day))
  })

  const highest = Math.max(...days.map(({ revenue }) => revenue))
  const axis = highest > 0 ? axisTo(highest) : [0]
  const top = topOf(axis)
  const middleOf = (index: number) => percent((index + 0.5) / days.length)
  const dayText = (index: number) => {
    const day = shortDayText(days[index]?.day ?? '', 'weekday')
    return index === days.length - 1 ? t('daySoFar', { day }) : day
  }
  const revenueOf = (index: number) => revenueText(currency, days[index]?.revenue ?? 0)

  return (
    <div className={styles.chart} data-pressed={isPressed || undefined}>
      <Axis values={axis} currency={currency} />
      <div className={styles.bars} {...pointer} aria-hidden="true">
        {days.map(({ day, revenue }, index) => (
          <span key={day} className={styles.day} data-shown={index === shown || undefined}>
            <span className={styles.bar} style={{ height: percent(revenue / top) }} />
          </span>
        ))}
      </div>
      <input
        type="range"
        className={styles.keys}
        aria-label={t('chosenDay')}
        aria-valuetext={`${dayText(chosen)}: ${revenueOf(chosen)}`}
        min={0}
        max={days.length - 1}
        value={chosen}
        {...keys}
      />
      {highest === 0 && <NoRevenue currency={currency} />}
      {shown !== null && (
        <div
          className={`${overview.tip} ${styles.tip} ${surface('inset')} ${font('xs', 'snug', 'nowrap')}`}
          style={{ left: middleOf(shown), translate: `-${middleOf(shown)}` }}
          aria-hidden="true"
        >
          <p className={font('quiet')}>{dayText(shown)}</p>
          <p className={font('semibold', 'numbers')}>{revenueOf(shown)}</p>
        </div>
      )}
      {days.map(
        ({ day }, index) =>
          isLabelled(index, days.length) && (
            <span
              key={day}
              className={`${styles.date} ${font('xs', 'quiet', 'nowrap', 'line16')}`}
              style={{ left: middleOf(index) }}
              aria-hidden="true"
            >
              {index === days.length - 1 ? t('today') : shortDayText(day)}
            </span>
          ),
      )}
    </div>
  )
}

const topOf = (axis: readonly number[]): number => axis.at(-1) || 1

interface AxisProps {
  readonly values: readonly number[]
  readonly currency: string
}

const Axis = ({ values, currency }: AxisProps) =>
  values.map((value) => (
    <span
      key={value}
      className={styles.line}
      style={{ bottom: percent(value / topOf(values)) }}
      aria-hidden="true"
    >
      <span className={`${styles.value} ${font('xs', 'quiet', 'numbers', 'line16')}`}>
        {shortRevenueText(currency, value)}
      </span>
    </span>
  ))

function NoRevenue({ currency }: { readonly currency: string }) {
  const t = useOverviewText()
  return (
    <div className={`${styles.none} ${font('centred')}`}>
      <p className={font('semibold')}>{t('noRevenue', { currency })}</p>
      <p className={font('sm', 'quiet')}>{t('noRevenueText')}</p>
    </div>
  )
}

/** The day whose figure is shown, with the events of the bars and of the slider behind them that choose it. */
function useShownDay(count: number, open: (index: number) => void) {
  const [pointed, setPointed] = useState<number | null>(null)
  const [chosen, setChosen] = useState(count - 1)
  const [choosing, setChoosing] = useState(false)
  const [isPressed, setPressed] = useState(false)
  const slider = useRef<HTMLInputElement>(null)
  /** The day that the next click opens. */
  const toOpen = useRef<number | null>(null)

  const under = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * count)
    return Math.min(Math.max(index, 0), count - 1)
  }
  const choose = (index: number) => {
    setChosen(index)
    setChoosing(true)
  }
  return {
    shown: pointed ?? (choosing ? chosen : null),
    chosen,
    isPressed,
    pointer: {
      onPointerMove: (event: PointerEvent<HTMLElement>) =>
        event.pointerType === 'mouse' && setPointed(under(event)),
      onPointerLeave: () => setPointed(null),
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const index = under(event)
        const isShown = choosing && chosen === index
        toOpen.current = event.pointerType === 'mouse' || isShown ? index : null
        choose(index)
        setPressed(true)
        slider.current?.focus({ preventScroll: true })
        // Otherwise the browser would move the focus to the pressed element.
        event.preventDefault()
      },
      onClick() {
        if (toOpen.current !== null) open(toOpen.current)
      },
    },
    keys: {
      ref: slider,
      onChange: (event: ChangeEvent<HTMLInputElement>) => choose(Number(event.currentTarget.value)),
      onFocus: () => setChoosing(true),
      onBlur() {
        setPressed(false)
        setChoosing(false)
      },
      onKeyDown(event: KeyboardEvent) {
        setPressed(false)
        if (event.key === 'Escape') setChoosing(false)
        if (event.key === 'Enter') open(chosen)
      },
    },
  }
}

/** Today, and each day that is whole weeks before it. */
const isLabelled = (index: number, count: number): boolean => (count - 1 - index) % 7 === 0

export const SkeletonBars = ({ count }: { readonly count: number }) => (
  <div className={styles.chart} aria-hidden="true">
    <span className={styles.line} style={{ bottom: 0 }} />
    <div className={styles.bars}>
      {Array.from({ length: count }, (_, index) => `day-${index}`).map((day, index) => (
        <span key={day} className={styles.day}>
          <Skeleton className={styles.bar ?? ''} h={`${30 + ((index * 37) % 50)}%`} />
        </span>
      ))}
    </div>
  </div>
)
