import type { Transport } from './http.ts'

/** Sends a request that reports the sent part of its body, from 0 to 1: the browser's fetch cannot. */
export const withProgress =
  (onProgress: (sent: number) => void): Transport =>
  (address, { method = 'POST', headers = {}, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const fail = () => reject(new TypeError('The upload failed'))
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onerror = fail
      request.onabort = fail
      request.onload = () => {
        const { status, statusText, responseText } = request
        resolve(new Response(responseText === '' ? null : responseText, { status, statusText }))
      }
      if (signal?.aborted) return fail()
      signal?.addEventListener('abort', () => request.abort())
      request.open(method, address)
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.send(body as XMLHttpRequestBodyInit)
    })
