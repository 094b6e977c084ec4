import { Page, type PageOf } from './page.tsx'
import { payerText } from './text.tsx'

/** The page on which a payer enters the code of a payment that was begun on another phone. The server handles its form. */
export function ResumePage({ page: { problem }, locale }: PageOf<'resume'>) {
  const t = payerText(locale)
  return (
    <Page locale={locale} title={t('resumeTitle')}>
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
