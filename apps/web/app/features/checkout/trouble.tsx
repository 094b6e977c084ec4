import { isRouteErrorResponse } from 'react-router'
import { messages } from './messages.ts'
import { Page } from './page.tsx'

/** The page of a payment that cannot be shown. */
export function Trouble({ error }: { readonly error: unknown }) {
  const { title, text } = troubleOf(error)
  return (
    <Page>
      <h1>{title}</h1>
      <p>{text}</p>
    </Page>
  )
}

function troubleOf(error: unknown): { title: string; text: string } {
  const status = isRouteErrorResponse(error) ? error.status : 500
  if (status === 404) return { title: messages.noPayment, text: messages.noPaymentText }
  if (status === 429) return { title: messages.tooMany, text: messages.tooManyText }
  return { title: messages.broken, text: messages.brokenText }
}
