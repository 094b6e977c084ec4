import { z } from 'zod'
import { address, oneOf } from '../settings.ts'

const url = address('http:', 'https:').optional()
/** The exporter sends nothing else. */
const protocol = oneOf('http/json').optional()

/** OpenTelemetry's own variables. The exporter reads those for headers, time-outs, compression and certificates itself. */
export const tracingSettings = z
  .object({
    OTEL_SDK_DISABLED: oneOf('true', 'false').default('false'),
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
    OTEL_SERVICE_NAME: z.string().default('muripo'),
    OTEL_TRACES_SAMPLER: oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ).default('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: z
      .string()
      .refine((text) => Number(text) >= 0 && Number(text) <= 1, {
        error: ({ input }) => `must be a number from 0 to 1, not "${input}"`,
      })
      .transform(Number)
      .default(1),
  })
  .transform((env) => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = env
    const url = whole ?? (base && `${base}/v1/traces`)
    /** Null: nothing is traced. */
    const tracing =
      url === undefined || env.OTEL_SDK_DISABLED === 'true'
        ? null
        : {
            url,
            serviceName: env.OTEL_SERVICE_NAME,
            sampler: env.OTEL_TRACES_SAMPLER,
            /** The share of the traces that the samplers with a ratio take. */
            ratio: env.OTEL_TRACES_SAMPLER_ARG,
          }
    return { tracing }
  })
