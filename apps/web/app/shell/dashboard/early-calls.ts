import type { Transport } from '../../lib/http.ts'

declare global {
  var earlyCalls:
    | { readonly token: string; readonly responses: Record<string, Promise<Response>> }
    | undefined
}

/**
 * Runs in the head of the dashboard's document, whose `data-calls` are addresses: sends the first calls of the page while its scripts are still
 * loading. An address with filters or a dialog may have other calls.
 */
export const earlyCallsScript = `{
  let token = null
  try {
    token = localStorage.getItem('authToken')
  } catch {}
  if (token && !location.search) {
    const responses = {}
    const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token }
    for (const address of document.currentScript.dataset.calls.split(' '))
      (responses[address] = fetch(address, { headers })).catch(() => {})
    globalThis.earlyCalls = { token, responses }
  }
}`

/** The response of an early call with the same token, once; null without one. */
function takeEarly(address: string, { method, headers }: RequestInit): Promise<Response> | null {
  const { token, responses = {} } = globalThis.earlyCalls ?? {}
  const { authorization } = (headers ?? {}) as { readonly authorization?: string }
  const response = responses[address]
  if (method !== 'GET' || response === undefined || authorization !== `Bearer ${token}`) return null
  delete responses[address]
  return response
}

/** Rejects like `fetch` when the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })

/** The same without the headers: a date that arrived long ago is not the server's present time. */
const undated = async (early: Promise<Response>): Promise<Response> => {
  const { status, statusText, body } = await early
  return new Response(await new Response(body).blob(), { status, statusText })
}

/** Sends a call, or takes the response of the document's early call. */
export const byFetchOrEarly: Transport = (address, init) => {
  const early = takeEarly(address, init)
  if (early === null) return fetch(address, init)
  return Promise.race([undated(early), ...(init.signal ? [aborted(init.signal)] : [])])
}
