import { RESUME_PROBLEM } from '@muripo/contract/checkout'
import type { PageHandle } from '../../lib/page-meta.ts'
import type { Route } from './+types/resume.ts'
import { Page } from './page.tsx'
import { headersOf, localeOf, metaOf, plainStyles, withLocale } from './payment-page.ts'
import { payerText } from './text.tsx'
import { Trouble } from './trouble.tsx'

export const handle: PageHandle = { plainStyles, plainLocale: localeOf }

export const headers = (all: Route.HeadersArgs) => headersOf(all)

export function loader(call: Route.LoaderArgs) {
  const problem = new URL(call.request.url).searchParams.get(RESUME_PROBLEM)
  return withLocale(call, null, { problem }, problem === 'too-many' ? 429 : 200)
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  metaOf(loaderData && payerText(loaderData.locale)('resumeTitle'))

/** The page on which a payer enters the code of a payment that was begun on another phone. The server handles its form. */
export default function Resume({ loaderData: { problem, locale } }: Route.ComponentProps) {
  const t = payerText(locale)
  return (
    <Page locale={locale}>
      <h1>{t('resumeTitle')}</h1>
      <p>{t('resumeText')}</p>
      <form method="post" action="/resume" className="resume">
        <label className="name" htmlFor="code">
          {t('resumeCode')}
        </label>
        <input
          id="code"
          name="code"
          required
          maxLength={12}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : 'code-error'}
        />
        {problem !== null && (
          <p className="error" id="code-error" role="alert">
            {t(problem === 'too-many' ? 'resumeTooMany' : 'resumeUnknown')}
          </p>
        )}
        <button type="submit">{t('resumeButton')}</button>
      </form>
    </Page>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <Trouble error={error} />
