import type { NextAction } from './connector.ts'

/**
 * The step of a payer with a code for the InnBucks app. InnBucks's documents and the clients of its partners name different addresses for
 * the app.
 */
export function showInnbucksCode({
  code,
  expiresAt,
}: {
  code: string
  expiresAt: string | null
}): NextAction {
  const digits = encodeURIComponent(code)
  return {
    type: 'show_code',
    code,
    qr: code,
    links: [
      { url: `com.innbucks.customer://purchase?paymentToken=${digits}` },
      { url: `schinn.wbpycode://innbucks.co.zw?pymInnCode=${digits}` },
    ],
    expiresAt,
  }
}
