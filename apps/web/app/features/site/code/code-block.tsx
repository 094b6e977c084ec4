import { IconCheck, IconCopy } from '../../../components/icons.ts'
import { font, row, surface } from '../../../components/ui/classes.ts'
import { useSiteText } from '../text.tsx'
import styles from './code-block.module.css'

interface CodeBlockProps {
  /** The title in the head of the block, also for screen readers. */
  readonly title: string
  /** An import with `?highlight`. */
  readonly sample: { readonly html: string }
  /** The name of the block in the page, for tests that run the samples. */
  readonly name?: string
  /** Placeholders of the sample and their values in this deployment, such as its address. */
  readonly fill?: Readonly<Record<string, string>>
}

/** Code with colours, computed at build time, and a button by which the page's own script copies it. */
export function CodeBlock({ title, sample, name, fill = {} }: CodeBlockProps) {
  const t = useSiteText()
  return (
    <figure className={`${styles.block} ${surface('ink')}`} data-sample={name}>
      <figcaption
        className={`${styles.head} ${row('centre', 'between', 'gap12')} ${font('xs', 'medium', 'onInkQuiet')}`}
      >
        <span>{title}</span>
        <button
          type="button"
          className={styles.copy}
          aria-label={t('copyName', { name: title })}
          data-copy
          data-copied-label={t('copied')}
          data-copied-name={t('copiedName', { name: title })}
        >
          <IconCopy size={16} stroke={1.75} />
          <IconCheck size={16} stroke={2} />
          {/* The page's own script writes into this and into the status, also before the framework is loaded. */}
          <span data-label suppressHydrationWarning>
            {t('copy')}
          </span>
        </button>
        <span
          role="status"
          className="visuallyHidden"
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty text, which React does not change
          dangerouslySetInnerHTML={{ __html: '' }}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <pre className={`${styles.code} ${font('mono', 'sm')}`} tabIndex={0}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own sample, highlighted by the build */}
        <code dangerouslySetInnerHTML={{ __html: filled(sample.html, fill) }} />
      </pre>
    </figure>
  )
}

function filled(html: string, fill: Readonly<Record<string, string>>): string {
  return Object.entries(fill).reduce((text, [from, to]) => text.replaceAll(from, escaped(to)), html)
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
