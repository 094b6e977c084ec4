/**
 * A wallet whose subscribers confirm at once: it answers each charge as paid, in the legacy gateway's format. It
 * is a separate process, so that its processor time is measured apart from the gateway's.
 */
import { createServer } from 'node:http'

process.on('disconnect', () => process.exit(0))
process.on('message', (request) => {
  if (request === 'cpu')
    process.send?.({ cpuSeconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 })
})

let charges = 0

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    if (request.method !== 'POST') {
      response.writeHead(200).end('{}')
      return
    }
    const { clientCorrelator, paymentAmount, currencyCode } = JSON.parse(body) as Record<string, unknown>
    charges += 1
    const answer = JSON.stringify({
      clientCorrelator,
      transactionOperationStatus: 'COMPLETED',
      ecocashReference: `MP261121.0000.A${String(charges).padStart(7, '0')}`,
      paymentAmount,
      currencyCode,
    })
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    })
    response.end(answer)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})
