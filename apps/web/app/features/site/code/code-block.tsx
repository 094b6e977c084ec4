import { useRef } from 'react'
import { IconCheck, IconCopy } from '../../../components/icons.ts'
import { useCopy } from '../../../lib/use-copy.ts'
import styles from './code-block.module.css'

interface CodeBlockProps {
  /** What the block shows, in its head and for people who do not see it. */
  readonly title: string
  /** An import with `?highlight`. */
  readonly sample: { readonly html: string }
  /** Names the block in the page, for whoever takes the samples out of it. */
  readonly name?: string
  /** Texts of the sample that stand for something this deployment knows, such as its address. */
  readonly fill?: Readonly<Record<string, string>>
}

/** Code with its colours, worked out at build, and a button that copies it. */
export function CodeBlock({ title, sample, name, fill = {} }: CodeBlockProps) {
  const code = useRef<HTMLElement>(null)
  const { copied, copy } = useCopy(title)
  return (
    <figure className={styles.block} data-sample={name}>
      <figcaption className={styles.head}>
        <span>{title}</span>
        <button
          type="button"
          className={styles.copy}
          aria-label={copied ? `Copied: ${title}` : `Copy: ${title}`}
          onClick={() => copy(code.current?.textContent ?? '')}
        >
          {copied ? <IconCheck size={16} stroke={2} /> : <IconCopy size={16} stroke={1.75} />}
          {copied ? 'Copied!' : 'Copy'}
        </button>
        <span role="status" className={styles.said}>
          {copied ? 'Copied!' : ''}
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own sample, coloured at build */}
        <code ref={code} dangerouslySetInnerHTML={{ __html: filled(sample.html, fill) }} />
      </pre>
    </figure>
  )
}

function filled(html: string, fill: Readonly<Record<string, string>>): string {
  return Object.entries(fill).reduce((text, [from, to]) => text.replaceAll(from, escaped(to)), html)
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
