import { createHash } from 'node:crypto'
import type { PaymentId } from '@muripo/contract/ids'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { within } from '../async/shared-reads.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { requestSpan } from '../request-scope.ts'
import type { OpenSpan, PaymentSpan, SpanAttributes, Tracing } from './tracing.ts'

type TracingConfig = NonNullable<Config['tracing']>

/** A collector that does not answer delays a stop by no more than this. */
const STOP_MS = 3000
const PAUSE_BETWEEN_WARNINGS_MS = 60_000

const ROOT: PaymentSpan = 'payment.create'
const kinds: Partial<Record<PaymentSpan, SpanKind>> = {
  'provider.charge': SpanKind.CLIENT,
  'provider.lookup': SpanKind.CLIENT,
  'provider.refund': SpanKind.CLIENT,
  'webhook.deliver': SpanKind.CLIENT,
}

/** Only a process with a collector imports this file, and with it the SDK. The other variables of OTLP are read by the exporter. */
export function startTracing({ url, serviceName, sampler, ratio }: TracingConfig, log: Log): Tracing {
  warnOfFailures(log)
  const ids = new Ids()
  const { root, whole } = samplersOf(sampler, ratio)
  const provider = new TracerProvider({
    idGenerator: ids,
    sampler: whole,
    resource: resourceFromAttributes({ 'service.name': serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    // Its queue is bounded: while the collector is away, spans are dropped.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  const tracer = provider.getTracer('muripo')

  function payment(id: PaymentId, name: PaymentSpan, attributes: SpanAttributes = {}): OpenSpan {
    const rootContext = rootOf(id, root)
    const request = requestSpan()
    const options = {
      kind: kinds[name] ?? SpanKind.INTERNAL,
      attributes: { 'muripo.payment.id': id, ...attributes },
      links: request instanceof RecordedSpan ? [{ context: request.span.spanContext() }] : [],
    }
    const span =
      name === ROOT
        ? ids.giving(rootContext, () => tracer.startSpan(name, options, ROOT_CONTEXT))
        : tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, rootContext))
    // Each span links the other, so that the trace of the request leads to the payment's. A request that has ended accepts no more links.
    if (request instanceof RecordedSpan && request.span.isRecording())
      request.span.addLink({ context: span.spanContext() })
    return new RecordedSpan(span)
  }

  return {
    request: (name, attributes, { startedAt, traceparent }) => {
      const options = { kind: SpanKind.SERVER, attributes: { ...attributes }, startTime: startedAt }
      return new RecordedSpan(tracer.startSpan(name, options, contextIn(traceparent)))
    },
    payment,
    stop: () => within(STOP_MS, provider.shutdown(), undefined).catch(() => undefined),
  }
}

function contextIn(traceparent: string | undefined): Context {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent)
  return caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
}

class RecordedSpan implements OpenSpan {
  readonly span: Span
  constructor(span: Span) {
    this.span = span
  }

  get traceId(): string {
    return this.span.spanContext().traceId
  }

  end(attributes: SpanAttributes = {}): void {
    this.span.setAttributes(attributes)
    this.span.end()
  }

  fail(attributes: SpanAttributes = {}): void {
    this.span.setStatus({ code: SpanStatusCode.ERROR })
    this.end(attributes)
  }
}

/**
 * The ids of a payment's trace and of its root span follow from the payment's id. Every process therefore computes the same ids, and no row stores
 * them. Each process also makes the same decision on whether the trace is sampled.
 */
function rootOf(id: PaymentId, sampler: Sampler): SpanContext {
  const digest = createHash('sha256').update(id).digest('hex')
  const traceId = digest.slice(0, 32)
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, ROOT, SpanKind.INTERNAL, {}, [])
  return {
    traceId,
    spanId: digest.slice(32, 48),
    traceFlags: decision === SamplingDecision.RECORD_AND_SAMPLED ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  }
}

/** Random ids, except for the root span of a payment. */
class Ids implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #given: SpanContext | null = null

  giving(ids: SpanContext, start: () => Span): Span {
    this.#given = ids
    try {
      return start()
    } finally {
      this.#given = null
    }
  }

  generateTraceId = (): string => this.#given?.traceId ?? this.#random.generateTraceId()
  generateSpanId = (): string => this.#given?.spanId ?? this.#random.generateSpanId()
}

function samplersOf(name: TracingConfig['sampler'], ratio: number): { root: Sampler; whole: Sampler } {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']()
  return { root, whole: name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root }
}

/** One line a minute at most: the SDK reports every batch. */
function warnOfFailures(log: Log): void {
  let quietUntil = 0
  setGlobalErrorHandler((error) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + PAUSE_BETWEEN_WARNINGS_MS
    log.warn({ err: error }, 'spans could not be sent to the collector')
  })
}
