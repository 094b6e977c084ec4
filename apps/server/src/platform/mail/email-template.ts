import type { Locale } from '@muripo/contract/enums'
import { translatorsFor } from '@muripo/locales/catalogues'
import { Body } from '@react-email/body'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Html } from '@react-email/html'
import { Preview } from '@react-email/preview'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { type CSSProperties, createElement as h, type ReactNode } from 'react'
import { couldBeLink, type EmailContent, type Link, type Occasion } from './email-content.ts'

const texts = await translatorsFor('email')
type EmailText = (typeof texts)['en']

/** The texts of an email as the page shows them. */
export interface EmailView {
  readonly locale: Locale
  readonly heading: string
  readonly code?: string | undefined
  readonly greeting?: string | undefined
  readonly warning?: string | undefined
  readonly rows: readonly Row[]
  readonly lines: readonly string[]
  readonly link?: Link | undefined
  readonly quote?: string | undefined
}

type Row = readonly [name: string, value: string]

export const viewOf = ({
  locale = 'en',
  fullname,
  occasion,
  facts = [],
  ...content
}: EmailContent): EmailView => ({
  locale,
  heading: content.heading,
  code: content.code,
  greeting: fullname === undefined ? undefined : greeting(texts[locale], fullname),
  warning: content.warning,
  rows: [
    ...(occasion ? rowsOf(texts[locale], occasion) : []),
    ...facts.map((fact) => safeToShow(texts[locale], fact)),
  ].map(([name, value]) => [name, inOneLine(value)]),
  lines: content.lines.map(inOneLine),
  link: content.link,
  quote: content.quote,
})

// A page collapses white space, and the plain text must not differ.
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The page of every email. The code precedes the name in every part, so that digits of a name are not taken for the code. */
export function EmailTemplate({
  locale,
  heading,
  code,
  greeting,
  warning,
  rows,
  lines,
  link,
  quote,
}: EmailView): ReactNode {
  return h(
    Html,
    { lang: locale },
    h(
      Head,
      null,
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('meta', { name: 'format-detection', content: 'telephone=no,date=no,address=no,email=no,url=no' }),
      h('title', null, heading),
      h('style', null, dark),
    ),
    h(
      Body,
      { className: 'page', style: styles.page },
      // A locked screen shows the preview, so no code is in it.
      h(Preview, null, heading),
      h(
        Container,
        { style: styles.column },
        h(Text, { className: 'text', style: styles.brand, ...notInText }, 'Muripo'),
        h(
          Section,
          { className: 'card', style: styles.card },
          h('h1', { className: 'text', style: styles.heading }, heading),
          code && h(Text, { className: 'code', style: styles.code }, code),
          greeting && paragraph(greeting),
          warning && h(Text, { className: 'warning', style: styles.warning }, warning),
          rows.length > 0 && table(rows),
          ...lines.map(paragraph),
          link && button(link),
          quote !== undefined && h('pre', { className: 'text', style: styles.quote }, quote),
        ),
      ),
    ),
  )
}

const notInText = { 'data-skip-in-text': true }

const rowsOf = (t: EmailText, { when, device, network }: Occasion): Row[] => [
  [t('when'), when],
  ...(device === undefined ? [] : [[t('device'), device] as const]),
  ...(network === undefined ? [] : [[t('network'), network] as const]),
]

const safeToShow = (t: EmailText, [name, value]: Row): Row => [
  name,
  couldBeLink(value) ? t('onDashboard') : value,
]

// Anybody can open an account under another person's address and choose the name: no mail program may turn the name into a link.
function greeting(t: EmailText, fullname: string): string {
  const name = fullname.replace(/[\p{C}\s]+/gu, ' ').slice(0, 60)
  return couldBeLink(name) ? t('helloWithoutName') : t('hello', { name })
}

const paragraph = (text: string): ReactNode =>
  h(Text, { key: text, className: 'text', style: styles.paragraph }, text)

const button = ({ label, url }: Link): ReactNode =>
  h(
    Text,
    { style: styles.paragraph },
    h('a', { href: url, className: 'button', style: styles.button }, label),
  )

const table = (rows: readonly Row[]): ReactNode =>
  h(
    'table',
    { className: 'line', width: '100%', cellPadding: 0, cellSpacing: 0, style: styles.table },
    h(
      'tbody',
      null,
      rows.map(([name, value]) =>
        h(
          'tr',
          { key: name, 'data-fact': true },
          h('th', { scope: 'row', className: 'quiet line', style: styles.name }, `${name}: `),
          h('td', { className: 'text line', style: styles.value }, value),
        ),
      ),
    ),
  )

const text = '#0b1324'
const face = 'system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif'
const hairline = '1px solid #e5eaf1'
const cell: CSSProperties = {
  borderTop: hairline,
  padding: '10px 0',
  fontSize: 15,
  lineHeight: '22px',
  textAlign: 'left',
  verticalAlign: 'top',
}

// No colour of digits alone: six digits in a mail are its code.
const styles = {
  page: { backgroundColor: '#f6f8fb', fontFamily: face, padding: '24px 12px' },
  column: { maxWidth: 520 },
  brand: { color: text, fontSize: 17, fontWeight: 650, margin: '0 0 12px 4px' },
  card: { backgroundColor: '#fff', border: hairline, borderRadius: 14, padding: '8px 24px' },
  heading: { color: text, fontSize: 22, lineHeight: '28px', fontWeight: 650, margin: '16px 0' },
  code: {
    backgroundColor: '#eef2f8',
    borderRadius: 10,
    color: text,
    fontFamily: 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace',
    fontSize: 32,
    fontWeight: 700,
    letterSpacing: 6,
    lineHeight: '40px',
    margin: '16px 0',
    padding: '12px 0 12px 6px',
    textAlign: 'center',
  },
  warning: {
    backgroundColor: '#fff4d1',
    borderRadius: 10,
    color: '#7a5200',
    fontSize: 16,
    fontWeight: 600,
    lineHeight: '24px',
    margin: '16px 0',
    padding: '12px 16px',
  },
  paragraph: { color: text, fontSize: 16, lineHeight: '24px', margin: '16px 0', overflowWrap: 'anywhere' },
  button: {
    backgroundColor: '#12306b',
    borderRadius: 10,
    color: '#fff',
    display: 'inline-block',
    fontSize: 16,
    fontWeight: 600,
    padding: '12px 20px',
    textDecoration: 'none',
  },
  table: { borderBottom: hairline, borderCollapse: 'collapse', margin: '16px 0' },
  name: { ...cell, color: '#5a6577', fontWeight: 400, paddingRight: 12, width: '36%' },
  value: { ...cell, color: text, fontWeight: 600, overflowWrap: 'anywhere', wordBreak: 'break-word' },
  quote: {
    color: text,
    fontFamily: face,
    fontSize: 16,
    lineHeight: '24px',
    margin: '16px 0',
    overflowWrap: 'anywhere',
    whiteSpace: 'pre-wrap',
  },
} as const satisfies Record<string, CSSProperties>

const dark = `@media (prefers-color-scheme: dark) {
.page, .page td { background-color: #0b1324 !important }
.card, .card td, .card th { background-color: #16203a !important }
.card, .line { border-color: #2e3b58 !important }
.text { color: #f1f4fa !important }
.quiet { color: #a9b4c8 !important }
.code { background-color: #0b1324 !important; color: #fff !important }
.button { background-color: #9db8f2 !important; color: #0b1324 !important }
.warning { background-color: #4a3a10 !important; color: #ffe1a0 !important }
}`
