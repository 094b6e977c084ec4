import { useEffect, useRef, useState } from 'react'
import styles from './contents-list.module.css'

/** The sections of the page, in order, under the titles of their cards. */
export const chapters = [
  {
    id: 'quick-start',
    title: 'Quick Start',
    sentence: 'From an account to a first payment in three steps.',
    parts: [],
  },
  {
    id: 'api-reference',
    title: 'API Reference',
    sentence: 'Every call of v1, what it takes and what it answers.',
    parts: [
      { id: 'create-a-payment', title: 'Create a payment' },
      { id: 'read-payments', title: 'Read payments' },
      { id: 'customers', title: 'Customers' },
      { id: 'statuses', title: 'Statuses' },
      { id: 'errors', title: 'Errors' },
      { id: 'idempotency', title: 'Idempotency' },
    ],
  },
  {
    id: 'security-guide',
    title: 'Security Guide',
    sentence: 'Keep your key secret, and believe only what you asked for.',
    parts: [],
  },
  {
    id: 'international-payments',
    title: 'International Payments',
    sentence: 'The currencies you can ask for, and how amounts are written.',
    parts: [],
  },
  {
    id: 'payment-methods',
    title: 'Payment Methods',
    sentence: 'What your customers can pay with today.',
    parts: [],
  },
  {
    id: 'tutorials',
    title: 'Tutorials',
    sentence: 'Take a payment with curl, with the SDK, and with a test phone.',
    parts: [
      { id: 'with-curl', title: 'Take a payment with curl' },
      { id: 'with-the-sdk', title: 'Take a payment with the SDK' },
      { id: 'test-numbers', title: 'Test numbers and PINs' },
    ],
  },
] as const

export type ChapterId = (typeof chapters)[number]['id']

/** Where one is in the page: beside the text where there is room, folded above it on a phone. */
export function ContentsList() {
  const current = useCurrentPlace()
  const details = useRef<HTMLDetailsElement>(null)
  return (
    <>
      <nav className={styles.wide} aria-label="On this page">
        <p className={styles.name}>On this page</p>
        <Places current={current} />
      </nav>
      <details className={styles.narrow} ref={details}>
        <summary>On this page</summary>
        <nav aria-label="On this page, folded">
          <Places current={null} onGo={() => details.current?.removeAttribute('open')} />
        </nav>
      </details>
    </>
  )
}

interface PlacesProps {
  readonly current: string | null
  readonly onGo?: () => void
}

const Places = ({ current, onGo }: PlacesProps) => (
  <ul className={styles.list}>
    {chapters.map(({ id, title, parts }) => (
      <li key={id}>
        <Place id={id} title={title} current={current} onGo={onGo} />
        {parts.length > 0 && (
          <ul className={styles.list}>
            {parts.map((part) => (
              <li key={part.id}>
                <Place {...part} current={current} onGo={onGo} />
              </li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
)

interface PlaceProps {
  readonly id: string
  readonly title: string
  readonly current: string | null
  readonly onGo: (() => void) | undefined
}

const Place = ({ id, title, current, onGo }: PlaceProps) => (
  <a
    href={`#${id}`}
    className={styles.link}
    aria-current={current === id ? 'location' : undefined}
    onClick={onGo}
  >
    {title}
  </a>
)

const ids = chapters.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)])
/** A head counts as read from when it stands below the bar. */
const READING_LINE_PX = 140

/** The id of the last head above the reading line; null before the first, and without script. */
function useCurrentPlace(): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  useEffect(() => {
    let frame = 0
    const update = () => {
      frame = 0
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const passed = ids.filter((id) => {
        const head = document.getElementById(id)
        return head !== null && head.getBoundingClientRect().top <= READING_LINE_PX
      })
      setCurrent((atEnd ? ids.at(-1) : passed.at(-1)) ?? null)
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(update)
    }
    update()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', onScroll)
    }
  }, [])
  return current
}
