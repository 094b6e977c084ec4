import { isStatementTimeout } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'

/** A search that reaches the time limit of a statement fails with a sentence that says how to narrow it. */
export async function withinSearchLimit<Result>(search: Promise<Result>): Promise<Result> {
  try {
    return await search
  } catch (error) {
    throw isStatementTimeout(error) ? new AppError('search_too_broad') : error
  }
}
