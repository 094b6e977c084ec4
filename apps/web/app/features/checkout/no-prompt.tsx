import type { CheckoutView, Prompt } from '@muripo/contract/checkout'
import type { CSSProperties } from 'react'
import { Sentence, usePayerText } from './text.tsx'

interface NoPromptProps {
  readonly view: CheckoutView
  readonly prompt: Prompt
}

/** The options of a payer whose phone shows no prompt. */
export function NoPrompt({ view, prompt: { dialIn, resendSeconds, canCancel } }: NoPromptProps) {
  const t = usePayerText()
  return (
    <section>
      <h2>{t('noPrompt')}</h2>
      {dialIn !== null && (
        <p>
          <Sentence
            of="dialIn"
            values={{
              code: (
                <a className="whole" href={`tel:${encodeURIComponent(dialIn)}`}>
                  {dialIn}
                </a>
              ),
            }}
          />
        </p>
      )}
      <form method="post">
        {resendSeconds > 0 ? (
          <p className="hint">
            <Sentence of="resendSoon" values={{ seconds: <Countdown seconds={resendSeconds} /> }} />
          </p>
        ) : (
          <Choice intent="resend">{t('resend')}</Choice>
        )}
        <Choice intent="check">{t('havePaid')}</Choice>
        <Choice intent="leave">{t('otherNumber')}</Choice>
        {canCancel && (
          <button type="submit" name="intent" value="cancel" className="back">
            {t('cancel', { shop: view.shopName })}
          </button>
        )}
      </form>
    </section>
  )
}

const Choice = ({ intent, children }: { readonly intent: string; readonly children: string }) => (
  <button type="submit" name="intent" value={intent} className="choice">
    {children}
  </button>
)

/** Seconds that the style sheet counts down. A browser without CSS counters of this kind shows the first number. */
const Countdown = ({ seconds }: { readonly seconds: number }) => (
  <span className="count" style={{ '--from': seconds } as CSSProperties}>
    {seconds}
  </span>
)
