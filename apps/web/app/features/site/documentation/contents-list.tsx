import { useRef } from 'react'
import { chapters } from './contents.ts'
import styles from './contents-list.module.css'
import { useCurrentPlace } from './use-current-place.ts'

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
