import type { PaymentId } from '@muripo/contract/ids'

/** Ids, names of the code and numbers. Nothing that a person or a program has entered is an attribute. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>

/** A span that has begun. A span that is never ended is not recorded. */
export interface OpenSpan {
  readonly traceId: string
  end(attributes?: SpanAttributes): void
  /** Ends the span as an error. */
  fail(attributes?: SpanAttributes): void
}

/** Records spans for a collector. Absent (null) in a process without one, so that a span costs a comparison. */
export interface Tracing {
  /** The span of a request, in the trace of its `traceparent` or in one of its own. */
  request(
    name: string,
    attributes: SpanAttributes,
    from: { readonly startedAt: number; readonly traceparent: string | undefined },
  ): OpenSpan
  /** A span of a payment's life, linked to the request in progress. */
  payment(id: PaymentId, name: PaymentSpan, attributes?: SpanAttributes): OpenSpan
  /** Sends the recorded spans, within a few seconds. */
  stop(): Promise<void>
}

/** The first is the root of the payment's trace and the parent of all others. */
export type PaymentSpan =
  | 'payment.create'
  | 'payment.change'
  | 'provider.charge'
  | 'provider.lookup'
  | 'provider.refund'
  | 'webhook.deliver'

/** Records a call to another system. */
export async function traced<Result>(
  span: OpenSpan | undefined,
  call: () => Promise<Result>,
  attributesOf: (result: Result) => SpanAttributes,
): Promise<Result> {
  if (span === undefined) return call()
  try {
    const result = await call()
    span.end(attributesOf(result))
    return result
  } catch (error) {
    span.fail()
    throw error
  }
}
