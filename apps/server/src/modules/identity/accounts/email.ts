import { sql } from 'kysely'

/** The condition on a merchant's email, in the spelling by which the unique index compares emails. */
export const hasEmail = (email: string) => sql<boolean>`lower(merchants.email) = lower(${email}::text)`
