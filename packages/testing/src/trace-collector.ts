import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector receives it. */
export interface CollectedSpan {
  readonly service: unknown
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  /** The ids of the traces that the span is linked to. */
  readonly links: readonly string[]
}

export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: CollectedSpan[]
  /** The requests as they were received. */
  readonly bodies: string[]
  close(): Promise<void>
}

interface WireAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

/** A value of OTLP names its type: `{ intValue: 3 }`. */
const attributesIn = (list: readonly WireAttribute[] = []): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))

interface WireSpan extends Omit<CollectedSpan, 'service' | 'attributes' | 'links'> {
  readonly attributes?: readonly WireAttribute[]
  readonly links?: readonly { readonly traceId: string }[]
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

const spansIn = ({ resourceSpans }: ExportRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes, links = [] }) => ({
        service: attributesIn(resource.attributes)['service.name'],
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        attributes: attributesIn(attributes),
        links: links.map((link) => link.traceId),
      })),
    ),
  )

/** A collector of OpenTelemetry traces that receives OTLP as JSON over HTTP. */
export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.url !== '/v1/traces') return response.writeHead(404).end()
    bodies.push(body)
    spans.push(...spansIn(JSON.parse(body)))
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
