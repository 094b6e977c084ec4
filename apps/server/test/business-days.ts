import type { Ctx } from '../src/platform/ctx.ts'

/**
 * For tests: begins the business days of a database anew at a date of their clock, which is behind the date of the migration. The day has all
 * earlier transfers.
 */
export async function beginDays({ db: { pool } }: Pick<Ctx, 'db'>, date: string): Promise<void> {
  await pool.query('alter table ledger_business_days disable trigger user')
  await pool.query('delete from ledger_business_days')
  await pool.query('alter table ledger_business_days enable trigger user')
  await pool.query('insert into ledger_business_days (business_date, from_position) values ($1, 0)', [date])
  await pool.query('select rebuild_ledger_balances()')
}
