import { RESUME_PROBLEM } from '@muripo/contract/checkout'
import { data } from 'react-router'
import type { PageHandle } from '../../lib/page-meta.ts'
import type { Route } from './+types/resume.ts'
import { messages } from './messages.ts'
import { Page } from './page.tsx'
import { headersOf, metaOf, plainStyles } from './payment-page.ts'
import { Trouble } from './trouble.tsx'

export const handle: PageHandle = { plainStyles }

export const headers = ({ errorHeaders }: Route.HeadersArgs) => headersOf(errorHeaders)

export const loader = ({ request }: Route.LoaderArgs) => {
  const problem = new URL(request.url).searchParams.get(RESUME_PROBLEM)
  if (problem === 'too-many') return data({ error: messages.resumeTooMany }, { status: 429 })
  return { error: problem === null ? null : messages.resumeUnknown }
}

export const meta: Route.MetaFunction = () => metaOf(messages.resumeTitle)

/** The page on which a payer enters the code of a payment that was begun on another phone. The server handles its form. */
export default function Resume({ loaderData: { error } }: Route.ComponentProps) {
  return (
    <Page>
      <h1>{messages.resumeTitle}</h1>
      <p>{messages.resumeText}</p>
      <form method="post" action="/resume" className="resume">
        <label className="name" htmlFor="code">
          {messages.resumeCode}
        </label>
        <input
          id="code"
          name="code"
          required
          maxLength={12}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : 'code-error'}
        />
        {error !== null && (
          <p className="error" id="code-error" role="alert">
            {error}
          </p>
        )}
        <button type="submit">{messages.resumeButton}</button>
      </form>
    </Page>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <Trouble error={error} />
