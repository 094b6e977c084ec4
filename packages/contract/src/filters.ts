import { z } from 'zod'
import type { Id } from './ids.ts'
import { bounded } from './text.ts'

/** Filters of lists that an address keeps: an old or mistyped one finds nothing. */

const FILTER_MAX_LENGTH = 1000
const isPossible = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= FILTER_MAX_LENGTH

/** An id of the kind. Another text is the id of nothing. */
export const idFilter = <Prefix extends string>(
  kind: z.ZodType<Id<Prefix>, Id<Prefix>> & { readonly prefix: Prefix },
) =>
  z.preprocess(
    (text) => (isPossible(text) && !kind.safeParse(text).success ? `${kind.prefix}_${'0'.repeat(26)}` : text),
    kind,
  ) as unknown as z.ZodType<Id<Prefix>, string>

/** A text. The rest of a longer one is left out, and NUL, which PostgreSQL refuses: nothing has such a text. */
export const filterText = (maxLength: number) =>
  z.preprocess(
    (text) => (isPossible(text) ? text.replaceAll('\0', ' ').slice(0, maxLength) : text),
    bounded(maxLength),
  ) as unknown as z.ZodType<string, string>
